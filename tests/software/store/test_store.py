"""The promises of the store, on both databases (spec 8)."""

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from indexer.errors import DuplicateId, RefusedValue
from indexer.software.store.program_record import ProgramRecord, translator
from indexer.software.store.rows import (
    ContentMetadataRow,
    DirectoryMetadataRow,
    ExtrinsicMetadataRow,
    OriginMetadataRow,
)
from indexer.software.store.store import SoftwareStore
from tests.software.store.stores import NEW, OLD, codemeta, content, directory, origin, tombstone

URL = "https://git.example/a"


def extrinsic(store: SoftwareStore, authority: str, format: str = "github", **terms: Any) -> Any:
    number = store.configuration(OLD)
    return ExtrinsicMetadataRow(
        URL, number, authority, format, codemeta(**terms), (format,), "swh:1:emd:1"
    )


def test_a_row_comes_back_as_it_was(store: SoftwareStore) -> None:
    rows = [
        content(store, "a1", name="a"),
        directory(store, "b1", "npm", "cff", name="b"),
        origin(store, URL, "npm", name="c", author=[{"type": "Person", "name": "É"}]),
        extrinsic(store, "https://git.example", name="d"),
    ]
    store.add(rows)
    kinds = (ContentMetadataRow, DirectoryMetadataRow, OriginMetadataRow, ExtrinsicMetadataRow)
    assert [row for kind in kinds for row in store.get(kind, ["a1", "b1", URL])] == rows  # type: ignore[type-var]  # of each kind


def test_adding_tells_the_ids_of_new_and_changed_rows_by_table(store: SoftwareStore) -> None:
    store.add([content(store, "a", name="x"), content(store, "b", name="x")])
    rows = [content(store, "b", name="y"), content(store, "a", name="x"), content(store, "c")]
    assert store.add([*rows, directory(store, "d", "npm", name="x")]) == {
        "content_metadata": ["b", "c"],
        "directory_intrinsic_metadata": ["d"],
    }


@pytest.mark.parametrize(
    "change", [{"mappings": ("cff",)}, {"from_directory": "f" * 40}, {"head": None}, {}]
)
def test_only_a_row_that_differs_is_written(store: SoftwareStore, change: dict[str, Any]) -> None:
    row = origin(store, URL, "npm", name="a")
    store.add([row])
    expected = {"origin_intrinsic_metadata": [URL] if change else []}
    assert store.add([replace(row, **change)]) == expected


def test_the_order_of_keys_is_no_change_and_the_same_on_each_database(store: SoftwareStore) -> None:
    one = {"version": "1", "name": "a", "type": "SoftwareSourceCode", "aZ": {"name": 1, "id": 2}}
    number = store.configuration(OLD)
    store.add([ContentMetadataRow("a", number, one)])
    again = ContentMetadataRow("a", number, dict(reversed(one.items())))
    assert store.add([again]) == {"content_metadata": []}
    assert msgspec.json.encode(store.get(ContentMetadataRow, ["a"])[0].metadata) == (
        b'{"type":"SoftwareSourceCode","name":"a","version":"1","aZ":{"id":2,"name":1}}'
    )


def test_two_rows_of_one_key_are_an_error_and_nothing_is_written(store: SoftwareStore) -> None:
    with pytest.raises(DuplicateId, match="content_metadata"):
        store.add([content(store, "b"), content(store, "a", name="1"), content(store, "a")])
    assert store.get(ContentMetadataRow, ["a", "b"]) == []


def test_keys_that_are_equal_without_nuls_are_one_key(store: SoftwareStore) -> None:
    with pytest.raises(DuplicateId):
        store.add([content(store, "a"), content(store, "a\x00")])


def test_nuls_and_half_characters_are_removed_from_texts_and_keys(store: SoftwareStore) -> None:
    store.add([content(store, "a\x00", name="x\x00y", **{"k\x00": ["\ud83d!", {"\x00": 1.5}]})])
    found = store.get(ContentMetadataRow, ["a"])[0]
    assert found.metadata == codemeta(name="xy", k=["\ufffd!", {"": 1.5}])


