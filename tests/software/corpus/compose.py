"""Composes the corpus: manifests of invented projects, in the shapes that real ones have.

`python -m tests.software.corpus.compose` writes every manifest, and what is read from it into the
`expected.json` of its format. Read the differences before they are committed.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from indexer.software.formats.extrinsic import EXTRINSIC
from indexer.software.formats.table import FORMATS
from indexer.software.translation.document import document
from indexer.software.translation.translator import translate
from tests.software.corpus.json_shapes import JSON_SHAPES
from tests.software.corpus.projects import PROJECTS
from tests.software.corpus.text_shapes import TEXT_SHAPES
from tests.software.corpus.toml_shapes import TOML_SHAPES
from tests.software.corpus.xml_shapes import XML_SHAPES
from tests.software.corpus.yaml_shapes import YAML_SHAPES

FOLDER = Path(__file__).parent / "manifests"
EXPECTED = "expected.json"

BY_NAME = {form.name: form for form in (*FORMATS, *EXTRINSIC.values())}


class Manifest(NamedTuple):
    """A file of the corpus: its format, its name, the terms that a reader sees, its text."""

    format: str
    name: str
    states: tuple[str, ...]
    text: str


def manifests() -> Iterator[Manifest]:
    """Yield each manifest: every project in every format, the shapes of a format by turns."""
    shapes = (*JSON_SHAPES, *YAML_SHAPES, *TOML_SHAPES, *XML_SHAPES, *TEXT_SHAPES)
    for form in dict.fromkeys(shape.format for shape in shapes):
        own = [shape for shape in shapes if shape.format == form]
        for number, project in enumerate(PROJECTS):
            shape = own[number % len(own)]
            yield Manifest(form, f"{project.name}.in", shape.states, shape.write(project))


def reading(form: str, text: str) -> dict[str, Any]:
    """The document of a manifest, and its diagnostics."""
    found = translate(text.encode(), BY_NAME[form])
    return {
        "document": document(found.properties),
        "diagnostics": [[each.place, each.why] for each in found.diagnostics],
    }


def main() -> None:
    """Write the corpus."""
    expected: dict[str, dict[str, Any]] = {}
    for each in manifests():
        folder = FOLDER / each.format
        folder.mkdir(parents=True, exist_ok=True)
        (folder / each.name).write_text(each.text, encoding="utf-8")
        expected.setdefault(each.format, {})[each.name] = {
            "states": each.states,
            **reading(each.format, each.text),
        }
    for form, files in expected.items():
        text = json.dumps(files, indent=1, ensure_ascii=False)
        (FOLDER / form / EXPECTED).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
