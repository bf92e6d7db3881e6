"""Examples of `compat`: a file, and what the existing system says of it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from indexer.software.compat.table import mapping_of, translate

HERE = Path(__file__).parent
EXAMPLES = sorted((HERE / "examples").glob("*.jsonl"))
"""A file for each mapping. Each was compared with the existing system (docs/software/compat.md)."""


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a file of examples."""
    for line in path.read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def given(row: dict[str, Any]) -> bytes:
    """The bytes of the file of a row: a tree of JSON, a text, or bytes in hexadecimal."""
    if "hex" in row:
        return bytes.fromhex(row["hex"])
    return (json.dumps(row["json"]) if "json" in row else str(row["text"])).encode()


def document(name: str, content: bytes) -> dict[str, Any] | None:
    """The document of a file by the mapping of a name."""
    mapping = mapping_of(name)
    assert mapping
    return translate(content, mapping)


def said(name: str, content: bytes) -> dict[str, Any] | None:
    """The document without its context, and without the type of software."""
    found = document(name, content)
    if found is not None:
        del found["@context"]
        if found.get("type") == "SoftwareSourceCode":
            del found["type"]
    return found
