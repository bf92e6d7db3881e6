"""A line in the table adds a field to every index, also to one that has documents already."""

import json
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from elasticsearch import Elasticsearch

from indexer.errors import QueryError
from indexer.search import SearchIndex, open_index
from indexer.search.elasticsearch.admin.conf import Configuration, Part, WantedSetup
from indexer.search.elasticsearch.setup import settings
from indexer.search.export import columns, csv_row, json_line
from indexer.search.language.query import Query
from indexer.search.language.schema import Json, Schema, Sort
from indexer.stories.indexing.fields import STORY_FIELDS
from tests.patience import PATIENCE
from tests.search.corpus import fill, found, story
from tests.search.schemas import ADDED, EXTENDED
from tests.search.servers import Place

VALUES: dict[str, Json] = {
    "description": "A bridge of stone",
    "section": "local",
    "tags": ["Bridges", "Old town"],
    "final_url": "https://www.site.example/new?a=1",
    "corrected": "2024-02-03",
    "published_at": "2024-01-01T08:00:00.000000",
    "words": 612,
    "copied": 0.25,
    "paywalled": False,
    "image": {"url": "https://site.example/1.png", "width": 600},
}

QUERIES = [
    ("stone", "new"),
    ("description:brid*", "new"),
    ("bridge", "new old"),
    ('title:"bridge of stone"', ""),
    ("section:LOCAL", "new"),
    ('tag:"Old town"', "new"),
    ("tags:Bridge*", "new"),
    ("final_url:*.site.example/*", "new"),
    ("corrected:[2024-02 TO *]", "new"),
    ("published_at:2024-01-01", "new"),
    ("words:[600 TO 700]", "new"),
    ("copied:{0 TO 0.25]", "new"),
    ("paywalled:false", "new"),
    ("-words:*", "old"),
    ("title:title", "new old"),
    ("date:2024", "new old"),
]


def configure(url: str, schema: Schema) -> dict[str, Part]:
    """Run `elastic-conf` for these fields."""
    given = settings(url)
    with closing(Elasticsearch(list(given.hosts), request_timeout=PATIENCE)) as client:
        parts = Configuration(client, given, schema, WantedSetup()).parts()
        return {part.part: part for part in parts}


@pytest.fixture
def extended(url: str) -> Iterator[SearchIndex]:
    """An index of stories that was made before its family had more fields."""
    with closing(open_index(url, STORY_FIELDS)) as before:
        fill(before, story("old", "An old bridge"))
    if url.startswith("http"):
        configure(url, EXTENDED)
    with closing(open_index(url, EXTENDED)) as index:
        fill(index, story("new", "Some text", **VALUES))
        yield index


def test_new_fields_are_stored_and_searched_and_older_documents_lack_them(
    extended: SearchIndex,
) -> None:
    assert extended.get("new") == story("new", "Some text", **VALUES)
    assert extended.get("old") == story("old", "An old bridge")
    hits = {query: " ".join(sorted(found(extended, query))) for query, _ in QUERIES}
    assert hits == dict(QUERIES)


def test_older_documents_get_the_new_fields_by_an_update(extended: SearchIndex) -> None:
    extended.update([story("old", "An old bridge", **VALUES | {"words": 3})])
    extended.refresh()
    assert found(extended, "*", sort=(Sort("words"),)) == ["old", "new"]
    assert sorted(found(extended, "stone")) == ["new", "old"]


def test_documents_of_before_are_deleted_with_their_words(extended: SearchIndex) -> None:
    assert [each.erasure.value for each in extended.delete(["old", "new"])] == ["deleted"] * 2
    fill(extended, story("old", "Another"))
    assert [found(extended, word) for word in ("bridge", "stone", "another")] == [[], [], ["old"]]


def test_hits_are_sorted_by_a_new_field(extended: SearchIndex) -> None:
    sortable = [field.name for field in ADDED if field.sortable]
    assert len(sortable) == 6
    for name in sortable:
        assert found(extended, "*", sort=(Sort(name),)) == ["new", "old"]


def test_new_fields_are_exported(extended: SearchIndex) -> None:
    [hit] = extended.search(Query("stone"))
    line = json.loads(json_line(hit, EXTENDED))
    assert {name: line[name] for name in VALUES} == VALUES
    names = columns(EXTENDED)
    assert names[:7] == (*columns(STORY_FIELDS)[:6], "description")
    cells = dict(zip(names, csv_row(hit, names), strict=True))
    assert (cells["tags"], cells["words"], cells["copied"]) == ("Bridges; Old town", "612", "0.25")
    assert "image" not in cells


def test_errors_of_queries_name_the_new_fields(extended: SearchIndex) -> None:
    with pytest.raises(QueryError, match=r"the fields are .*description, section, tags, tag"):
        extended.count(Query("nothing:x"))


def test_a_search_migrates_a_file_too(sqlite_index_url: str) -> None:
    with closing(open_index(sqlite_index_url, STORY_FIELDS)) as before:
        fill(before, story("old", "An old bridge"))
    for _ in range(2):
        assert found(open_index(sqlite_index_url, EXTENDED), "bridge -words:*") == ["old"]


@pytest.mark.external
def test_the_configuration_adds_fields_to_existing_indices_once(
    elasticsearch_index_url: str,
) -> None:
    configure(elasticsearch_index_url, STORY_FIELDS)
    first, second = (configure(elasticsearch_index_url, EXTENDED)["mapping"] for _ in range(2))
    assert (first.change.value, second.change.value) == ("changed", "unchanged")
    assert "new fields: copied, corrected, description" in first.why


@pytest.mark.external
def test_the_configuration_refuses_a_field_of_another_type(place: Place) -> None:
    configure(place.url, STORY_FIELDS)
    properties: dict[str, dict[str, Any]] = {
        "words": {"type": "keyword"},
        "tags": {"properties": {"a": {"type": "long"}}},
    }
    place.server.indices.put_mapping(index=place.alias, properties=properties)
    found = configure(place.url, EXTENDED)["mapping"]
    assert found.change.value == "failed"
    assert found.why.startswith(f"{place.alias}-000001: tags is of type object, and has to be keyw")
    assert "words is of type keyword, and has to be long" in found.why
    assert "elastic-reindex" in found.why
