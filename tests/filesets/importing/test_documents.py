"""Datasets in the search index: found by title, creator, DOI and file name, beside the stories."""

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from indexer.errors import Discard, Quarantine, Retry
from indexer.filesets.importing.documents import (
    DATASET_FIELDS,
    MAX_TEXT,
    dataset_document,
    write_datasets,
)
from indexer.messages.worker import Done
from indexer.search import Added, Document, IndexAnswer, SearchIndex, open_index
from indexer.stories.indexing.fields import STORY_FIELDS
from tests.each_row import each_row
from tests.filesets.persisting.results import fileset_result, manifest_file
from tests.search.corpus import fill, found, story
from tests.search.servers import own_place

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)

META = {
    "title": "River gauges of <i>Velmora</i>",
    "creator": ["Okonjo, Adaeze", "Lindqvist, Bo"],
    "date": "2024-03-15",
    "doi": "10.5072/zenodo.7",
    "description": "<p>Readings of a river &amp; its lakes.</p>",
}


def result(**given: Any) -> dict[str, Any]:
    return fileset_result(
        archiveorg_item_meta=META,
        platform_version="v1",
        manifest=[manifest_file("sub dir/raw_values.csv")],
        **given,
    )


@pytest.fixture(params=["sqlite", pytest.param("elasticsearch", marks=pytest.mark.external)])
def index_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of an index that does not exist yet."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'index.sqlite3'}"
        return
    with own_place(request.getfixturevalue("elasticsearch_url")) as place:
        yield place.url


def write(index: SearchIndex, *results: dict[str, Any]) -> list[str]:
    documents = [dataset_document(each, NOW) for each in results]
    statuses = [ending.status for ending in write_datasets(index, documents)]
    index.refresh()
    return statuses


@pytest.mark.parametrize("datasets_first", [True, False])
def test_one_search_finds_datasets_and_stories(index_url: str, datasets_first: bool) -> None:
    def datasets() -> None:
        with closing(open_index(index_url, DATASET_FIELDS)) as index:
            assert write(index, result()) == ["created"]

    def stories() -> None:
        with closing(open_index(index_url, STORY_FIELDS)) as index:
            fill(index, story("one", "A river rose.", article_title="Flood"))

    for act in (datasets, stories) if datasets_first else (stories, datasets):
        act()
    dataset = dataset_document(result(), NOW).id
    with closing(open_index(index_url, STORY_FIELDS)) as index:
        assert sorted(found(index, "river")) == sorted(["one", dataset])
        for query in (
            "title:gauges",
            "velmora",
            "lindqvist",
            "10.5072/zenodo.7",
            "url:https://zenodo.org/records/7",
            '"dataset zenodo"',
            "raw_values.csv",
            "raw values",
            "domain:zenodo.org date:2024-03",
            "lakes",
        ):
            assert found(index, query) == [dataset], query


def test_a_dataset_that_is_indexed_again_is_replaced(index_url: str) -> None:
    with closing(open_index(index_url, DATASET_FIELDS)) as index:
        renamed = result() | {"archiveorg_item_meta": META | {"title": "Another"}}
        assert write(index, result(), renamed) == ["dups", "created"]
        assert write(index, result(status="success-existing")) == ["updated"]
        assert write(index, result(platform_id="8")) == ["created"]
        assert len(found(index, "title:gauges")) == 2
        assert found(index, "another") == []


def test_the_fields_are_those_of_stories() -> None:
    assert set(DATASET_FIELDS.fields) <= set(STORY_FIELDS.fields)
    for name in ("order", "identity", "snippet"):
        assert getattr(DATASET_FIELDS, name) == getattr(STORY_FIELDS, name)


def test_the_values_of_a_dataset() -> None:
    assert dataset_document(result(), NOW).values == {
        "publication_date": "2024-03-15",
        "article_title": "River gauges of Velmora",
        "canonical_domain": "zenodo.org",
        "url": "https://zenodo.org/records/7",
        "indexed_date": "2026-11-22T12:00:00.000000",
        "text_content": "Readings of a river & its lakes.\n"
        "Dataset: zenodo 7 v1\n"
        "Creators: Okonjo, Adaeze; Lindqvist, Bo\n"
        "DOI: 10.5072/zenodo.7\n"
        "File: sub dir/raw_values.csv (sub dir raw values csv)",
    }


@each_row(
    ("given", "field", "wanted"),
    [
        ({"html_biblio": {"title": "Of the page"}}, "article_title", "Of the page"),
        ({"html_biblio": {"release_date": "2024-01-02T03:04"}}, "publication_date", "2024-01-02"),
        ({"html_biblio": {"release_date": "2024"}}, "publication_date", None),
        ({"html_biblio": {"doi": "10.1/x"}}, "text_content", "DOI: 10.1/x"),
        ({"request": {"ext_ids": {"doi": "10.1/y"}}}, "text_content", "DOI: 10.1/y"),
        ({"request": {"ext_ids": []}}, "text_content", "Dataset: zenodo 7"),
        ({"platform_base_url": None}, "url", "https://zenodo.org/records/7"),
        ({"platform_base_url": None, "terminal": None}, "url", "https://doi.org/10.5072/zenodo.7"),
        ({"platform_base_url": "https://data.uni.example/d/1"}, "canonical_domain", "uni.example"),
        ({"platform_base_url": "http://[/"}, "canonical_domain", None),
        ({"manifest": None, "html_biblio": {"contrib_names": "Doe"}}, "text_content", "Doe"),
        ({"manifest": [7, {"path": "x" * 9000}] * 99}, "text_content", "Dataset"),
        ({"manifest": [{"path": "a\x00\ud800b"}]}, "text_content", "File: ab (ab)"),
    ],
)
def test_what_the_platform_has_not_told(
    given: dict[str, Any], field: str, wanted: str | None
) -> None:
    value = dataset_document(fileset_result(**given), NOW).get(field)
    assert value is None if wanted is None else wanted in str(value)
    assert len(str(value)) <= MAX_TEXT


@each_row(
    ("given", "status"),
    [
        ({"hit": False, "status": "no-capture"}, "skip-hit"),
        ({"hit": "true"}, "skip-hit"),
        ({"platform_name": None}, "no-platform"),
    ],
)
def test_what_is_no_archived_dataset_is_left_out(given: dict[str, Any], status: str) -> None:
    with pytest.raises(Discard) as error:
        dataset_document(fileset_result(**given), NOW)
    assert error.value.status == status


def test_each_answer_of_the_index_is_an_ending() -> None:
    answers = [
        IndexAnswer(Added.UPDATED),
        IndexAnswer(Added.DUPLICATE),
        IndexAnswer(Added.REFUSED, "busy", again=True),
        IndexAnswer(Added.REFUSED, "too long"),
    ]

    class Index:
        def update(self, _: object) -> list[IndexAnswer]:
            return answers

    index: Any = Index()
    kinds = [(type(each), each.status) for each in write_datasets(index, [Document("a", {})])]
    assert kinds == [
        (Done, "updated"),
        (Done, "dups"),
        (Retry, "retry"),
        (Quarantine, "reqerr"),
    ]
