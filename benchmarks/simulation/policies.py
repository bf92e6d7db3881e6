"""The two systems of the comparison: this project, and the system in production."""

import random
from collections.abc import Callable
from datetime import datetime
from typing import Any, Protocol

from benchmarks.simulation import existing
from benchmarks.simulation.arrivals import DAY
from indexer.feeds.attempt import Attempt, ItemCounts, Poll
from indexer.feeds.feed import Feed
from indexer.feeds.fetching import conditional, redirects
from indexer.feeds.polling import schedule
from indexer.feeds.saving.saving import SaveOptions


class Policy(Protocol):
    """The rules of a system for its feeds."""

    name: str
    forgets: float | None
    """Minutes after which a story is forgotten: if a feed shows it again, it counts as new."""
    whole_host: bool
    """Whether Retry-After holds for all feeds of a host."""

    def conditional(self, poll: Poll, now: datetime) -> bool:
        """Whether validators are sent."""

    def after(
        self, feed: Feed, attempt: Attempt, counts: ItemCounts | None, now: datetime
    ) -> dict[str, Any]:
        """The columns that an attempt sets."""


class Ours:
    """The rules of this project: its own code."""

    name = "story-indexer"
    forgets: float | None = None
    whole_host = True

    def __init__(self, options: SaveOptions, seed: int) -> None:
        self._options = options
        self._chance: Callable[[], float] = random.Random(seed).random  # noqa: S311 - repeatable

    def conditional(self, poll: Poll, now: datetime) -> bool:
        """Whether validators are sent."""
        return bool(conditional.validators(poll, now, self._options))

    def after(
        self, feed: Feed, attempt: Attempt, counts: ItemCounts | None, now: datetime
    ) -> dict[str, Any]:
        """The columns that an attempt sets."""
        return {
            **conditional.after(feed, attempt),
            **redirects.after(feed, attempt, self._options),
            **schedule.after(feed, attempt, counts, now, self._options, self._chance),
        }


class Existing:
    """The rules in production: stories are known for 14 days, Retry-After holds for one feed, and
    requests are never conditional."""

    name = "existing rule"
    forgets: float | None = 14 * DAY
    whole_host = False

    def __init__(self, seed: int) -> None:
        self._chance: Callable[[], float] = random.Random(seed).random  # noqa: S311 - repeatable

    def conditional(self, poll: Poll, now: datetime) -> bool:  # noqa: ARG002 - a Policy
        """Whether validators are sent."""
        return False

    def after(
        self, feed: Feed, attempt: Attempt, counts: ItemCounts | None, now: datetime
    ) -> dict[str, Any]:
        """The columns that an attempt sets."""
        columns = existing.after(feed, attempt, counts, now, self._chance)
        if attempt.document and attempt.answer:
            columns["last_fetch_hash"] = attempt.answer.md5
        return columns
