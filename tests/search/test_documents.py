"""Documents before indexing: what is the same for every backend."""

import pytest

from indexer.search import Document
from indexer.search.documents import Unacceptable, acceptable, is_same
from indexer.search.language.schema import Json
from indexer.stories.indexing.fields import STORY_FIELDS
from tests.each_row import each_row
from tests.search.corpus import story
from tests.search.schemas import DATASETS, EXTENDED
from tests.search.test_schemas import SETS


def test_empty_values_are_absent() -> None:
    given = Document("a", {**story("a").values, "section": "", "tags": [], "copied": None})
    assert acceptable(given, EXTENDED) == story("a")


def test_values_that_are_false_or_zero_are_kept() -> None:
    given = story("a", paywalled=False, words=0, copied=0.0)
    assert acceptable(given, EXTENDED) == given


def test_stored_values_are_those_of_json() -> None:
    given = story("a", image={"sizes": (1, 2)})
    assert acceptable(given, EXTENDED).get("image") == {"sizes": [1, 2]}


def test_all_unknown_fields_are_named() -> None:
    with pytest.raises(Unacceptable, match="the index has no field section, words"):
        acceptable(story("a", words=1, section="x"), STORY_FIELDS)


@each_row(
    ("stored", "same"),
    [
        ({"url": "https://site.example/a", "indexed_date": "2024-01-02T03:04:05.000006"}, True),
        ({"url": "https://site.example/a", "indexed_date": "2024-01-02T03:04:05.000006Z"}, True),
        ({"url": "https://site.example/a", "indexed_date": "2024-01-02"}, False),
        ({"url": "https://site.example/a", "indexed_date": "soon"}, False),
        ({"url": "https://site.example/a"}, False),
        ({"url": 5, "indexed_date": "2024-01-02T03:04:05.000006"}, False),
    ],
)
def test_a_document_is_the_same_if_its_identity_is(stored: dict[str, Json], same: bool) -> None:
    assert is_same(story("a"), stored, STORY_FIELDS) is same


@each_row(
    ("values", "why"),
    [
        ({"doi": None}, "it has no doi"),
        ({"doi": ""}, "it has no doi"),
        ({"title": "x"}, "the index has no field title"),
        ({"doi": 5}, "its doi is not a text"),
        ({"licenses": "mit"}, "its licenses is not a list of texts"),
        ({"licenses": ["mit", 5]}, "its licenses is not a text"),
        ({"licenses": ["\0"]}, "NUL"),
        ({"files": 3.0}, "its files is not a whole number"),
        ({"files": True}, "its files is not a whole number"),
        ({"files": 2**63}, "its files is not a whole number"),
        ({"share": float("nan")}, "its share is not a number"),
        ({"share": 10**400}, "its share is not a number"),
        ({"open": 1}, "its open is not true or false"),
        ({"checked": "2024-02-30"}, "its checked is not a date-time"),
        ({"manifest": {"a": "\ud83d"}}, "its manifest is not a value of JSON"),
        ({"manifest": {1, 2}.__iter__()}, "its manifest is not a value of JSON"),
        ({"manifest": ["x" * 11_000_000] * 2}, "20000000"),
    ],
)
def test_a_value_of_another_type_is_refused(values: dict[str, Json], why: str) -> None:
    with pytest.raises(Unacceptable, match=why):
        acceptable(Document("x", {**SETS[0].values, **values}), DATASETS)
