"""The rows of indexing come back as they were written, and nothing more is written than differs."""

from dataclasses import replace
from datetime import datetime

import pytest

from indexer.software.indexing.rows import (
    Changes,
    ContentKey,
    ContentRow,
    DirectoryRow,
    ExtrinsicKey,
    ExtrinsicRow,
    FoundManifest,
    OriginRow,
    SoftwareRows,
)
from indexer.software.rules.property import Diagnostic, Diagnostics, Property, Translation
from indexer.software.store.indexed_rows import StoredRows
from indexer.software.store.rows import OriginMetadataRow
from indexer.software.store.store import SoftwareStore
from tests.software.store.stores import codemeta

NOON = datetime(2026, 1, 2, 12)
SHA1, DIRECTORY, URL = "1" * 40, "d" * 40, "https://git.example/a"
TRANSLATION = Translation(
    "npm",
    [Property("author", {"type": "Person", "name": "É"}, "/author", "author → author (own table)")],
    Diagnostics([Diagnostic("/version", "a list, where a text belongs", "list")], 3),
)
CONTENT = ContentRow(ContentKey(SHA1, "npm", 2), codemeta(name="a"), TRANSLATION)
FOUND = (FoundManifest("package.json", "2" * 40, SHA1, "npm", 2),)
ROOT = DirectoryRow(DIRECTORY, codemeta(name="a"), FOUND, ({"term": "name", "kept": "a"},), "4")
ORIGIN = OriginRow(URL, codemeta(name="a"), DIRECTORY, ("npm",), "swh:1:rev:3", "HEAD", "branch")
EXTRINSIC = ExtrinsicRow(
    ExtrinsicKey(URL, "https://git.example", "gitea-repository-json"),
    codemeta(name="a"),
    TRANSLATION,
    "swh:1:emd:4",
    "2026-01-02",
    "gitea",
    1,
    trusted=False,
)
ALL = Changes([CONTENT], [ROOT], [ORIGIN], [EXTRINSIC])


@pytest.fixture
def rows(store: SoftwareStore) -> SoftwareRows:
    return StoredRows(store, lambda: NOON)


def test_each_row_comes_back_as_it_was(rows: SoftwareRows) -> None:
    rows.write(ALL)
    assert rows.contents([CONTENT.key]) == {CONTENT.key: CONTENT}
    assert rows.directories([DIRECTORY]) == {DIRECTORY: ROOT}
    assert rows.origins([URL]) == {URL: ORIGIN}
    assert rows.extrinsic([EXTRINSIC.key]) == {EXTRINSIC.key: EXTRINSIC}


def test_rows_that_are_not_stored_are_left_out(rows: SoftwareRows) -> None:
    rows.write(ALL)
    other = EXTRINSIC.key._replace(authority="https://other.example")
    assert (
        rows.contents([CONTENT.key._replace(version=3), CONTENT.key._replace(mapping="cff")]) == {}
    )
    assert rows.directories(["e" * 40]) == {}
    assert rows.origins(["https://x.example"]) == {}
    assert rows.extrinsic([other]) == {}


def test_a_content_that_states_nothing_is_remembered(rows: SoftwareRows) -> None:
    nothing = ContentRow(CONTENT.key, {}, Translation("npm"))
    rows.write(Changes(contents=[nothing]))
    assert rows.contents([CONTENT.key]) == {CONTENT.key: nothing}


def test_a_directory_has_the_row_of_the_newest_rules(rows: SoftwareRows) -> None:
    newer = replace(ROOT, detection="10", metadata=codemeta(name="b"))
    rows.write(Changes(directories=[ROOT]))
    rows.write(Changes(directories=[newer]))
    assert rows.directories([DIRECTORY]) == {DIRECTORY: newer}


def test_a_tombstone_has_the_time_of_its_writing(rows: SoftwareRows, store: SoftwareStore) -> None:
    gone = OriginRow(URL, {}, "", head="swh:1:rev:5", branch="HEAD", reason="branch")
    rows.write(ALL)
    rows.write(Changes(origins=[gone]))
    assert rows.origins([URL]) == {URL: gone}
    assert store.get(OriginMetadataRow, [URL])[0].tombstone == NOON
