"""Entries of an rss-fetcher, and the stories they stand for."""

import json
from typing import Any

import pytest

from indexer.errors import InputError
from indexer.stories.queuers.rss_entries import EntryRow, check_order
from indexer.stories.story import RSSEntry
from tests.each_row import each_row
from tests.stories.rss_fetcher_server import entry


def rss_entry(**changed: Any) -> RSSEntry:
    """What a story has of a row."""
    return EntryRow(entry(7) | changed).story("rss.example:8000").rss_entry


def test_all_fields_of_an_entry_are_the_storys() -> None:
    assert rss_entry() == RSSEntry(
        link="https://site7.example/7",
        title="Title 7",
        domain="site7.example",
        pub_date="Fri, 01 Mar 2024 23:59:58 +0000",
        fetch_date="2024-03-02",
        source_url="https://site7.example/feed",
        source_feed_id=1007,
        source_source_id=7,
        via="7@rss.example:8000",
    )


def test_what_is_missing_is_none() -> None:
    assert EntryRow({"id": 7}).story("s") == EntryRow(dict.fromkeys(entry(7)) | {"id": 7}).story(
        "s"
    )
    assert EntryRow({"id": 7}).story("s").rss_entry == RSSEntry(via="7@s")


@pytest.mark.parametrize(
    ("sent", "number"),
    [(7, 7), ("7", 7), (" 7 ", 7), (0, 0), (10**18 - 1, 10**18 - 1)],
)
def test_an_id_is_a_number_or_the_text_of_one(sent: object, number: int) -> None:
    assert EntryRow({"id": sent}).id == number


@each_row("sent", [None, -7, "x7", 7.5, True, [7], {}, "", 10**18, "٧"])
def test_all_else_is_no_id(sent: object) -> None:
    assert EntryRow({"id": sent}).id is None


@pytest.mark.parametrize("field", ["title", "published_at", "domain", "feed_id", "feed_url"])
@pytest.mark.parametrize("value", [[], {"a": 1}, False, 1.5, ""])
def test_a_field_that_is_not_what_it_should_be_costs_only_itself(field: str, value: object) -> None:
    entry = rss_entry(**{field: value})
    fields = {"published_at": "pub_date", "feed_id": "source_feed_id", "feed_url": "source_url"}
    assert getattr(entry, fields.get(field, field)) is None
    assert (entry.link, entry.source_source_id) == ("https://site7.example/7", 7)


@each_row(
    ("fetched", "day"),
    [
        ("2024-03-02T00:10:20.123456", "2024-03-02"),
        ("2024-03-02 23:59:59", "2024-03-02"),
        ("2024-03-02T00:10:20+02:00", "2024-03-01"),
        ("2024-03-02T00:10:20Z", "2024-03-02"),
        ("2024-03-02", "2024-03-02"),
        ("0001-01-01T00:00:00+05:00", None),
        ("yesterday", None),
        (None, None),
    ],
)
def test_the_day_of_fetching_is_that_of_utc(fetched: str | None, day: str | None) -> None:
    assert rss_entry(fetched_at=fetched).fetch_date == day


def test_text_is_cleaned_before_it_is_a_storys() -> None:
    sent = json.loads(r'"a\u0000b\ud800c\u001b[2J\nd"')
    found = (
        EntryRow(dict.fromkeys(("title", "domain", "url", "feed_url"), sent)).story("s").rss_entry
    )
    assert (found.title, found.domain) == ("abc[2J d", "abc[2J d")
    assert (found.link, found.source_url) == ("abc[2Jd", "abc[2Jd")
    assert len(rss_entry(title="x" * 99_999).title or "") == 1000


def test_dates_are_those_of_rfc_2822_or_as_they_were() -> None:
    assert rss_entry(published_at="2024-03-01T23:59:58+05:30").pub_date == (
        "Fri, 01 Mar 2024 23:59:58 +0530"
    )
    assert rss_entry(published_at="soon\n").pub_date == "soon"


@pytest.mark.parametrize("ids", [[5, 6], [3, 5], [None, 5, None], [5, 5], [5]])
def test_a_full_page_that_goes_on_is_in_order(ids: list[int | None]) -> None:
    check_order([EntryRow({"id": each}) for each in ids], 5)


@pytest.mark.parametrize(
    ("ids", "why"),
    [
        ([6, 5], "not in the order"),
        ([5, 9, None, 6], "not in the order"),
        ([3, 4], "would return the same page"),
        ([None, None], "would return the same page"),
    ],
)
def test_a_full_page_that_leads_nowhere_is_an_error(ids: list[int | None], why: str) -> None:
    with pytest.raises(InputError, match=why):
        check_order([EntryRow({"id": each}) for each in ids], 5)
