"""When a feed is polled next, and which columns an attempt sets (feeds.md 5.4, 5.5).

success → new stories → rate → interval → jitter → not before Cache-Control or Retry-After allow
failure → weight 0.25, 0.5 or 1 → backoff from the interval of the last success → Retry-After
410     → gone: once a month, until it answers again
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import msgspec

from indexer.feeds.attempt import WORKING, Attempt, ItemCounts
from indexer.feeds.feed import Feed
from indexer.feeds.polling import backoff, rate
from indexer.feeds.polling.backoff import Backoff
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
    ended = _Ended(feed, attempt, counts, now, options, chance)
    columns = {"last_fetch_attempt": attempt.started, "system_status": attempt.status}
    return columns | (ended.success() if attempt.status == WORKING else ended.failure())


def disabled(failures: float, options: ScheduleOptions) -> bool:
    """Whether the failures are too many for a feed to be polled again."""
    return failures >= options.max_failures and not options.undead_feeds


class _Ended(NamedTuple):
    """The arguments of `after`."""

    feed: Feed
    attempt: Attempt
    counts: ItemCounts | None
    now: datetime
    options: ScheduleOptions
    chance: Callable[[], float]

    def success(self) -> dict[str, Any]:
        feed, attempt, options = self.feed, self.attempt, self.options
        before = rate.load(feed.rate)
        news = self._news(before)
        learned = rate.learn(before, news, options)
        hint = self._hint()
        override = feed.poll_minutes_override
        minutes = interval(learned, self.now, hint, options) if override is None else override
        minutes = _bounded(minutes, options)
        # Bounded again: jitter must not go below the minimum.
        jittered = _bounded(minutes * _jitter(self.chance(), options), options)
        columns: dict[str, Any] = {
            "last_fetch_success": attempt.started,
            "last_parse_success": attempt.started,
            "last_fetch_failures": 0.0,
            "next_fetch_attempt": max(self.now + _minutes(jittered), self._not_before()),
            "poll_minutes": round(minutes),
            "update_minutes": hint,
            "gone_at": None,
            "rate": rate.dump(learned),
            "missed_alarms": feed.missed_alarms + news.missed,
        }
        if self.counts and self.counts.added:
            columns["last_new_stories"] = attempt.started
        return columns

    def failure(self) -> dict[str, Any]:
        # `poll_minutes` keeps the interval of the last success: backoff starts from it.
        feed, attempt, options = self.feed, self.attempt, self.options
        severe = severity(attempt.status)
        failures = feed.last_fetch_failures + WEIGHT[severe]
        known = rate.load(feed.rate)
        streak = backoff.after(known.backoff, feed.last_fetch_failures, severe, self.chance)
        # If an adopted URL is gone, the directory's URL may still work.
        is_gone = attempt.answer and attempt.answer.code == GONE and feed.adopted_url is None
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
        return columns | {"next_fetch_attempt": self._next_try(failures, streak, gone_at)}

    def _next_try(self, failures: float, streak: Backoff, gone_at: datetime | None) -> datetime:
        feed, options = self.feed, self.options
        known = feed.poll_minutes_override or feed.poll_minutes or feed.update_minutes
        base = _bounded(known or options.default_interval_mins, options)
        minutes = backoff.wait(base, failures, streak, options)
        next = self.now + _minutes(_bounded(minutes * _jitter(streak.chance, options), options))
        if gone_at:
            next = max(next, self.now + GONE_WAIT)
        next = max(next, self._retry_at())
        # Added last: all feeds of the host have the same Retry-After.
        if self.attempt.answer and self.attempt.answer.code == TOO_MANY:
            next += _minutes(self.chance() * TOO_MANY_MINUTES)
        return next

    def _news(self, before: Rate) -> News:
        since, until, document = (
            self.feed.last_parse_success,
            self.attempt.started,
            self.attempt.document,
        )
        if document is None or self.counts is None:
            return News(since, until)
        return News(
            since,
            until,
            stories=self.counts.added,
            dates=[item.published_at for item in document.items if item.published_at],
            window=len(document.items),
            # No item of the previous poll is left: others may have come and gone in between.
            missed=0 < before.window <= len(document.items) == self.counts.added,
        )

    def _hint(self) -> int | None:
        """The interval that the last document publishes; None if it stopped to publish one."""
        document, feed = self.attempt.document, self.feed
        hint = document.update_minutes if document else feed.update_minutes
        most = round(self.options.maximum_interval_mins)
        return min(hint, most) if hint and hint > 0 else None

    def _not_before(self) -> datetime:
        """The moment before which the server wants no request; `now` if it does not mind."""
        answer, retry_at = self.attempt.answer, self._retry_at()
        if (
            answer is None
            or answer.fresh_until is None
            or self.feed.poll_minutes_override is not None
        ):
            return retry_at
        longest = self.now + _minutes(self.options.maximum_interval_mins)
        return max(min(answer.fresh_until, longest), retry_at)

    def _retry_at(self) -> datetime:
        retry_at = self.attempt.answer.retry_at if self.attempt.answer else None
        return min(retry_at, self.now + LONGEST_RETRY_AFTER) if retry_at else self.now


def _bounded(minutes: float, options: ScheduleOptions) -> float:
    return min(max(minutes, options.minimum_interval_mins), MOST_MINUTES)


def _jitter(chance: float, options: ScheduleOptions) -> float:
    return 1 + (2 * chance - 1) * options.jitter_percent / 100


def _minutes(number: float) -> timedelta:
    return timedelta(minutes=number)
