"""The crosswalk of the CodeMeta project: which key of a format stands for which term."""

import csv
import re
from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType

from indexer.software.vocabulary.contexts import data_file

VERSIONS = ("2", "3")
"""The versions of the crosswalk: 2 is that of the profile `compat`, 3 that of `full`."""

DESCRIBING = frozenset({"Parent Type", "Property", "Type", "Description", ""})
"""Columns that describe a term; each other column is an ecosystem."""

SOFTWARE = frozenset(
    {
        "schema:Thing",
        "schema:CreativeWork",
        "schema:SoftwareApplication",
        "schema:SoftwareSourceCode",
        "codemeta:SoftwareSourceCode",
    }
)
"""Parent types of rows that describe the software; other rows describe persons, reviews, roles."""

_KEY = re.compile(r"[A-Za-z][\w.-]*(?: [\w.-]+)*")


@cache
def columns(version: str) -> tuple[str, ...]:
    """Return the names of the ecosystems of a version."""
    return tuple(name for name in _rows(version)[0] if name.strip() not in DESCRIBING)


@cache
def keys(version: str, column: str) -> Mapping[str, str]:
    """Return the term of each key of an ecosystem, in the order of the crosswalk.

    Only rows that describe the software are read, not those of persons, reviews and roles. A cell
    names several keys with commas or slashes between them; remarks in parentheses or brackets are
    no keys. A key of several terms belongs to the last one (spec 5.1). Raises KeyError for an
    unknown column.
    """
    if column not in columns(version):
        raise KeyError(column)
    found: dict[str, str] = {}
    for row in _rows(version):
        if row["Parent Type"] not in SOFTWARE:
            continue
        for piece in re.split(r"[,/]", row[column] or ""):
            if _KEY.fullmatch(key := piece.strip()):
                found[key] = row["Property"]
    return MappingProxyType(found)


def cells(version: str, column: str) -> Iterator[tuple[str, str]]:
    """Yield each cell of an ecosystem that isn't empty, with its term, also those of persons."""
    for row in _rows(version):
        if row[column]:
            yield row[column], row["Property"]


def software_terms(version: str) -> tuple[str, ...]:
    """Return the terms that describe the software, in the order of the crosswalk."""
    rows = (row for row in _rows(version) if row["Parent Type"] in SOFTWARE)
    return tuple(dict.fromkeys(row["Property"] for row in rows))


@cache
def _rows(version: str) -> list[dict[str, str]]:
    lines = data_file(f"crosswalk-{version}.csv").splitlines(keepends=True)
    return [row for row in csv.DictReader(lines) if row["Property"]]
