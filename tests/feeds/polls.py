"""Polls for tests, and clients that may visit loopback."""

from datetime import datetime, timedelta
from typing import Any

from indexer.feeds.attempt import Attempt, FeedAnswer, FeedDocument, NewItem, Poll
from indexer.feeds.feed import Feed
from indexer.feeds.fetching.fetching import FeedClient, FeedFetchOptions
from tests.patience import PATIENCE

NOW = datetime(2026, 11, 21, 12, 0, 0, 123456)
URL = "https://news.example/feed.xml"
MD5 = "0123456789abcdef0123456789abcdef"


def poll(url: str = URL, **given: Any) -> Poll:
    """A poll of feed 7."""
    known = {"feed_id": 7, "lease": "lease", "expires": NOW + timedelta(minutes=15)}
    return Poll(url=url, **{**known, **given})


def client(**given: Any) -> FeedClient:
    """A client with these options: loopback is allowed, and the date is fixed."""
    quick = dict.fromkeys(("connect_timeout", "read_timeout", "total_timeout"), PATIENCE)
    known = {"allow_address": ["127.0.0.0/8"], **quick}
    look_up = given.pop("look_up", None)
    now = given.pop("now", lambda: NOW)
    return FeedClient(FeedFetchOptions(**{**known, **given}), now=now, look_up=look_up)


def of_feed(feed: Feed, **given: Any) -> Poll:
    """The poll of a claimed feed."""
    return poll(
        feed.fetch_url,
        hash=feed.last_fetch_hash,
        etag=feed.http_etag,
        last_modified=feed.http_last_modified,
        validators_url=feed.validators_url,
        validators_trusted=feed.validators_trusted,
        not_modified_count=feed.not_modified_count,
        full_fetch_at=feed.full_fetch_at,
        **given,
    )


def parsed(feed: Feed, started: datetime = NOW, **answer: Any) -> Attempt:
    """An attempt with a document that was parsed."""
    known = {"code": 200, "url": feed.fetch_url, "md5": MD5}
    return Attempt(
        poll=of_feed(feed),
        started=started,
        answer=FeedAnswer(**{**known, **answer}),
        document=FeedDocument(format="rss"),
    )


def document(items: int = 10, update_minutes: int | None = None) -> FeedDocument:
    """A document of so many items."""
    found = [NewItem(url=f"https://a.example/{n}", identity=str(n)) for n in range(items)]
    return FeedDocument(items=found, entries=items, update_minutes=update_minutes)


def minutes(number: float) -> timedelta:
    """A duration in minutes."""
    return timedelta(minutes=number)
