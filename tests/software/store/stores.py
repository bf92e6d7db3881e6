"""Stores of the tests, and rows to put into them."""

from typing import Any

from indexer.software.store.program_record import ProgramRecord
from indexer.software.store.rows import ContentRow, DirectoryRow, OriginRow
from indexer.software.store.store import SoftwareStore
from tests.database.empty import put_empty

CONTEXT = "https://w3id.org/codemeta/3.0"
OLD = ProgramRecord("detector", "1")
NEW = ProgramRecord("detector", "2")


def new_store(url: str) -> SoftwareStore:
    """Open an empty store; no database may exist at the URL."""
    put_empty(url, SoftwareStore.open)
    return SoftwareStore.open(url, make=False)


def codemeta(**terms: Any) -> dict[str, Any]:
    """A document with these terms."""
    return {"@context": CONTEXT, "type": "SoftwareSourceCode", **terms}


def content(store: SoftwareStore, id: str, **terms: Any) -> ContentRow:
    """A row of a file; without terms it states nothing."""
    return ContentRow(id, store.configuration(OLD), codemeta(**terms))


def directory(store: SoftwareStore, id: str, *mappings: str, **terms: Any) -> DirectoryRow:
    """A row of a directory."""
    return DirectoryRow(id, store.configuration(OLD), codemeta(**terms), mappings)


def origin(
    store: SoftwareStore, url: str, *mappings: str, record: ProgramRecord = OLD, **terms: Any
) -> OriginRow:
    """A row of an origin."""
    number = store.configuration(record)
    head = ("d" * 40, f"swh:1:rev:{'e' * 40}", "HEAD")
    return OriginRow(url, number, codemeta(**terms), mappings, *head)
