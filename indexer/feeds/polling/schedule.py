"""When a feed is polled next, and what an attempt leaves in its row (feeds.md 5.4, 5.5).

success → what is new → rate → interval → jitter → not before a cache says, nor Retry-After
failure → + 0.25, 0.5 or 1 → backoff from the interval of its last success → Retry-After
410     → gone: once a month, until it is there again
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
"""A feed that is gone is polled once in a month, whichever."""

TOO_MANY_MINUTES = 60.0
"""Up to so much longer, as chance will, after a 429: not all of a host's feeds at once."""

LONGEST_ASKED = timedelta(days=366)
"""A server that wants to be left alone for longer is tried again all the same."""


def after(
    feed: Feed,
    attempt: Attempt,
    counts: ItemCounts | None,
    now: datetime,
    options: ScheduleOptions,
    chance: Callable[[], float],
) -> dict[str, Any]:
    """The columns of `feeds` that an attempt sets, those of schedule and state.

    `counts` is None of an attempt without a document; `chance` gives numbers from 0 to 1.
    """
    columns = {"last_fetch_attempt": attempt.started, "system_status": attempt.status}
    if attempt.status == WORKING:
        return columns | _success(feed, attempt, counts, now, options, chance)
    return columns | _failure(feed, attempt, now, options, chance)


def disabled(failures: float, options: ScheduleOptions) -> bool:
    """Whether a feed with so many failures is not polled any more."""
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
    minutes = _possible(minutes, options)
    jittered = _possible(minutes * _jitter(chance(), options), options)
    columns: dict[str, Any] = {
        "last_fetch_success": attempt.started,
        "last_parse_success": attempt.started,
        "last_fetch_failures": 0.0,
        "next_fetch_attempt": max(now + _minutes(jittered), _asked(attempt, feed, now, options)),
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
    """The interval of its last success stays: what is longer now is not its interval."""
    severe = severity(attempt.status)
    failures = feed.last_fetch_failures + WEIGHT[severe]
    known = rate.load(feed.rate)
    streak = backoff.after(known.backoff, feed.last_fetch_failures, severe, chance)
    code = attempt.answer.code if attempt.answer else 0
    # What was adopted may be gone while the directory's URL is not.
    is_gone = code == GONE and feed.adopted_url is None
    gone_at = feed.gone_at or (attempt.started if is_gone else None)
    columns = {
        "last_fetch_failures": failures,
        "gone_at": gone_at,
        "rate": rate.dump(msgspec.structs.replace(known, backoff=streak)),
    }
    if attempt.status == PARSE_ERROR:
        columns["last_fetch_success"] = attempt.started
    if disabled(failures, options):
        return columns | {"system_enabled": False, "next_fetch_attempt": None}
    minutes = backoff.wait(_base(feed, options), failures, streak, options)
    next = now + _minutes(_possible(minutes * _jitter(streak.chance, options), options))
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
        # All of a full window is new: there may have been more between the polls.
        missed=0 < before.window <= len(document.items) == counts.added,
    )


def _hint(feed: Feed, attempt: Attempt, options: ScheduleOptions) -> int | None:
    """What the last document asks for: nothing, if it has stopped to."""
    asked = attempt.document.update_minutes if attempt.document else feed.update_minutes
    return min(asked, round(options.maximum_interval_mins)) if asked and asked > 0 else None


def _base(feed: Feed, options: ScheduleOptions) -> float:
    """The minutes between polls of a feed that does not fail."""
    known = feed.poll_minutes_override or feed.poll_minutes or feed.update_minutes
    return _possible(known or options.default_interval_mins, options)


def _asked(attempt: Attempt, feed: Feed, now: datetime, options: ScheduleOptions) -> datetime:
    """Before when the server does not want to be asked again; a moment that has passed if never."""
    answer = attempt.answer
    if answer is None or answer.fresh_until is None or feed.poll_minutes_override is not None:
        return _retry_at(attempt, now)
    fresh = min(answer.fresh_until, now + _minutes(options.maximum_interval_mins))
    return max(fresh, _retry_at(attempt, now))


def _retry_at(attempt: Attempt, now: datetime) -> datetime:
    asked = attempt.answer.retry_at if attempt.answer else None
    return min(asked, now + LONGEST_ASKED) if asked else now


def _possible(minutes: float, options: ScheduleOptions) -> float:
    return min(max(minutes, options.minimum_interval_mins), MOST_MINUTES)


def _jitter(chance: float, options: ScheduleOptions) -> float:
    return 1 + (2 * chance - 1) * options.jitter_percent / 100


def _minutes(number: float) -> timedelta:
    return timedelta(minutes=number)
