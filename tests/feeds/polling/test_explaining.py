"""Sentences that explain the next poll."""

from datetime import datetime
from typing import Any

from indexer.feeds.feed import Feed
from indexer.feeds.polling.explaining import minutes, next_poll
from tests.each_row import each_row
from tests.feeds.rows import NOW, later

HOUR = {"next_fetch_attempt": later(3600)}


@each_row(
    ("row", "words"),
    [
        ({}, "as soon as possible"),
        ({"next_fetch_attempt": later(-60)}, "now: due since 2026-11-21 11:59"),
        (HOUR, "2026-11-21 13:00, in 1 h: first poll"),
        (HOUR | {"poll_minutes": 90}, "in 1 h: every 1 h 30 min, computed from its new stories"),
        (HOUR | {"update_minutes": 1440}, "every 1 d, published in the feed"),
        (
            HOUR | {"poll_minutes_override": 5, "poll_minutes": 90},
            "every 5 min, set by an operator",
        ),
        (
            HOUR | {"last_fetch_failures": 1.5, "system_status": "HTTP 404"},
            "in 1 h: HTTP 404: the interval grows with failures (1.5); `feeds fetch-soon 1`",
        ),
        (HOUR | {"gone_at": NOW}, "gone (HTTP 410) since 2026-11-21 12:00"),
        (HOUR | {"deferred_until": later(7200)}, "2026-11-21 14:00, in 2 h: deferred"),
        (HOUR | {"deferred_until": later(1800)}, "in 1 h: first poll"),
        ({"deferred_until": later(1800)}, "in 30 min: deferred"),
        ({"lease_expires": later(900)}, "being polled: if it has not ended by 2026-11-21 12:15"),
        ({"lease_expires": later(-900)}, "as soon as possible"),
        ({"active": False}, "never: inactive"),
        ({"system_enabled": False}, "never: disabled"),
        ({"removed_at": NOW, "active": False}, "never: removed on 2026-11-21 12:00"),
    ],
)
def test_the_next_poll_is_explained(row: dict[str, Any], words: str) -> None:
    assert words in next_poll(Feed(id=1, **row), NOW)


@each_row(
    ("row", "blocked", "words"),
    [
        (HOUR, later(7200), "2026-11-21 14:00, in 2 h: its host asked to wait (Retry-After)"),
        (HOUR, later(60), "in 1 h: its host asked to wait (Retry-After)"),
        ({"deferred_until": later(60)}, later(60), "`feeds fetch-soon 1 --ignore-retry-after`"),
        (HOUR, later(-60), "in 1 h: first poll"),
    ],
)
def test_the_wait_that_a_host_asked_for_is_explained(
    row: dict[str, Any], blocked: datetime, words: str
) -> None:
    assert words in next_poll(Feed(id=1, **row), NOW, blocked)


@each_row(
    ("number", "words"), [(0, "0 min"), (59, "59 min"), (1500, "1 d 1 h"), (2881, "2 d 1 min")]
)
def test_minutes_in_words(number: int, words: str) -> None:
    assert minutes(number) == words
