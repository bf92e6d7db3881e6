"""Origins by producer, and their numbers, on both databases (spec 8.1)."""

from typing import Any

import pytest

from indexer.software.store.origins import all_urls, by_producer, origins, statistics
from indexer.software.store.rows import ExtrinsicMetadataRow
from indexer.software.store.store import SoftwareStore
from tests.software.store.stores import NEW, OLD, codemeta, origin, tombstone

URLS = [f"https://git.example/{name}" for name in ("B", "a", "b", "c_d", "c-e")]


@pytest.fixture
def filled(store: SoftwareStore) -> SoftwareStore:
    mappings = [("npm",), ("npm", "cff"), ("cff",), ("maven",), ("npm",)]
    rows = zip(URLS, mappings, strict=True)
    store.add([origin(store, url, *names, name=url) for url, names in rows])
    return store


def urls(store: SoftwareStore, **given: Any) -> list[str]:
    return [row.id for row in by_producer(store, **given).rows]


def test_pages_have_each_origin_once_in_the_order_of_urls(filled: SoftwareStore) -> None:
    """The trap of spec 8.1: no ORDER BY. Upper case comes first: the order is that of bytes."""
    found, token = [], ""
    for _ in range(3):
        page = by_producer(filled, token, 2)
        found.append([row.id for row in page.rows])
        token = page.next or ""
    ordered = sorted(URLS)
    assert found == [ordered[:2], ordered[2:4], ordered[4:]]
    assert token == ""


@pytest.mark.parametrize(
    ("mappings", "names"),
    [(["cff"], "a b"), (["cff", "maven"], "a b c_d"), (["gemspec"], ""), ([], "B a b c-e c_d")],
)
def test_origins_have_any_of_the_mappings(
    filled: SoftwareStore, mappings: list[str], names: str
) -> None:
    found = urls(filled, mappings=mappings)
    assert found == [f"https://git.example/{name}" for name in names.split()]


def test_an_origin_under_two_records_is_one_hit_that_of_the_newest(filled: SoftwareStore) -> None:
    """The trap of spec 8.1."""
    filled.add([origin(filled, URLS[0], "npm", name="new", record=NEW)])
    page = by_producer(filled, limit=1)
    assert [row.metadata and row.metadata["name"] for row in page.rows] == ["new"]
    assert page.next == URLS[0]
    assert urls(filled, records=[filled.configuration(NEW)]) == URLS[:1]
    assert len(urls(filled, records=[filled.configuration(OLD)])) == 5


def test_tombstones_are_no_hits(filled: SoftwareStore) -> None:
    filled.add([tombstone(filled, url) for url in URLS[:4]])
    assert urls(filled) == URLS[4:]


def test_statistics_know_all_mappings_they_are_asked_for(filled: SoftwareStore) -> None:
    """The trap of spec 8.1: six names only."""
    filled.add([origin(filled, URLS[0], "npm", name="new", record=NEW), origin(filled, "x:y")])
    filled.add([tombstone(filled, URLS[4])])
    found = statistics(filled, ["npm", "cff", "cargo"])
    assert (found.total, found.non_empty) == (6, 4)
    assert found.per_mapping == {"npm": 2, "cff": 2, "cargo": 0}


def test_the_rows_of_an_origin_come_together(filled: SoftwareStore) -> None:
    number = filled.configuration(OLD)
    rows = [
        ExtrinsicMetadataRow(URLS[0], number, authority, "github", codemeta(name=authority))
        for authority in ("https://a.example", "https://b.example")
    ]
    only_there = ExtrinsicMetadataRow("https://z.example/z", number, "https://z.example", "gitea")
    filled.add([*rows, only_there])
    first, second = origins(filled, [URLS[0], "https://nowhere.example", only_there.id])
    assert first.intrinsic is not None
    assert first.extrinsic == tuple(rows)
    assert (second.intrinsic, second.extrinsic) == (None, (only_there,))
    assert all_urls(filled, limit=100) == sorted([*URLS, only_there.id])
    assert all_urls(filled, after=sorted(URLS)[-1]) == [only_there.id]
    assert all_urls(filled, limit=2) == sorted(URLS)[:2]