@pytest.mark.parametrize(
    "document", [None, {}, {"@context": "c"}, codemeta(), codemeta(id="https://a.example")]
)
def test_a_document_that_states_nothing_is_none(store: SoftwareStore, document: Any) -> None:
    """The traps of spec 2.1 and 2.3: a type is no metadata, and nothing found is remembered."""
    number = store.configuration(OLD)
    assert store.add([ContentMetadataRow("a", number, document)]) == {"content_metadata": ["a"]}
    assert store.get(ContentMetadataRow, ["a"]) == [ContentMetadataRow("a", number, None)]
    assert store.missing(ContentMetadataRow, [("a", number)]) == []


def test_missing_are_the_ids_without_a_row_of_that_record_in_their_order(
    store: SoftwareStore,
) -> None:
    """The trap of spec 2.2: a row of another mapping or version is no answer."""
    old, new = store.configuration(OLD), store.configuration(NEW)
    store.add([content(store, "b", name="x")])
    keys = [("c", old), ("b", new), ("b", old), ("a", old), ("c", old)]
    assert store.missing(ContentMetadataRow, keys) == [("c", old), ("b", new), ("a", old)]


def test_get_returns_the_rows_of_all_records_or_of_one(store: SoftwareStore) -> None:
    rows = [origin(store, URL, "npm", name=name, record=record) for name, record in
            (("a", OLD), ("b", NEW))]  # fmt: skip
    store.add(rows)
    assert store.get(OriginMetadataRow, [URL]) == rows
    assert store.get(OriginMetadataRow, [URL], store.configuration(NEW)) == rows[1:]
    assert store.get(OriginMetadataRow, []) == []


def test_authorities_do_not_overwrite_each_other(store: SoftwareStore) -> None:
    """The trap of spec 2.4."""
    rows = [extrinsic(store, "https://git.example", name="a"),
            extrinsic(store, "https://deposit.example", "sword-codemeta", name="b")]  # fmt: skip
    store.add(rows)
    assert len(store.get(ExtrinsicMetadataRow, [URL])) == 2


def test_a_record_has_one_number(store: SoftwareStore) -> None:
    record = ProgramRecord("a", "1", {"x": 1, "context": "NpmMapping"})
    same = ProgramRecord("a", "1", {"context": "NpmMapping", "x": 1})
    first = store.configuration(record)
    others = {store.configuration(OLD), store.configuration(NEW)}
    assert store.configuration(same) == first
    assert first not in others
    assert len(others) == 2


def test_each_format_has_a_version_of_its_own(store: SoftwareStore) -> None:
    """The trap of spec 2.5."""
    records = [
        translator("NpmMapping", 1),
        translator("NpmMapping", 2),
        translator("CffMapping", 1),
    ]
    numbers = [store.configuration(record) for record in records]
    assert len(set(numbers)) == 3
    assert store.records(numbers) == dict(zip(numbers, records, strict=True))


def test_a_tombstone_takes_the_place_of_metadata_and_back(store: SoftwareStore) -> None:
    """The trap of spec 2.1: rows are never deleted."""
    row, gone = origin(store, URL, "npm", name="a"), tombstone(store, URL)
    for each in (row, gone, row):
        assert store.add([each]) == {"origin_intrinsic_metadata": [URL]}
        assert store.get(OriginMetadataRow, [URL]) == [each]


@pytest.mark.parametrize("id", ["", "https://git.example/" + "x" * 2600])
def test_a_key_that_no_index_holds_is_refused(store: SoftwareStore, id: str) -> None:
    with pytest.raises(RefusedValue):
        store.add([origin(store, id, name="a")])


def test_a_row_of_no_record_is_refused(store: SoftwareStore) -> None:
    with pytest.raises(RefusedValue):
        store.add([ContentMetadataRow("a", 77, codemeta(name="a"))])


def test_no_rows_are_no_write(store: SoftwareStore) -> None:
    assert store.add([]) == {}
