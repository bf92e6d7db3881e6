"""When a feed is polled next, and which columns an attempt sets (feeds.md 5.4, 5.5).

success → new stories → rate → interval → jitter → not before Cache-Control or Retry-After allow
failure → weight 0.25, 0.5 or 1 → backoff from the interval of the last success → Retry-After
410     → gone: once a month, until it answers again
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import msgspec

from indexer.feeds.attempt import WORKING, Attempt, ItemCounts
from indexer.feeds.feed import Feed
from indexer.feeds.polling import backoff, rate
from indexer.feeds.polling.interval import interval
from indexer.feeds.polling.rate import News, Rate
from indexer.feeds.polling.schedule_options import MOST_MINUTES, ScheduleOptions
from indexer.feeds.statuses import PARSE_ERROR, WEIGHT, severity

GONE, TOO_MANY = 410, 429

GONE_WAIT = timedelta(days=31)
"""A feed that is gone is polled at most once a month (the longest month)."""

TOO_MANY_MINUTES = 60.0
"""The longest random delay after a 429, which spreads the feeds of the host."""

LONGEST_RETRY_AFTER = timedelta(days=366)
"""A longer Retry-After is cut: its server is tried again after a year."""


def after(
    feed: Feed,
    attempt: Attempt,
    counts: ItemCounts | None,
    now: datetime,
    options: ScheduleOptions,
    chance: Callable[[], float],
) -> dict[str, Any]:
    """The columns of schedule and state that an attempt sets.

    `counts` is None for an attempt without a document; `chance` returns numbers from 0 to 1.
    """
    columns = {"last_fetch_attempt": attempt.started, "system_status": attempt.status}
    if attempt.status == WORKING:
        return columns | _success(feed, attempt, counts, now, options, chance)
    return columns | _failure(feed, attempt, now, options, chance)


def disabled(failures: float, options: ScheduleOptions) -> bool:
    """Whether the failures are too many for a feed to be polled again."""
    return failures >= options.max_failures and not options.undead_feeds


def _success(
    feed: Feed,
    attempt: Attempt,
    counts: ItemCounts | None,
    now: datetime,
    options: ScheduleOptions,
    chance: Callable[[], float],
) -> dict[str, Any]:
    before = rate.load(feed.rate)
    news = _news(feed, attempt, counts, before)
    learned = rate.learn(before, news, options)
    hint = _hint(feed, attempt, options)
    override = feed.poll_minutes_override
    minutes = interval(learned, now, hint, options) if override is None else override
    minutes = _bounded(minutes, options)
    # Bounded again: jitter must not go below the minimum.
    jittered = _bounded(minutes * _jitter(chance(), options), options)
    columns: dict[str, Any] = {
        "last_fetch_success": attempt.started,
        "last_parse_success": attempt.started,
        "last_fetch_failures": 0.0,
        "next_fetch_attempt": max(
            now + _minutes(jittered), _not_before(attempt, feed, now, options)
        ),
        "poll_minutes": round(minutes),
        "update_minutes": hint,
        "gone_at": None,
        "rate": rate.dump(learned),
        "missed_alarms": feed.missed_alarms + news.missed,
    }
    return columns | ({"last_new_stories": attempt.started} if counts and counts.added else {})


def _failure(
    feed: Feed,
    attempt: Attempt,
    now: datetime,
    options: ScheduleOptions,
    chance: Callable[[], float],
) -> dict[str, Any]:
    # `poll_minutes` keeps the interval of the last success: backoff starts from it.
    severe = severity(attempt.status)
    failures = feed.last_fetch_failures + WEIGHT[severe]
    known = rate.load(feed.rate)
    streak = backoff.after(known.backoff, feed.last_fetch_failures, severe, chance)
    code = attempt.answer.code if attempt.answer else 0
    # If an adopted URL is gone, the directory's URL may still work.
    is_gone = code == GONE and feed.adopted_url is None
    gone_at = feed.gone_at or (attempt.started if is_gone else None)
    columns = {
        "last_fetch_failures": failures,
        "gone_at": gone_at,
        "rate": rate.dump(msgspec.structs.replace(known, backoff=streak)),
    }
    # Data was retrieved, if not understood: seed 003 counts that as a success.
    if attempt.status == PARSE_ERROR:
        columns["last_fetch_success"] = attempt.started
    if disabled(failures, options):
        return columns | {"system_enabled": False, "next_fetch_attempt": None}
    minutes = backoff.wait(_base(feed, options), failures, streak, options)
    next = now + _minutes(_bounded(minutes * _jitter(streak.chance, options), options))
    if gone_at:
        next = max(next, now + GONE_WAIT)
    next = max(next, _retry_at(attempt, now))
    if code == TOO_MANY:
        next += _minutes(chance() * TOO_MANY_MINUTES)
    return columns | {"next_fetch_attempt": next}


def _news(feed: Feed, attempt: Attempt, counts: ItemCounts | None, before: Rate) -> News:
    document = attempt.document
    if document is None or counts is None:
        return News(feed.last_parse_success, attempt.started)
    return News(
        since=feed.last_parse_success,
        until=attempt.started,
        stories=counts.added,
        dates=[item.published_at for item in document.items if item.published_at],
        window=len(document.items),
        # No item of the previous poll is left: others may have come and gone in between.
        missed=0 < before.window <= len(document.items) == counts.added,
    )


def _hint(feed: Feed, attempt: Attempt, options: ScheduleOptions) -> int | None:
    """The interval that the last document publishes; None if it stopped to publish one."""
    hint = attempt.document.update_minutes if attempt.document else feed.update_minutes
    return min(hint, round(options.maximum_interval_mins)) if hint and hint > 0 else None


def _base(feed: Feed, options: ScheduleOptions) -> float:
    """The interval of a feed before its failures."""
    known = feed.poll_minutes_override or feed.poll_minutes or feed.update_minutes
    return _bounded(known or options.default_interval_mins, options)


def _not_before(attempt: Attempt, feed: Feed, now: datetime, options: ScheduleOptions) -> datetime:
    """The moment before which the server wants no request; `now` if it does not mind."""
    answer = attempt.answer
    if answer is None or answer.fresh_until is None or feed.poll_minutes_override is not None:
        return _retry_at(attempt, now)
    fresh = min(answer.fresh_until, now + _minutes(options.maximum_interval_mins))
    return max(fresh, _retry_at(attempt, now))


def _retry_at(attempt: Attempt, now: datetime) -> datetime:
    retry_at = attempt.answer.retry_at if attempt.answer else None
    return min(retry_at, now + LONGEST_RETRY_AFTER) if retry_at else now


def _bounded(minutes: float, options: ScheduleOptions) -> float:
    return min(max(minutes, options.minimum_interval_mins), MOST_MINUTES)


def _jitter(chance: float, options: ScheduleOptions) -> float:
    return 1 + (2 * chance - 1) * options.jitter_percent / 100


def _minutes(number: float) -> timedelta:
    return timedelta(minutes=number)
