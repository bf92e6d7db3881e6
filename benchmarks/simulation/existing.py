"""The rule of the system in production (feeds.md 5.4, 5.5), for the comparison."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from indexer.feeds.attempt import WORKING, Attempt, ItemCounts
from indexer.feeds.feed import Feed
from indexer.feeds.statuses import WEIGHT, severity

DEFAULT, LONGEST, SHORTEST = 360, 1440, 10
MIN_DUPLICATES, MAX_DUPLICATES = 33, 67
SHORTER, LONGER, SMALL = 60, 10, timedelta(days=31)
"""Steps in minutes; a feed that is silent for longer than SMALL is lengthened by SHORTER too."""
MAX_DELTA = 20
MAX_FAILURES, UNDEAD_MINUTES = 30, 30 * 1440
NO_CHANGE, NO_ITEMS = 101.0, 102.0


def after(
    feed: Feed,
    attempt: Attempt,
    counts: ItemCounts | None,
    now: datetime,
    chance: Callable[[], float],
) -> dict[str, Any]:
    """The columns that an attempt sets."""
    columns: dict[str, Any] = {
        "last_fetch_attempt": attempt.started,
        "system_status": attempt.status,
        "update_minutes": _update_minutes(feed, attempt),
    }
    minutes = feed.poll_minutes or columns["update_minutes"] or DEFAULT
    if attempt.status == WORKING:
        least = max(columns["update_minutes"] or 0, SHORTEST)
        minutes = _adjusted(feed, attempt, counts, minutes, least)
        columns |= {
            "last_fetch_success": attempt.started,
            "last_parse_success": attempt.started,
            "last_fetch_failures": 0.0,
            "poll_minutes": minutes,
            "next_fetch_attempt": now + timedelta(minutes=minutes),
        }
        if counts and counts.added:
            columns["last_new_stories"] = attempt.started
        return columns
    failures = feed.last_fetch_failures + WEIGHT[severity(attempt.status)]
    wait = _backoff(minutes, failures, attempt, chance)
    return columns | {
        "last_fetch_failures": failures,
        "poll_minutes": minutes,
        "next_fetch_attempt": now + timedelta(minutes=wait),
    }


def _adjusted(
    feed: Feed, attempt: Attempt, counts: ItemCounts | None, minutes: int, least: int
) -> int:
    if feed.last_fetch_success is None:
        return minutes
    percent = _duplicates(counts)
    late = (attempt.started - feed.last_fetch_success) / timedelta(minutes=1) - minutes
    if percent >= MAX_DUPLICATES and late >= -MAX_DELTA:
        last = feed.last_new_stories or feed.created_at or attempt.started
        small = attempt.started - last <= SMALL or percent < 100
        return min(minutes + (LONGER if small else SHORTER), LONGEST)
    if percent < MIN_DUPLICATES and late <= MAX_DELTA:
        shorter = DEFAULT if minutes > DEFAULT else minutes - SHORTER
        return max(shorter, least)
    return minutes


def _duplicates(counts: ItemCounts | None) -> float:
    if counts is None:
        return NO_CHANGE
    usable = counts.duplicates + counts.added
    return 100 * counts.duplicates / usable if usable else NO_ITEMS


def _backoff(minutes: int, failures: float, attempt: Attempt, chance: Callable[[], float]) -> float:
    wait = float(minutes)
    if failures >= 1:
        wait = min(minutes * failures, LONGEST if failures <= MAX_FAILURES else UNDEAD_MINUTES)
    answer = attempt.answer
    if answer is not None and answer.retry_at is not None:
        asked = (answer.retry_at - attempt.started) / timedelta(minutes=1)
        wait = max(wait, min(asked, LONGEST))
    if answer is not None and answer.code == 429:
        wait += chance() * 60
    return wait


def _update_minutes(feed: Feed, attempt: Attempt) -> int | None:
    return attempt.document.update_minutes if attempt.document else feed.update_minutes
