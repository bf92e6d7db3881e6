"""The trial of a feed: exchanges, the document, and each item."""

from collections import Counter
from datetime import datetime, timedelta
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from sqlalchemy import Connection, func, select

from indexer.database import Database
from indexer.feeds import models
from indexer.feeds.attempt import NewItem, Poll
from indexer.feeds.fetching.fetching import FeedClient, FeedFetchOptions
from indexer.feeds.identity.places import host_keys
from indexer.feeds.models import stories
from indexer.feeds.polling.paces import Paces
from indexer.feeds.saving.deciding import DELETED, Decision
from indexer.feeds.saving.storing import store_items
from indexer.feeds.tools.trial import Trial, TriedItem
from indexer.feeds.tools.trying import TryOptions, preview, try_feed
from tests.feeds.rows import fetched, item
from tests.feeds.served import NOW, a_feed, a_story, add, add_stories
from tests.news.syndication.in_process import HereReader
from tests.news.syndication.wild_feeds import wild

RSS = """<?xml version="1.0"?>
<rss version="2.0"><channel><title>News &amp; more</title><ttl>60</ttl>
<item><title>First</title><link>https://news.example/1?utm_source=x</link><guid>a</guid>
<pubDate>Sat, 21 Nov 2026 10:00:00 GMT</pubDate></item>
<item><title>Known</title><link>http://www.news.example/story-1</link></item>
<item><title>Again</title><link>https://news.example/1</link><pubDate>soon</pubDate></item>
<item><title>Mail</title><link>mailto:a@news.example</link></item>
<item><title>Video</title><link>https://www.youtube.com/watch?v=1</link></item>
</channel></rss>"""

PAGE = """<!doctype html><html><head><title>News</title>
<link rel="alternate" type="application/rss+xml" title="All" href="/feed.xml"></head>
<body><p>Hello</p></body></html>"""

OPTIONS = TryOptions(fetching=FeedFetchOptions(allow_address=["127.0.0.0/8"], user_agent="tester"))


@pytest.fixture
def fetcher() -> FeedClient:
    """A client that may visit loopback."""
    return FeedClient(OPTIONS.fetching, now=lambda: NOW)


def tried(url: str, fetcher: FeedClient, database: Database | None = None, **given: Any) -> Trial:
    """Try a URL."""
    options = OPTIONS.model_copy(update=given)
    return try_feed(url, fetcher, options, NOW, database, sources_id=3)


def fate(tried: TriedItem) -> tuple[str, str, str, int | None]:
    return tried.decision, tried.reason, tried.why, tried.story


def rows(database: Database) -> list[int]:
    """The number of rows of each table."""
    with database.reading() as connection:
        tables = models.metadata.sorted_tables
        return [connection.scalar(select(func.count()).select_from(each)) or 0 for each in tables]


def test_each_item_is_explained_and_nothing_is_stored(
    httpserver: HTTPServer, feeds_db: Database, fetcher: FeedClient
) -> None:
    httpserver.expect_request("/feed").respond_with_data(RSS, content_type="text/xml")
    url = httpserver.url_for("/feed")
    save(feeds_db, [item(1)])
    add(feeds_db, models.feeds, a_feed(7, url=url, http_etag='"x"', last_fetch_hash="y"))
    before = rows(feeds_db)
    trial = tried(url, fetcher, feeds_db)
    assert rows(feeds_db) == before
    assert (trial.works, trial.status, trial.note) == (
        True,
        "Working",
        "2 skipped / 2 dup / 1 added",
    )
    assert (trial.feed_id, trial.sources_id, trial.format) == (7, 3, "rss 2.0")
    assert (trial.title, trial.update_minutes) == ("News & more", 60)
    assert trial.counts == {"ok": 1, "dup_url": 2, "relurl": 1, "nonews": 1}
    assert [fate(each) for each in trial.items] == [
        ("add", "ok", "it would be added", None),
        ("duplicate", "dup_url", "a story with this URL is known: story 1", 1),
        (
            "duplicate",
            "dup_url",
            "a story with this URL is known: an earlier item of the document",
            None,
        ),
        ("skip", "relurl", "the link names no host", None),
        ("skip", "nonews", "youtube.com gives no stories", None),
    ]
    first, third = trial.items[0], trial.items[2]
    assert (first.link, first.identity) == (
        "https://news.example/1?utm_source=x",
        "news.example/1",
    )
    assert (first.guid, first.date_source) == ("a", "pubDate")
    assert (first.published_at, first.published) == (
        datetime(2026, 11, 21, 10),
        "Sat, 21 Nov 2026 10:00:00 GMT",
    )
    assert (third.published_at, third.published) == (None, "soon")


def test_without_a_database_no_item_is_known(httpserver: HTTPServer, fetcher: FeedClient) -> None:
    httpserver.expect_request("/feed").respond_with_data(RSS)
    trial = tried(httpserver.url_for("/feed"), fetcher)
    assert trial.counts == {"ok": 3, "relurl": 1, "nonews": 1}
    assert (trial.feed_id, trial.size, len(trial.md5 or "")) == (None, len(RSS.encode()), 32)


