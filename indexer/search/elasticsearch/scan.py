"""Shared by the operators' tools that read all documents: their selection and their tally."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from indexer.errors import ConfigurationError

MAX_FAILURES = 20
"""Failures that are listed; all are counted."""


class FailedDocument(NamedTuple):
    """A document that was not written, and the reason."""

    id: str
    why: str


@dataclass
class ScanTally:
    """The numbers of documents by result, and the first failures.

    `unchanged`: the document was right already. `skipped`: it can never be processed. `missing`: it
    was deleted meanwhile.
    """

    read: int = 0
    done: int = 0
    unchanged: int = 0
    skipped: int = 0
    missing: int = 0
    failed: int = 0
    failures: list[FailedDocument] = field(default_factory=list)

    def fail(self, id: str, why: str) -> None:
        """Count a document that was not written."""
        self.failed += 1
        if len(self.failures) < MAX_FAILURES:
            self.failures.append(FailedDocument(id, why))


def clause(query: str, syntax: str) -> dict[str, Any]:
    """Return a query in one of Elasticsearch's languages; an empty one matches all documents."""
    return {syntax: {"query": query}} if query.strip() else {"match_all": {}}


def between(
    query: Mapping[str, Any], field: str, start: str | None, end: str | None
) -> dict[str, Any]:
    """Restrict a query to documents with a date from `start` to `end`, both inclusive."""
    bounds = {name: value for name, value in (("gte", start), ("lte", end)) if value}
    if not bounds:
        return dict(query)
    return {"bool": {"must": [query], "filter": [{"range": {field: bounds}}]}}


def checked_names(names: Iterable[str]) -> str:
    """Join names of indices and aliases, which may contain *. Raises ConfigurationError."""
    found = [name.strip() for some in names for name in some.split(",")]
    for name in found:
        if not name or name.startswith(("-", "_", "+", ".")) or set(name) & set(' "\\/?<>|#:'):
            raise ConfigurationError(f"{name!r} is not the name of an index or alias")
    return ",".join(found)
