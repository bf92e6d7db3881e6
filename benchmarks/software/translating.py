"""Documents a CPU-second: our translation, beside a graph that is framed and compacted, by turns.

    python -m benchmarks software [--rounds 5] [--json]

Both write the CodeMeta of the same manifests of the corpus. Ours reads the bytes of the manifest.
The graph is what a translation with rdflib and pyld has to do after it has read the manifest and
applied its rules: parse the document as a graph, write it expanded, frame it, compact it. So the
ratio leaves out the time that such a translation needs for reading and for rules.
"""

import argparse
import json
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

import rdflib
from pyld import jsonld  # type: ignore[import-untyped]

from benchmarks.software.hostile import MANIFESTS
from benchmarks.software.npm_manifests import npm_manifest
from indexer.software.formats.table import FORMATS
from indexer.software.rules.manifest_format import ManifestFormat
from indexer.software.translation.document import canonical, document
from indexer.software.translation.translator import translate
from indexer.software.vocabulary.contexts import data_file

MEASURED = ("npm", "maven", "pkg-info", "codemeta")
REPEATS = 40
"""How often ours translates the manifests of the corpus in a round; the graph does it once."""

SYNTHETIC = 4_000
"""Manifests of npm with names of their own, so that no cache helps; the graph takes a few."""

FRAME = {"@type": "http://schema.org/SoftwareSourceCode"}
TYPES = ("SoftwareSourceCode",)


def ours(contents: Sequence[bytes], form: ManifestFormat) -> None:
    """Translate each manifest, and write its document."""
    for content in contents:
        canonical(document(translate(content, form).properties))


def theirs(documents: Sequence[dict[str, Any]], context: dict[str, Any]) -> None:
    """Parse each document as a graph, and write it expanded, framed and compacted."""
    for each in documents:
        graph = rdflib.Graph().parse(data=json.dumps(each), format="json-ld")
        expanded = json.loads(graph.serialize(format="json-ld"))
        json.dumps(jsonld.compact(jsonld.frame(expanded, FRAME), context))


def rate(work: Callable[[], None], number: int) -> float:
    """The documents of a CPU-second."""
    started = time.process_time()
    work()
    return number / (time.process_time() - started)


def measured(
    form: ManifestFormat, contents: Sequence[bytes], repeats: int, rounds: int
) -> tuple[float, float, int]:
    """The medians of ours and theirs, and the bytes of a manifest."""
    context = json.loads(data_file("codemeta-2.0.jsonld"))
    documents = [
        {**document(translate(each, form).properties, "2.0"), **context} for each in contents[:20]
    ]
    own, graph = [], []
    for _ in range(rounds):
        own.append(rate(lambda: ours([*contents] * repeats, form), len(contents) * repeats))
        graph.append(rate(lambda: theirs(documents, context), len(documents)))
    size = sum(map(len, contents)) // len(contents)
    return statistics.median(own), statistics.median(graph), size


def main(arguments: Sequence[str]) -> None:
    """Measure, and print a line for each format."""
    parser = argparse.ArgumentParser(prog="benchmarks software")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true", help="figures as lines of JSON")
    options = parser.parse_args(arguments)
    forms = {form.name: form for form in FORMATS if form.name in MEASURED}
    for name, form in forms.items():
        files = [path.read_bytes() for path in sorted((MANIFESTS / name).glob("*.in"))]
        _tell(name, measured(form, files, REPEATS, options.rounds), as_json=options.json)
    unlike = [npm_manifest(number) for number in range(SYNTHETIC)]
    figures = measured(forms["npm"], unlike, 1, options.rounds)
    _tell("npm, unlike names", figures, as_json=options.json)


def _tell(name: str, figures: tuple[float, float, int], *, as_json: bool) -> None:
    own, graph, size = figures
    if as_json:
        print(json.dumps({"manifests": name, "bytes": size, "ours": own, "graph": graph}))
        return
    print(
        f"{name:18} {size:5,} bytes  {own:8,.0f} documents a CPU-second, "
        f"a graph {graph:6,.1f}: {own / graph:.0f} ×",
        flush=True,
    )
