"""One site's pace: how it answered, and when it may be visited next. No lock, no clock.

All times are seconds of the caller's clock, `now` is always an argument.
"""

from dataclasses import dataclass, replace
from typing import Self

from indexer.errors import Requeue, Retry

_WEIGHT = 0.25
"""Of the newest latency in the average (stories.md 6.2)."""


@dataclass(frozen=True, slots=True)
class SiteLimits:
    """What an operator decides; the defaults are those of stories.md 6.1, in seconds.

    `held`: stories of a site that may wait in memory. `wait`: the longest that one may.
    `skip`: how long a site is left alone after it could not be reached. `back_off`: the longest
    interval that a site can bring about by answers 429. `memory`: how long an idle site is known.
    """

    concurrency: int = 4
    min_interval: float = 5.0
    initial_interval: float = 5.0
    throttle_interval: float = 30.0
    held: int = 1
    wait: float = 120.0
    skip: float = 600.0
    back_off: float = 3600.0
    memory: float = 3600.0
    sites: int = 20_000


@dataclass(slots=True)
class Site:
    """What is known of one site.

    `latency`: exponential average, None before the first answer. `floor`: the interval that it
    asks for itself (Crawl-delay). `back_off`: the interval since it throttled us. `blocked`: told
    not to come before. `down`: unreachable, left alone until then. `throttled`: when it said 429.
    """

    latency: float | None = None
    floor: float = 0.0
    back_off: float = 0.0
    next_start: float = 0.0
    blocked: float = 0.0
    down: float = 0.0
    throttled: float | None = None
    used: float = 0.0
    held: int = 0
    active: int = 0

    def interval(self, limits: SiteLimits) -> float:
        """Seconds between two starts."""
        latency, first = self.latency, limits.initial_interval
        own = first if latency is None else latency / limits.concurrency
        return max(limits.min_interval, own, self.floor, self.back_off)

    def reserve(self, now: float, limits: SiteLimits) -> float:
        """Take the next start; in how many seconds that is. Raises Retry, Requeue."""
        self.used = now
        self._open("skipped", now, limits)
        wait = max(0.0, self.next_start - now, self.blocked - now)
        if wait > limits.wait:
            raise Requeue("busy", f"its turn would be in {wait:.0f} s")
        if self.held >= limits.held:
            raise Requeue("busy", f"{self.held} of its site are waiting")
        self.held += 1
        self.next_start = now + wait + self.interval(limits)
        return wait

    def start(self, now: float, limits: SiteLimits) -> None:
        """What was reserved begins. Raises Retry, Requeue: then the reservation is gone too."""
        self.used = now
        self.held = max(0, self.held - 1)
        self._open("skipped2", now, limits)
        if self.blocked > now:
            raise Requeue("busy", f"its site wants a pause of {self.blocked - now:.0f} s")
        if self.active >= limits.concurrency:
            raise Requeue("busy", f"{self.active} of its site are being fetched")
        self.active += 1

    def _open(self, status: str, now: float, limits: SiteLimits) -> None:
        """Nothing goes to a site that is down, or that asked for a long pause."""
        if self.down > now:
            raise Retry(status, "its site could not be reached just now", drop=True)
        pause = self.blocked - now
        if pause > limits.wait and not self.back_off:
            # No try was made, so none is counted.
            raise Requeue(status, f"its site said: after {pause:.0f} s", delay=pause)

    def charge(self, now: float, limits: SiteLimits) -> None:
        """One more request than was reserved: what comes next comes later."""
        self.next_start = max(self.next_start, now) + self.interval(limits)

    def end(self, now: float) -> None:
        """A visit is over, however it went."""
        self.used = now
        self.active = max(0, self.active - 1)

    def answered(self, seconds: float, *, data: bool) -> None:
        """Learn of a latency. Only data makes the average lower: errors are quick."""
        if data and self.latency is None:
            self.latency = seconds
        elif data or seconds > (self.latency or 0.0):
            known = seconds if self.latency is None else self.latency
            self.latency = known + _WEIGHT * (seconds - known)

    def recovered(self, started: float, limits: SiteLimits) -> None:
        """What was `started` then gave data: the site isn't down.

        Its back-off is halved, until it no longer counts.
        """
        self.down = 0.0
        if self._news(started):
            self.back_off /= 2
        if self.back_off <= max(limits.min_interval, 1.0):
            self.back_off = 0.0

    def throttle(
        self, started: float, now: float, wait: float | None, jitter: float, limits: SiteLimits
    ) -> None:
        """It answered 429, or 503 with Retry-After, to what was `started` then.

        With `wait` it said itself when to come again. Without, the interval becomes the throttle
        interval, and doubles, with a `jitter` of 0 to 1, each time that it says so again to
        something started since.
        """
        if wait is None:
            if self._news(started):
                longer = 2 * self.back_off * (1 + jitter / 4)
                self.back_off = min(max(limits.throttle_interval, longer), limits.back_off)
                self.throttled = now
            wait = self.back_off
        self.blocked = max(self.blocked, now + wait)
        self.next_start = max(self.next_start, self.blocked)

    def _news(self, started: float) -> bool:
        """Whether it speaks of what was started since it throttled us, not of the same burst."""
        return self.throttled is None or started > self.throttled

    def moved(self, seconds: float) -> Self:
        """The same, none held or active, on a clock that shows so many seconds more."""
        return replace(
            self,
            next_start=self.next_start + seconds,
            blocked=self.blocked + seconds,
            down=self.down + seconds,
            used=self.used + seconds,
            throttled=None,
            held=0,
            active=0,
        )

    def forgettable(self, now: float, limits: SiteLimits) -> bool:
        """Whether nothing would be lost that still matters."""
        return not (self.held or self.active) and now >= max(
            self.used + limits.memory, self.blocked, self.down
        )
