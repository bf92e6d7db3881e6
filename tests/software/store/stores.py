"""Stores of the tests, and rows to put into them."""

from datetime import datetime
from typing import Any

from indexer.software.store.program_record import ProgramRecord
from indexer.software.store.rows import ContentMetadataRow, DirectoryMetadataRow, OriginMetadataRow
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


def content(store: SoftwareStore, id: str, **terms: Any) -> ContentMetadataRow:
    """A row of a file; without terms it states nothing."""
    return ContentMetadataRow(id, store.configuration(OLD), codemeta(**terms))


def directory(store: SoftwareStore, id: str, *mappings: str, **terms: Any) -> DirectoryMetadataRow:
    """A row of a directory."""
    return DirectoryMetadataRow(id, store.configuration(OLD), codemeta(**terms), mappings)


def origin(
    store: SoftwareStore, url: str, *mappings: str, record: ProgramRecord = OLD, **terms: Any
) -> OriginMetadataRow:
    """A row of an origin."""
    number = store.configuration(record)
    head = ("d" * 40, f"swh:1:rev:{'e' * 40}", "refs/heads/main", "HEAD")
    return OriginMetadataRow(url, number, codemeta(**terms), mappings, *head)


def tombstone(store: SoftwareStore, url: str) -> OriginMetadataRow:
    """The row of an origin that has no metadata any more."""
    number = store.configuration(OLD)
    return OriginMetadataRow(url, number, tombstone=datetime(2026, 1, 2, 12))
