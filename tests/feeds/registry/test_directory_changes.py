"""Changes of a feed by the directory, as a table."""

from datetime import datetime
from typing import Any

import pytest

from indexer.database import Database
from indexer.feeds.registry.directory import Listed
from indexer.feeds.registry.directory_changes import Applying, Synced
from tests.feeds.rows import NOW, add_feeds, feed, later

URL = "https://h1.example/feed"
LISTED = Listed(1, URL, "Feed 1", 2, True, None)

STATE: dict[str, Any] = {
    "http_etag": '"1"',
    "last_fetch_hash": "0" * 32,
    "last_fetch_failures": 3.0,
    "next_fetch_attempt": later(99_999),
    "created_at": NOW,
}


@pytest.mark.parametrize(
    ("row", "directory", "change", "columns"),
    [
        ({}, {"created_at": datetime(2001, 1, 1)}, "unchanged", STATE),
        ({}, {"name": "New", "sources_id": 3}, "edited", STATE | {"name": "New", "sources_id": 3}),
        ({}, {"name": None, "sources_id": None}, "edited", {"name": None, "sources_id": None}),
        ({}, {"active": False}, "deactivated", STATE | {"active": False}),
        ({"active": False}, {}, "activated", STATE | {"active": True, "next_fetch_attempt": None}),
        ({"active": False}, {"active": False}, "unchanged", STATE),
        (
            {"system_enabled": False, "poll_minutes_override": 5},
            {},
            "unchanged",
            STATE | {"system_enabled": False, "poll_minutes_override": 5},
        ),
        (
            {"removed_at": NOW},
            {},
            "restored",
            STATE | {"removed_at": None, "next_fetch_attempt": None},
        ),
        (
            {"adopted_url": "https://b.example/", "gone_at": NOW},
            {"url": "https://news.site.org/"},
            "moved",
            {
                "url": "https://news.site.org/",
                "host": "news.site.org",
                "domain": "site.org",
                "http_etag": None,
                "last_fetch_hash": None,
                "last_fetch_failures": 0,
                "next_fetch_attempt": None,
                "adopted_url": None,
                "gone_at": None,
                "created_at": NOW,
            },
        ),
    ],
)
def test_what_the_directory_changes_of_a_feed(
    feeds_db: Database,
    row: dict[str, Any],
    directory: dict[str, Any],
    change: str,
    columns: dict[str, Any],
) -> None:
    there = {"url": URL, "name": "Feed 1", "sources_id": 2}
    add_feeds(feeds_db, [there | STATE | row])
    synced = Synced(full=False, dry_run=False, since=0, now=0)
    with feeds_db.writing() as connection:
        Applying(feeds_db, synced, NOW).apply(connection, [LISTED._replace(**directory)])
    assert synced.changes == {change: 1}
    found = feed(feeds_db)
    assert {name: getattr(found, name) for name in columns} == columns
