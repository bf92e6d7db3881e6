"""The methods about stories: entries for pullers, and counts for people."""

from datetime import timedelta
from typing import Any

import pytest

from indexer.database import Database
from indexer.feeds import models
from tests.each_row import each_row
from tests.feeds.served import (
    NOW,
    TODAY,
    YESTERDAY,
    Ask,
    a_feed,
    a_story,
    add,
    add_stories,
    client,
    pages,
    results,
)

ENTRY = {
    "id": 5,
    "url": "https://news1.example/5",
    "published_at": "2026-11-20T01:00:00",
    "domain": "news1.example",
    "title": "Title 5",
    "fetched_at": "2026-11-21T01:00:00",
    "feed_id": 1,
    "sources_id": 3,
    "feed_url": "https://news1.example/feed.xml",
}


def ids(rows: list[dict[str, Any]]) -> list[int]:
    return [row["id"] for row in rows]


def test_an_entry_has_the_nine_fields(feeds_db: Database) -> None:
    add(feeds_db, models.feeds, a_feed(1))
    add_stories(feeds_db, a_story(5), a_story(6, feed_id=99, published_at=None, title=None))
    first, second = results(client(feeds_db), "/api/rss_entries/5?_limit=2")
    assert list(first.items()) == list(ENTRY.items())
    assert (second["feed_url"], second["published_at"], second["title"]) == (None, None, None)


@pytest.fixture
def some(feeds_db: Database) -> Ask:
    """An API with five stories, of which one has no URL."""
    add_stories(feeds_db, *(a_story(id) for id in (7, 1, 4, 2)), a_story(3, url=None))
    return client(feeds_db)


@each_row(
    ("asked", "found"),
    [
        ("0", [1]),
        ("0?_limit=3", [1, 2, 4]),
        ("2?_limit=3", [2, 4, 7]),
        ("3?_limit=2", [4, 7]),
        ("7?_limit=2500", [7]),
        ("8", []),
        ("9223372036854775807", []),
        ("-5?_limit=2", [1, 2]),
        ("1?_limit=1000000000000000000000", [1, 2, 4, 7]),
    ],
)
def test_entries_are_those_from_an_id_on_that_have_a_url(
    some: Ask, asked: str, found: list[int]
) -> None:
    assert ids(results(some, f"/api/rss_entries/{asked}")) == found


@each_row(
    "path",
    [
        "/api/stories/count?column=domain&",
        "/api/stories/by-source?",
        "/api/stories/fetched-by-day?",
        "/api/sources/3/stories/published-by-day?",
    ],
)
@each_row("limit", [2**63 - 1, 10**30])
def test_no_limit_is_too_great(feeds_db: Database, path: str, limit: int) -> None:
    assert client(feeds_db)(f"{path}_limit={limit}").json()["status"] == "OK"


def test_where_there_are_more_the_next_one_is_named(feeds_db: Database) -> None:
    add_stories(feeds_db, *(a_story(id) for id in (1, 2, 3)))
    ask = client(feeds_db)
    assert ask("/api/rss_entries/1?_limit=2").json()["next"] == "2"
    assert "next" not in ask("/api/rss_entries/1?_limit=3").json()


@pytest.fixture
def seven(feeds_db: Database) -> Ask:
    """An API with the stories 1 to 7."""
    add_stories(feeds_db, *(a_story(id) for id in range(1, 8)))
    return client(feeds_db)


@each_row("limit", [2, 3, 4, 5, 6, 7, 8, 1000])
def test_a_long_answer_is_the_same_as_many_short_ones(
    seven: Ask, monkeypatch: pytest.MonkeyPatch, limit: int
) -> None:
    monkeypatch.setattr("indexer.feeds.registry.listing.PORTION", 3)
    envelope = seven(f"/api/rss_entries/1?_limit={limit}").json()
    assert ids(envelope["results"]) == [*range(1, min(limit, 7) + 1)]
    assert (envelope["status"], envelope["version"]) == ("OK", "1.2.3")
    assert type(envelope["duration"]) is int
    assert envelope.get("next") == (str(limit) if limit < 7 else None)


