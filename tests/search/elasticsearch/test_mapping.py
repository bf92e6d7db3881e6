"""The mapping that follows from a schema, and documents of other programs."""

from typing import Any

from indexer.search.elasticsearch.mapping import absent, conflicts, document, mappings, slow_urls
from indexer.search.language.schema import FieldType
from indexer.stories.indexing.fields import STORY_FIELDS
from tests.each_row import each_row
from tests.search.elasticsearch.production import MAPPINGS
from tests.search.schemas import DATASETS, EXTENDED


def test_the_mapping_of_stories_is_the_one_in_production() -> None:
    assert mappings(STORY_FIELDS) == MAPPINGS


def test_a_server_without_wildcards_has_keywords_of_a_bounded_length() -> None:
    url = mappings(STORY_FIELDS, wildcard=False)["properties"]["url"]
    assert url == {"type": "keyword", "ignore_above": 8191}


@each_row(
    ("property", "says"),
    [
        ({"type": "wildcard"}, ""),
        ({"type": "keyword"}, "url:*word* is slow in a large index"),
        ({"type": "keyword", "ignore_above": 8191}, "of more than 8191 characters are not found"),
        ({}, ""),
    ],
)
def test_an_index_whose_urls_are_keywords_has_limits(property: dict[str, Any], says: str) -> None:
    lines = slow_urls(STORY_FIELDS, "old", {"url": property})
    assert [line.startswith("old: `url` is a `keyword`: ") for line in lines] == [True] * bool(says)
    assert says in "".join(lines)
    assert slow_urls(STORY_FIELDS, "empty", {}) == []


def test_every_type_but_the_stored_one_has_a_mapping() -> None:
    stored = {field.name for field in EXTENDED.of(FieldType.STORED)}
    assert mappings(EXTENDED)["properties"].keys() == {*EXTENDED.names} - stored


def test_an_index_of_an_earlier_version_lacks_fields() -> None:
    there = mappings(STORY_FIELDS)["properties"]
    assert absent(STORY_FIELDS, there) == []
    assert absent(EXTENDED, there)[0] == "description"
    assert len(absent(EXTENDED, there)) == 9


@each_row(
    ("name", "property", "lines"),
    [
        ("url", {"type": "keyword"}, []),
        ("indexed_date", {"type": "date"}, []),
        ("language", {"type": "keyword", "ignore_above": 10}, []),
        ("image", {"type": "long"}, []),
        ("unknown", {"type": "long"}, []),
        ("language", {"type": "text"}, ["language is of type text, and has to be keyword"]),
        ("tags", {"properties": {}}, ["tags is of type object, and has to be keyword"]),
    ],
)
def test_a_field_of_another_type_is_a_conflict(
    name: str, property: dict[str, Any], lines: list[str]
) -> None:
    assert conflicts(EXTENDED, {name: property}) == lines


@each_row(
    ("name", "value", "read"),
    [
        ("doi", 5, "5"),
        ("licenses", "mit", ["mit"]),
        ("licenses", [1, "mit"], ["1", "mit"]),
        ("files", "12", 12),
        ("files", "many", None),
        ("files", [1, 2], None),
        ("share", "0.5", 0.5),
        ("share", {}, None),
        ("open", "true", True),
        ("open", False, False),
        ("manifest", [None], [None]),
        ("manifest", None, None),
        ("other", "x", None),
    ],
)
def test_a_value_of_another_program_is_read_in_the_form_of_its_field(
    name: str, value: Any, read: Any
) -> None:
    found = document({"_id": "a", "_source": {name: value}}, DATASETS)
    assert (found.id, found.get(name)) == ("a", read)


def test_a_document_without_a_source_is_empty() -> None:
    assert document({"_id": "a"}, DATASETS).values == {}
