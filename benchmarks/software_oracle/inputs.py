"""Inputs of the comparison: files of a corpus, rows of examples, and mixtures of these rows."""

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from indexer.software.compat.table import MAPPINGS, CompatMapping

MOST_MIXED = 6
"""The most rows in one mixture."""

XML = re.compile(
    r"(?s)(<(?:project|entry|package)\b[^>]*>(?:<metadata>)?)(.*?)((?:</metadata>)?</\w+>)\s*\Z"
)
GEMSPEC = re.compile(r"(?s)(.*?Gem::Specification\.new do \|s\|\n)(.*)(\nend\n)")


class Input(NamedTuple):
    """A file for a mapping, and where it is from."""

    mapping: CompatMapping
    content: bytes
    source: str


def inputs(path: Path, mixtures: int) -> Iterator[Input]:
    """Yield the files of a folder by their names, and the rows of `*.jsonl`, which has examples.

    For each mapping of examples there are so many mixtures of its rows.
    """
    for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
        if file.suffix == ".jsonl":
            yield from _examples(file, mixtures)
        elif file.is_file():
            for mapping in MAPPINGS:
                if _is_of(file, mapping):
                    yield Input(mapping, file.read_bytes(), str(file))


def _is_of(file: Path, mapping: CompatMapping) -> bool:
    """Whether a file has a name of a mapping, or is `NAME-OF-A-MAPPING/*.in` of our corpus."""
    is_corpus = file.suffix == ".in" and file.parent.name == mapping.name
    return is_corpus or any(_matches(file.name, pattern) for pattern in mapping.files)


def _matches(name: str, pattern: str) -> bool:
    folded, wanted = name.casefold(), pattern.casefold()
    return folded.endswith(wanted[1:]) if wanted.startswith("*") else folded == wanted


def _examples(file: Path, mixtures: int) -> Iterator[Input]:
    mapping = next((each for each in MAPPINGS if each.name == file.stem), None)
    if mapping is None:
        return
    rows = [_bytes(json.loads(line)) for line in file.read_text("utf-8").splitlines()]
    for number, content in enumerate(rows, 1):
        yield Input(mapping, content, f"{file.name}:{number}")
    chance = random.Random(file.stem)  # noqa: S311 - the same mixtures in each run
    for number in range(mixtures):
        parts = chance.sample(rows, chance.randint(2, min(MOST_MIXED, len(rows))))
        if (mixed := _mixed(parts, chance)) is not None:
            yield Input(mapping, mixed, f"{file.name}: mixture {number}")


def _bytes(row: dict[str, Any]) -> bytes:
    if "hex" in row:
        return bytes.fromhex(row["hex"])
    return (json.dumps(row["json"]) if "json" in row else str(row["text"])).encode()


def _mixed(parts: list[bytes], chance: random.Random) -> bytes | None:
    """The keys, elements or lines of several files in one; None if they have no common form."""
    texts = [part.decode("utf-8", "replace") for part in parts]
    for form in (XML, GEMSPEC):
        if len(found := [match for each in texts if (match := form.fullmatch(each))]) > 1:
            inner = ("\n" if form is GEMSPEC else "").join(match[2] for match in found)
            return f"{found[0][1]}{inner}{found[0][3]}".encode()
    if all(re.match(r"[A-Za-z-]+: ", each) and "\n\n" not in each for each in texts):
        lines = "".join(texts)
        return lines.encode()
    trees = [tree for each in texts if isinstance(tree := _tree(each), dict)]
    if len(trees) < 2:
        return None
    values = [value for tree in trees for value in tree.values()]
    mixed = {key: value for tree in trees for key, value in tree.items()}
    for key in mixed:
        # A value under the key of another one has a type that nobody expects there.
        if not key.startswith("@") and chance.random() < 0.2:
            mixed[key] = chance.choice(values)
    return json.dumps(mixed).encode()


def _tree(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        pass
    try:
        tree = yaml.load(text, yaml.BaseLoader)  # noqa: S506 - texts only
    except yaml.YAMLError:
        return None
    return tree if isinstance(tree, dict) and all(isinstance(key, str) for key in tree) else None
