"""Filters of feeds, and histories."""

from typing import Any

import pytest

from indexer.database import Database
from indexer.errors import InputError
from indexer.feeds.models import fetch_events, stories
from indexer.feeds.registry import finding
from indexer.feeds.registry.finding import (
    FeedFilter,
    FetchEvent,
    count,
    find,
    history,
    named,
    of_source,
    stories_of,
)
from tests.each_row import each_row
from tests.feeds.rows import NOW, add_feeds, later

ROWS: list[dict[str, Any]] = [
    {"sources_id": 7, "name": "Évening News", "system_status": "Working"},
    {"sources_id": 7, "system_status": "HTTP 404 Not Found", "last_fetch_failures": 0.5},
    {"sources_id": 8, "system_status": "HTTP 403", "last_fetch_failures": 2, "active": False},
    {"system_enabled": False, "url": "https://site.example/100%_of_it"},
    {"gone_at": NOW, "next_fetch_attempt": later(60)},
    {"lease_expires": later(60), "queued": True},
    {"removed_at": NOW, "sources_id": 7},
    {"adopted_url": "https://new.example/", "next_fetch_attempt": later(-60)},
]


@pytest.fixture
def filled(feeds_db: Database) -> Database:
    """A database with the feeds of `ROWS`."""
    add_feeds(feeds_db, ROWS)
    return feeds_db


@each_row(
    ("wanted", "ids"),
    [
        (FeedFilter(), [1, 2, 3, 4, 5, 6, 8]),
        (FeedFilter(source=7), [1, 2]),
        (FeedFilter(status="http 4"), [2, 3]),
        (FeedFilter(status="%"), []),
        (FeedFilter(text="evening"), []),
        (FeedFilter(text="NEWS"), [1]),
        (FeedFilter(text="H2.example"), [2]),
        (FeedFilter(text="100%_"), [4]),
        (FeedFilter(failing=True), [2, 3]),
        (FeedFilter(failing=True, disabled=True), [3]),
        (FeedFilter(disabled=True), [3, 4]),
        (FeedFilter(gone=True), [5]),
        (FeedFilter(due=True), [1, 2, 8]),
        (FeedFilter(removed=True), [7]),
        (FeedFilter(removed=True, source=8), []),
    ],
)
def test_all_that_is_asked_for_applies(
    filled: Database, wanted: FeedFilter, ids: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finding, "PORTION", 3)
    assert [feed.id for feed in find(filled, wanted, NOW)] == ids
    assert [feed.id for feed in find(filled, wanted, NOW, 2)] == ids[:2]
    assert count(filled, wanted, NOW) == len(ids)


def test_feeds_are_named_by_ids_and_urls(feeds_db: Database) -> None:
    add_feeds(feeds_db, [*ROWS, {"url": "https://h1.example/feed/1"}])
    found = named(feeds_db, ["7", "https://h1.example/feed/1", "https://new.example/", "7"])
    assert [feed.id for feed in found] == [7, 1, 9, 8]


@each_row("name", ["99", "https://h1.example/", "", "0"])
def test_what_names_no_feed_is_an_error(filled: Database, name: str) -> None:
    with pytest.raises(InputError, match=f"no feed has the id or URL {name}"):
        named(filled, [name])


def test_the_feeds_of_a_source_are_those_that_were_not_removed(feeds_db: Database) -> None:
    add_feeds(feeds_db, ROWS)
    assert of_source(feeds_db, 7) == [1, 2]


def test_a_history_begins_with_the_last_event(feeds_db: Database) -> None:
    rows = [
        {"feed_id": 1, "event": "queued", "note": None, "created_at": NOW, "details": None},
        {
            "feed_id": 1,
            "event": "fetch_failed",
            "note": "HTTP 404",
            "created_at": later(1),
            "details": '{"code": 404}',
        },
        {"feed_id": 2, "event": "queued", "note": "", "created_at": NOW, "details": "broken"},
    ]
    with feeds_db.writing() as connection:
        connection.execute(fetch_events.insert(), rows)
    failed = FetchEvent("fetch_failed", "HTTP 404", later(1), {"code": 404})
    queued = FetchEvent("queued", "", NOW, {})
    assert history(feeds_db, 1) == [failed, queued]
    assert history(feeds_db, 1, 1) == [failed]
    assert history(feeds_db, 2) == [queued]


def test_stories_of_a_feed_are_counted(feeds_db: Database) -> None:
    with feeds_db.writing() as connection:
        rows = [{"feed_id": 1 + number % 2, "identity": str(number)} for number in range(5)]
        connection.execute(stories.insert(), rows)
    assert [stories_of(feeds_db, id) for id in (1, 2, 3)] == [3, 2, 0]