def test_a_warning_says_that_feedparser_has_read_it(
    httpserver: HTTPServer, fetcher: FeedClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("indexer.feeds.tools.trying.SecondReader", HereReader)
    httpserver.expect_request("/feed").respond_with_data(wild("channel.cdf"))
    trial = tried(httpserver.url_for("/feed"), fetcher)
    assert trial.items[0].link == "https://cdf.example/news/1.html"
    assert trial.warnings == [
        "read by feedparser: our reader does not know the format of <channel>"
    ]


def test_items_beyond_the_limit_are_counted(httpserver: HTTPServer, fetcher: FeedClient) -> None:
    httpserver.expect_request("/feed").respond_with_data(RSS)
    trial = tried(httpserver.url_for("/feed"), fetcher, max_stories_per_feed=2)
    assert len(trial.items) == 2
    assert trial.counts["tossed"] == 3
    assert trial.note == "3 skipped / 0 dup / 2 added"


def test_each_exchange_is_shown(httpserver: HTTPServer, fetcher: FeedClient) -> None:
    to = httpserver.url_for("/new")
    moved = {"Location": to, "Set-Cookie": "a=hunter2", "X-Odd": "1"}
    httpserver.expect_request("/old").respond_with_data("", 301, headers=moved)
    fresh = {"ETag": '"v1"', "Cache-Control": "max-age=600"}
    httpserver.expect_request("/new").respond_with_data(RSS, headers=fresh)
    trial = tried(httpserver.url_for("/old"), fetcher)
    assert [(each.url, each.code) for each in trial.exchanges] == [
        (httpserver.url_for("/old"), 301),
        (to, 200),
    ]
    first, last = trial.exchanges
    assert first.received["location"] == to
    assert "x-odd" not in first.received
    assert last.received["etag"] == '"v1"'
    assert last.sent["User-Agent"] == "tester"
    assert "rss" in last.sent["Accept"]
    assert "If-None-Match" not in last.sent
    assert "hunter2" not in str(trial)
    assert (trial.final_url, trial.fresh_until) == (to, NOW + timedelta(minutes=10))


@pytest.mark.parametrize(
    ("code", "body", "status", "note"),
    [
        (404, "no", "HTTP 404 NOT FOUND", "HTTP 404 NOT FOUND"),
        (200, "", "parse error", "parse error; Exception('empty')"),
        (200, "<opml/>", "parse error", "parse error; Exception('no version')"),
        (200, PAGE, "parse error", "parse error; Exception('html?')"),
    ],
)
def test_a_failure_has_the_note_of_its_event(
    httpserver: HTTPServer, fetcher: FeedClient, code: int, body: str, status: str, note: str
) -> None:
    httpserver.expect_request("/feed").respond_with_data(body, code)
    trial = tried(httpserver.url_for("/feed"), fetcher)
    assert (trial.works, trial.status, trial.note) == (False, status, note)
    assert trial.items == []


def test_the_feeds_that_a_page_links_to_are_shown(
    httpserver: HTTPServer, fetcher: FeedClient
) -> None:
    httpserver.expect_request("/").respond_with_data(PAGE, content_type="text/html")
    (found,) = tried(httpserver.url_for("/"), fetcher).feeds
    assert (found.url, found.name) == (httpserver.url_for("/feed.xml"), "All")


@pytest.mark.parametrize("url", ["", "nonsense", "file:///etc/passwd", "http://127.0.0.1:0/"])
def test_a_url_that_cannot_be_fetched_has_a_status(fetcher: FeedClient, url: str) -> None:
    trial = tried(url, fetcher)
    assert trial.status in ("bad URL", "connection error")
    assert trial.exchanges == []


def test_private_addresses_are_not_visited(httpserver: HTTPServer) -> None:
    client = FeedClient(TryOptions().fetching, now=lambda: NOW)
    assert not tried(httpserver.url_for("/feed"), client).works
    assert httpserver.log == []


def test_a_blocked_host_is_not_visited(
    httpserver: HTTPServer, feeds_db: Database, fetcher: FeedClient
) -> None:
    until = NOW + timedelta(hours=1)
    Paces(feeds_db, 0).block(["host:localhost"], until)
    httpserver.expect_request("/feed").respond_with_data(RSS)
    there = f"http://localhost:{httpserver.port}/feed"
    trial = tried(there, fetcher, feeds_db)
    assert (trial.status, trial.retry_at, httpserver.log) == ("postponed", until, [])
    # Also for the target of a redirect.
    moved = {"Location": there}
    httpserver.expect_request("/moved").respond_with_data("", 302, headers=moved)
    trial = tried(f"http://127.0.0.1:{httpserver.port}/moved", fetcher, feeds_db)
    assert (trial.status, trial.retry_at, len(httpserver.log)) == ("postponed", until, 1)


def test_a_retry_after_is_stored_for_all_fetchers(
    httpserver: HTTPServer, feeds_db: Database, fetcher: FeedClient
) -> None:
    wait = {"Retry-After": "3600"}
    httpserver.expect_request("/feed").respond_with_data("", 429, headers=wait)
    url = httpserver.url_for("/feed")
    assert tried(url, fetcher, feeds_db).status.startswith("HTTP 429")
    assert tried(url, fetcher, feeds_db).status == "postponed"
    assert Paces(feeds_db, 0).blocked(host_keys(url), NOW) == NOW + timedelta(hours=1)


def test_the_feed_is_found_by_its_url(
    httpserver: HTTPServer, feeds_db: Database, fetcher: FeedClient
) -> None:
    httpserver.expect_request("/feed").respond_with_data(RSS)
    url = httpserver.url_for("/feed")
    add(feeds_db, models.feeds, a_feed(7, url=url, sources_id=9))
    add_stories(feeds_db, a_story(1))
    assert try_feed(url, fetcher, OPTIONS, NOW, feeds_db).sources_id == 9
    assert try_feed(url, fetcher, OPTIONS, NOW, feeds_db, 4).sources_id == 4


DAYS = 7
OLD = NOW - timedelta(days=8)

Items = list[NewItem]


def save(database: Database, items: Items) -> dict[str, int]:
    """Store items of feed 1 of source 3; the number of items by counter."""
    with database.writing() as connection:
        return stored(database, connection, items, 1, 3)


def stored(
    database: Database, connection: Connection, items: Items, feed: int, source: int | None
) -> dict[str, int]:
    poll = Poll(feed_id=feed, url="https://news.example/feed", lease="x", expires=NOW)
    poll.sources_id = source
    (result,) = store_items(database, connection, [fetched(poll, items, 0)], NOW, DAYS)
    return result.counts.reasons


def look(database: Database, items: Items, feed: int = 1, source: int | None = 3) -> list[Decision]:
    return preview(database, items, feed, source, NOW, DAYS)


ROWS: list[tuple[Items, int, int | None]] = [
    ([item(1), item(2)], 1, 3),
    ([item(1), item(9)], 2, 4),
    ([item(9, guid="g1"), item(9, guid="g1", title_hash="")], 1, 3),
    ([item(9, guid=" g1 ")], 2, 3),
    ([item(9, guid="g1", guid_means=False)], 1, 3),
    ([item(8, title_hash="t1"), item(9, title_hash="t1")], 1, 3),
    ([item(8, title_hash="t2")], 1, 3),
    ([item(8, title_hash="t1")], 1, 4),
    ([item(8, title_hash="t1")], 1, None),
    ([item(8, title_hash=""), item(9, title_hash="")], 1, 3),
    ([item(8), item(8)], 1, 3),
    ([item(8, title_hash="x"), item(9, title_hash="x")], 1, 3),
    ([item(8, title_hash="x"), item(9, title_hash="x")], 1, None),
    ([item(8, title_hash="x", published_at=OLD), item(9, title_hash="x")], 1, 3),
    ([item(8, guid="x"), item(9, guid="x"), item(10, guid="x")], 1, 3),
    ([item(9, guid="g1"), item(9, guid=None)], 1, 3),
    ([], 1, 3),
]


def test_the_saver_decides_what_the_preview_shows(feeds_db: Database) -> None:
    before = [item(1), item(2, published_at=OLD), item(3, guid=None)]
    save(feeds_db, before)
    wrong = {}
    for row, (items, feed, source) in enumerate(ROWS):
        shown = Counter(each.counter for each in look(feeds_db, items, feed, source))
        with feeds_db.writing() as connection:
            nested = connection.begin_nested()
            saved = stored(feeds_db, connection, items, feed, source)
            nested.rollback()
        if shown != saved:
            wrong[row] = shown, saved
    assert wrong == {}


def test_a_duplicate_names_its_story(feeds_db: Database) -> None:
    save(feeds_db, [item(1), item(2)])
    asked = [item(1), item(9, guid="g2"), item(8, title_hash="t1"), item(7), item(7, guid=None)]
    assert look(feeds_db, asked) == [
        Decision("dup_url", story=1),
        Decision("dup_guid", story=2),
        Decision("dup_title", story=1),
        Decision("ok", position=3),
        Decision("dup_url", position=3),
    ]
    with feeds_db.writing() as connection:
        connection.execute(stories.delete())
    assert look(feeds_db, [item(1)]) == [Decision("dup_url", story=DELETED)]


def test_a_preview_changes_nothing(feeds_db: Database) -> None:
    items = [item(1), item(2)]
    new = [Decision("ok", position=0), Decision("ok", position=1)]
    assert look(feeds_db, items) == look(feeds_db, items) == new
    assert save(feeds_db, [item(1)]) == {"ok": 1}
