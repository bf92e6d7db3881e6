"""Extrinsic metadata: its origin, the trust in its authority, and its rows (spec 2.4)."""

from collections.abc import Mapping
from typing import Any

import pytest

from indexer.errors import DecodeError
from indexer.software.formats.javascript import NPM
from indexer.software.indexing.extrinsic import (
    RawMetadata,
    index_metadata,
    is_trusted,
    origin_of,
)
from indexer.software.indexing.rows import ExtrinsicKey
from tests.software.indexing.memory_rows import MemoryRows

URL = "https://forge.example/project"
FORGE = {"type": "forge", "url": "https://forge.example/"}
DEPOSITOR = {"type": "deposit_client", "url": "https://depositor.example/"}
REGISTRY = {"type": "registry", "url": "https://registry.example/"}
FORMATS = {"forge-json": NPM, "other-json": NPM}

OBJECT: Mapping[str, Any] = {
    "id": "swh:1:emd:1",
    "target": URL,
    "authority": FORGE,
    "fetcher": {"name": "lister", "version": "1"},
    "format": "forge-json",
    "discovery_date": "2026-01-02T00:00:00+00:00",
    "metadata": '{"name": "thing"}',
}


def raw(**changes: Any) -> RawMetadata:
    """Raw metadata with some other values."""
    return RawMetadata.of({**OBJECT, **changes})


def statuses(rows: MemoryRows, *objects: RawMetadata) -> list[str]:
    """Index metadata; the status of each."""
    return [each.status.value for each in index_metadata(objects, rows, FORMATS)]


SWHID = f"swh:1:dir:{'1' * 40}"
EARLY, LATE = "2024-05-16T15:19:59+00:00", "2024-05-16T15:20:00+00:00"
DEPOSIT = {"name": "swh-deposit"}


@pytest.mark.parametrize(
    ("changes", "origin"),
    [
        ({}, URL),
        ({"target": SWHID, "origin": URL}, URL),
        ({"target": SWHID}, ""),
        ({"target": SWHID, "origin": None}, ""),
        ({"target": "no URL"}, ""),
        (
            {"target": "https://x/a%3Fb", "fetcher": DEPOSIT, "discovery_date": EARLY},
            "https://x/a?b",
        ),
        (
            {"target": "https://x/a%3Fb", "fetcher": DEPOSIT, "discovery_date": LATE},
            "https://x/a%3Fb",
        ),
        ({"target": "https://x/a%3Fb", "discovery_date": EARLY}, "https://x/a%3Fb"),
    ],
)
def test_the_origin_that_metadata_is_about(changes: Mapping[str, Any], origin: str) -> None:
    assert origin_of(raw(**changes)) == origin


@pytest.mark.parametrize(
    ("authority", "url", "trusted"),
    [
        (FORGE, URL, True),
        (FORGE, "https://FORGE.example/other", True),
        (FORGE, "https://forge.example:8080/project", False),
        (FORGE, "https://elsewhere.example/project", False),
        (DEPOSITOR, URL, False),
        (REGISTRY, URL, True),
        ({"type": "REGISTRY", "url": "https://registry.example/"}, URL, True),
        ({"type": "forge", "url": "none"}, "none", False),
    ],
)
def test_the_trust_in_an_authority(authority: dict[str, str], url: str, trusted: bool) -> None:
    assert is_trusted(raw(authority=authority), url) is trusted


def test_each_authority_and_format_has_a_row() -> None:
    rows = MemoryRows()
    objects = (raw(), raw(authority=DEPOSITOR), raw(format="other-json"))
    assert statuses(rows, *objects) == ["stored"] * 3
    forge = ExtrinsicKey(URL, "https://forge.example/", "forge-json")
    depositor = ExtrinsicKey(URL, "https://depositor.example/", "forge-json")
    assert rows.stored_extrinsic[forge].metadata["name"] == "thing"
    assert rows.stored_extrinsic[forge].trusted
    # A third party is kept, with its name, and not mixed in.
    assert not rows.stored_extrinsic[depositor].trusted
    assert len(rows.stored_extrinsic) == 3


def test_the_newest_metadata_of_an_authority_counts() -> None:
    rows = MemoryRows()
    new = raw(discovery_date="2026-02-01T00:00:00+01:00", metadata='{"name": "new"}')
    assert statuses(rows, new, raw()) == ["stored", "older"]
    assert statuses(rows, raw()) == ["older"]
    assert [row.metadata["name"] for row in rows.stored_extrinsic.values()] == ["new"]


def test_of_two_in_a_batch_the_last_one_counts() -> None:
    rows = MemoryRows()
    statuses(rows, raw(), raw(metadata='{"name": "last"}'))
    assert [row.metadata["name"] for row in rows.stored_extrinsic.values()] == ["last"]


def test_the_same_metadata_is_not_written_again() -> None:
    rows = MemoryRows()
    statuses(rows, raw())
    assert statuses(rows, raw()) == ["unchanged"]
    assert len(rows.writes) == 1


def test_metadata_that_cannot_be_used_gives_no_row() -> None:
    rows = MemoryRows()
    objects = (raw(target=SWHID), raw(format="unknown"), raw(metadata="no json"))
    assert statuses(rows, *objects) == ["no-origin", "no-format", "no-metadata"]
    assert rows.writes == []


def test_metadata_that_states_nothing_any_more_replaces_a_row() -> None:
    rows = MemoryRows()
    statuses(rows, raw())
    assert statuses(rows, raw(discovery_date="2026-03-01", metadata="{}")) == ["stored"]
    assert [row.metadata for row in rows.stored_extrinsic.values()] == [{}]


@pytest.mark.parametrize(
    "changes",
    [
        {"target": None},
        {"authority": None},
        {"authority": {"type": "forge"}},
        {"format": 1},
        {"metadata": None},
        {"metadata": "x" * 5_000_001},
        {"discovery_date": "yesterday"},
        {"discovery_date": None},
    ],
)
def test_an_object_without_one_of_its_parts_is_refused(changes: Mapping[str, Any]) -> None:
    with pytest.raises(DecodeError, match="raw metadata"):
        raw(**changes)
