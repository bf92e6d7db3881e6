"""Conditions that options name."""

from datetime import date

from indexer.search.language.tree import Between, OneOf
from indexer.stories.indexing.filters import filters


def test_nothing_given_is_no_condition() -> None:
    assert filters() == []


def test_the_last_day_is_included() -> None:
    day = date(2024, 2, 29)
    assert filters(start=day) == [Between("publication_date", "2024-02-29", None)]
    assert filters(end=day) == [Between("publication_date", None, "2024-03-01")]
    assert filters(end=date.max) == [Between("publication_date", None, None)]


def test_values_are_in_lower_case() -> None:
    assert filters(languages=["EN"], domains=["BBC.co.uk", "a.b"]) == [
        OneOf("language", ("en",)),
        OneOf("canonical_domain", ("bbc.co.uk", "a.b")),
    ]
