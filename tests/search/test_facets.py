"""Every index counts the same values of keyword fields."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

import pytest

from indexer.errors import QueryError
from indexer.search import SearchIndex, open_index
from indexer.search.language.query import Query
from indexer.search.language.tree import Between
from tests.search.corpus import document, fill, found, story
from tests.search.schemas import DATASETS, EXTENDED


@pytest.fixture
def datasets(url: str) -> Iterator[SearchIndex]:
    """Five datasets with licences."""
    with closing(open_index(url, DATASETS)) as index:
        lists = [["mit"], ["mit", "apache-2.0"], ["apache-2.0", "apache-2.0"], ["é"], None]
        fill(
            index,
            *(document(f"{n}", doi=f"d/{n}", licenses=each, sha1="x") for n, each in
              enumerate(lists)),
        )  # fmt: skip
        yield index


def test_values_come_with_the_number_of_hits_most_first_then_in_order(
    datasets: SearchIndex,
) -> None:
    assert datasets.facets(Query(), ["licenses", "sha1"]) == {
        "licenses": [("apache-2.0", 2), ("mit", 2), ("é", 1)],
        "sha1": [("x", 5)],
    }


def test_only_hits_are_counted_and_a_limit_does_not_count(datasets: SearchIndex) -> None:
    query = Query("license:mit", limit=1)
    assert datasets.facets(query, ["licenses"])["licenses"] == [("mit", 2), ("apache-2.0", 1)]
    assert datasets.facets(Query("license:no"), ["licenses", "doi"]) == {"licenses": [], "doi": []}


def test_the_most_common_values_are_kept(datasets: SearchIndex) -> None:
    assert datasets.facets(Query(), ["licenses", "doi"], 1) == {
        "licenses": [("apache-2.0", 2)],
        "doi": [("d/0", 1)],
    }
    assert datasets.facets(Query(), []) == {}


def test_hits_of_words_are_counted_too(url: str) -> None:
    with closing(open_index(url, EXTENDED)) as index:
        fill(index, *(story(f"{n}", "flood", tags=[f"t{n % 2}"]) for n in range(3)), story("z"))
        assert index.facets(Query("flood"), ["tags"]) == {"tags": [("t0", 2), ("t1", 1)]}


def test_values_of_counted_fields_are_the_same(url: str) -> None:
    counted = replace(EXTENDED, fields=tuple(
        replace(field, counted=field.name in ("tags", "section")) for field in EXTENDED.fields
    ))  # fmt: skip
    stories = [story(f"{n}", "flood", tags=[f"t{n % 2}"], section="s") for n in range(3)]
    with closing(open_index(url, EXTENDED)) as index:
        fill(index, *stories[:2])
    with closing(open_index(url, counted)) as index:
        fill(index, *stories[2:])
        expected = {"tags": [("t0", 2), ("t1", 1)], "section": [("s", 3)]}
        for text in ("flood", "*", "flood language:en", "-tag:t7"):
            assert index.facets(Query(text), ["tags", "section"]) == expected
        assert index.facets(Query("flood"), ["tags", "language"])["language"] == [("en", 3)]


@pytest.mark.parametrize("field", ["size", "page", "manifest", "nothing"])
def test_values_of_other_fields_can_not_be_counted(datasets: SearchIndex, field: str) -> None:
    with pytest.raises(QueryError, match=f"{field} can't be counted"):
        datasets.facets(Query(), [field])


def test_keywords_have_ranges_so_a_list_can_be_read_on_from_any_of_its_keys(
    datasets: SearchIndex,
) -> None:
    after = Between("doi", "d/2\x00", None)
    hits = datasets.search(Query(filters=[after], limit=None))
    assert sorted(hit.document.id for hit in hits) == ["3", "4"]
    assert sorted(found(datasets)) == ["0", "1", "2", "3", "4"]