@pytest.mark.parametrize(
    ("kind", "days"),
    [
        ("fetched", [("2026-11-20", 1), ("2026-11-21", 3), (None, 1)]),
        ("published", [("2026-11-19", 1), ("2026-11-20", 2), ("2026-11-21", 1), (None, 1)]),
    ],
)
def test_the_days_of_a_source_have_today_and_what_has_no_day(
    feeds_db: Database, kind: str, days: list[tuple[str | None, int]]
) -> None:
    add_stories(
        feeds_db,
        a_story(1),
        a_story(2, published_at=YESTERDAY - timedelta(hours=2)),
        a_story(3, published_at=None),
        a_story(4, fetched_at=YESTERDAY, published_at=NOW),
        a_story(5, fetched_at=None),
        a_story(6, sources_id=4),
    )
    ask = client(feeds_db)
    path = f"/api/sources/3/stories/{kind}-by-day"
    found = results(ask, path)
    assert [(row["day"], row["stories"]) for row in found] == days
    assert list(found[0]) == ["day", "stories"]
    assert [row for page in pages(ask, path) for row in page] == found


@pytest.mark.parametrize("kind", ["fetched", "published"])
def test_the_last_thirty_days_of_all_are_newest_first_with_today(
    feeds_db: Database, kind: str
) -> None:
    days = [0, 0, 1, 29, 30, 45, -1]
    moment = f"{kind}_at"
    rows = [a_story(id, **{moment: TODAY - timedelta(days=back)}) for id, back in enumerate(days)]
    add_stories(feeds_db, *rows, a_story(99, **{moment: None}))
    ask = client(feeds_db)
    envelope = ask(f"/api/stories/{kind}-by-day").json()
    assert envelope["results"] == [
        {"date": "2026-11-21", "count": 2, "type": "stories"},
        {"date": "2026-11-20", "count": 1, "type": "stories"},
        {"date": "2026-10-23", "count": 1, "type": "stories"},
    ]
    older = ask(f"/api/stories/{kind}-by-day", params={"_cursor": envelope["next"]}).json()
    assert [row["date"] for row in older["results"]] == ["2026-10-22", "2026-10-07"]
    assert "next" not in older


@pytest.mark.parametrize(
    ("hours", "days"), [([0, 48], 2.0), ([0, 12], 0.5), ([5], 0.0), ([0, 71, 100], 71 / 24)]
)
def test_a_day_has_24_hours(feeds_db: Database, hours: list[int], days: float) -> None:
    moments = [NOW - timedelta(hours=each) for each in hours]
    add_stories(feeds_db, *(a_story(id, fetched_at=each) for id, each in enumerate(moments)))
    found = results(client(feeds_db), "/api/stories/by-source")
    assert found["days"] == pytest.approx(days)


def test_of_nothing_there_are_no_sources_in_no_days(feeds_db: Database) -> None:
    ask = client(feeds_db)
    assert ask("/api/stories/by-source").text.endswith('"results":{"days":0,"sources":[]}}')
    assert results(ask, "/api/stories/fetched-by-day") == []


def test_sources_are_counted_the_greatest_first(feeds_db: Database) -> None:
    sources = [3, 4, 4, None, 5, 5]
    add_stories(feeds_db, *(a_story(id, sources_id=each) for id, each in enumerate(sources)))
    ask = client(feeds_db)
    whole = results(ask, "/api/stories/by-source")["sources"]
    assert [(row["sources_id"], row["count"]) for row in whole] == [
        (4, 2),
        (5, 2),
        (3, 1),
        (None, 1),
    ]
    assert [
        row for page in pages(ask, "/api/stories/by-source") for row in page["sources"]
    ] == whole


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("", [("b.example", 3), ("a.example", 1)]),
        ("column=domain", [("b.example", 3), ("a.example", 1)]),
        ("column=domain&_limit=1", [("b.example", 3)]),
        ("column=feed_id", [(1, 4)]),
        ("column=sources_id&days=10", [(3, 4), (4, 1)]),
        ("column=sources_id&days=999999999999", [(3, 4), (4, 1)]),
    ],
)
def test_what_there_is_most_of_comes_first(
    feeds_db: Database, asked: str, found: list[tuple[Any, int]]
) -> None:
    domains = ["a.example", "b.example", "b.example", "b.example"]
    rows = [a_story(id, domain=each) for id, each in enumerate(domains)]
    add_stories(feeds_db, *rows, a_story(9, sources_id=4, fetched_at=NOW - timedelta(days=5)))
    rows = results(client(feeds_db), f"/api/stories/count?{asked}")
    column = asked.partition("&")[0].removeprefix("column=") or "domain"
    assert rows == [{column: value, "count": count} for value, count in found]


def test_pages_of_counts_fit_together(feeds_db: Database) -> None:
    add_stories(feeds_db, *(a_story(id, domain=f"{id}.example") for id in range(5)))
    found = pages(client(feeds_db), "/api/stories/count?column=domain")
    assert [[row["domain"][0] for row in page] for page in found] == [["0", "1"], ["2", "3"], ["4"]]
