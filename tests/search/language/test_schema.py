"""The table of fields: what it refuses, and what follows from it."""

from dataclasses import replace

import pytest

from indexer.search.language.schema import Field, FieldType, Schema, Sort
from tests.each_row import each_row
from tests.search.schemas import DATASETS, EXTENDED

TEXT, KEYWORD = FieldType.TEXT, FieldType.KEYWORD


@each_row("name", ["", "Title", "2nd", "a b", 'a"b', "a-b", "é", "_id", *["id", "number", "rank"]])
def test_a_name_that_a_backend_can_not_have_is_refused(name: str) -> None:
    for names in ({"name": name}, {"name": "title", "aliases": (name,)}):
        with pytest.raises(ValueError, match="not a name of a field"):
            Field(type=TEXT, **names)


@each_row(
    ("changes", "why"),
    [
        ({"fields": (*DATASETS.fields, Field("bytes", KEYWORD))}, "the same name: bytes"),
        ({"order": (Sort("nothing"),)}, "not a field: nothing"),
        ({"identity": ("nothing",)}, "not a field: nothing"),
        ({"snippet": "nothing"}, "not a field: nothing"),
    ],
)
def test_a_schema_names_its_own_fields_once(changes: dict[str, object], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        replace(DATASETS, **changes)  # type: ignore[arg-type]  # a table


def test_only_texts_have_words_to_search_by_default() -> None:
    with pytest.raises(ValueError, match="section is not a text"):
        Field("section", KEYWORD, default=True)


def test_a_text_is_not_called_as_the_table_of_words() -> None:
    with pytest.raises(ValueError, match="table of words"):
        Field("words", TEXT)


def test_the_type_says_what_a_query_can_do_with_a_field() -> None:
    found = {
        field.type.value: "".join(
            letter
            for letter, is_so in zip(
                "fsr", (field.searchable, field.sortable, field.has_ranges), strict=True
            )
            if is_so
        )
        for field in EXTENDED.fields
    }
    assert found == {
        "text": "f",
        "keyword": "fs",
        "keywords": "f",
        "url": "f",
        "date": "fsr",
        "timestamp": "fsr",
        "integer": "fsr",
        "float": "fsr",
        "boolean": "fs",
        "stored": "",
    }


def test_a_schema_without_any_attribute_is_enough() -> None:
    schema = Schema((Field("title", TEXT),))
    assert (schema.default, schema.snippet, schema.order) == ((), "", ())
