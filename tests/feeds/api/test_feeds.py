"""The methods about feeds and sources: columns that clients know, and pages."""

from datetime import datetime, timedelta

import pytest

from indexer.database import Database
from indexer.feeds import models
from indexer.feeds.api.feeds import HISTORY, NEWEST
from indexer.feeds.feed import SEED
from tests.feeds.served import (
    NOW,
    TODAY,
    YESTERDAY,
    Ask,
    a_feed,
    a_story,
    add,
    add_stories,
    an_event,
    client,
    pages,
    results,
)


@pytest.fixture
def ask(feeds_db: Database) -> Ask:
    """An API with the feeds 1 to 4: two of source 3, one of another, and a removed one."""
    add(
        feeds_db,
        models.feeds,
        a_feed(
            1,
            created_at=datetime(2020, 1, 1),
            last_fetch_attempt=datetime(2026, 11, 21, 1, 2, 3, 450),
            http_etag='W/"é"',
            poll_minutes=60,
            rate='{"week":[1,2]}',
        ),
        a_feed(2),
        a_feed(3, sources_id=4),
        a_feed(4, removed_at=NOW),
    )
    return client(feeds_db)


def test_a_feed_has_the_columns_that_clients_know_then_ours(ask: Ask) -> None:
    feed = results(ask, "/api/feeds/1")
    assert tuple(feed)[: len(SEED)] == SEED
    assert {name: feed[name] for name in SEED} == {
        "id": 1,
        "sources_id": 3,
        "name": "News 1",
        "url": "https://news1.example/feed.xml",
        "active": True,
        "created_at": "2020-01-01T00:00:00",
        "last_fetch_attempt": "2026-11-21T01:02:03.000450",
        "last_fetch_success": None,
        "last_fetch_hash": None,
        "last_fetch_failures": 0.0,
        "http_etag": 'W/"é"',
        "http_last_modified": None,
        "next_fetch_attempt": None,
        "queued": False,
        "system_enabled": True,
        "update_minutes": None,
        "http_304": None,
        "system_status": None,
        "last_new_stories": None,
        "rss_title": None,
        "poll_minutes": 60,
    }
    assert feed["rate"] == {"week": [1, 2]}


@pytest.mark.parametrize("id", ["99", "-1", "4"])
def test_a_feed_that_is_not_there_or_not_any_more_is_null(ask: Ask, id: str) -> None:
    assert results(ask, f"/api/feeds/{id}") is None


def test_the_feeds_of_a_source_are_rows_like_that_of_one(ask: Ask) -> None:
    found = results(ask, "/api/sources/3/feeds")
    assert [row["id"] for row in found] == [1, 2]
    assert found[0] == results(ask, "/api/feeds/1")
    assert results(ask, "/api/sources/99/feeds") == []


def test_all_feeds_of_a_source_are_there_unless_a_page_is_asked_for(
    feeds_db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("indexer.feeds.registry.listing.PORTION", 3)
    add(feeds_db, models.feeds, *(a_feed(id) for id in range(1, 9)))
    ask = client(feeds_db)
    envelope = ask("/api/sources/3/feeds").json()
    assert [row["id"] for row in envelope["results"]] == [*range(1, 9)]
    assert envelope.keys() == {"duration", "version", "status", "results"}
    found = pages(ask, "/api/sources/3/feeds")
    assert [[row["id"] for row in page] for page in found] == [[1, 2], [3, 4], [5, 6], [7, 8]]


def test_history_is_newest_first_and_bounded(feeds_db: Database) -> None:
    # A later event may have an earlier time: that of an attempt is its start.
    add(
        feeds_db,
        models.fetch_events,
        *(an_event(id, created_at=TODAY - timedelta(minutes=id)) for id in range(1, HISTORY + 3)),
        an_event(1000, feed_id=2, note=None, event="queued"),
    )
    ask = client(feeds_db)
    found = results(ask, "/api/feeds/1/history")
    assert [row["id"] for row in found] == [*range(HISTORY + 2, 2, -1)]
    assert [row["id"] for row in results(ask, "/api/feeds/1/history?_limit=1")] == [HISTORY + 2]
    assert len(results(ask, f"/api/feeds/1/history?_limit={HISTORY * 2}")) == HISTORY + 2
    (queued,) = results(ask, "/api/feeds/2/history")
    assert queued == {
        "id": 1000,
        "feed_id": 2,
        "event": "queued",
        "note": None,
        "created_at": "2026-11-21T01:00:00",
        "details": None,
    }


def test_the_details_of_an_event_are_what_they_say(feeds_db: Database) -> None:
    add(
        feeds_db,
        models.fetch_events,
        an_event(1, details='{"code":200,"counts":{"ok":2}}'),
        an_event(2, details="no JSON"),
    )
    second, first = results(client(feeds_db), "/api/feeds/1/history")
    assert (first["details"], second["details"]) == (
        {"code": 200, "counts": {"ok": 2}},
        "no JSON",
    )


def test_pages_of_history_fit_together(feeds_db: Database) -> None:
    add(feeds_db, models.fetch_events, *(an_event(id) for id in range(1, 6)))
    found = pages(client(feeds_db), "/api/feeds/1/history")
    assert [[row["id"] for row in page] for page in found] == [[5, 4], [3, 2], [1]]


@pytest.mark.parametrize("path", ["/api/feeds/1/stories", "/api/sources/3/stories"])
def test_stories_are_those_found_last(feeds_db: Database, path: str) -> None:
    times = [TODAY, TODAY, YESTERDAY, TODAY + timedelta(microseconds=1)]
    rows = [a_story(id, fetched_at=time) for id, time in enumerate(times, start=1)]
    others = {"feed_id": 2, "sources_id": 4}
    add_stories(feeds_db, *rows, a_story(5, fetched_at=None), a_story(6) | others)
    ask = client(feeds_db)
    found = results(ask, path)
    assert [row["title"] for row in found] == ["Title 4", "Title 2", "Title 1", "Title 3"]
    assert list(found[0].items()) == [
        ("url", "https://news1.example/4"),
        ("feed_id", 1),
        ("published_at", "2026-11-20T01:00:00"),
        ("fetched_at", "2026-11-21T01:00:00.000001"),
        ("domain", "news1.example"),
        ("title", "Title 4"),
    ]
    assert [row["title"] for page in pages(ask, path) for row in page] == [
        row["title"] for row in found
    ]


def test_so_many_stories_are_shown_and_next_leads_on(feeds_db: Database) -> None:
    add_stories(feeds_db, *(a_story(id) for id in range(1, NEWEST + 2)))
    ask = client(feeds_db)
    envelope = ask("/api/sources/3/stories").json()
    assert len(envelope["results"]) == NEWEST
    rest = ask("/api/sources/3/stories", params={"_cursor": envelope["next"]}).json()
    assert [row["title"] for row in rest["results"]] == ["Title 1"]
    assert "next" not in rest


def test_fetch_soon_says_how_many(ask: Ask) -> None:
    assert results(ask, "/api/feeds/1/fetch-soon", "POST") == 1
    assert results(ask, "/api/feeds/99/fetch-soon", "POST") == 0
    assert results(ask, "/api/sources/3/fetch-soon", "POST") == 2
    assert [event["event"] for event in results(ask, "/api/feeds/1/history")] == ["queued"] * 2
    assert ask("/api/feeds/1/fetch-soon").status_code == 405
