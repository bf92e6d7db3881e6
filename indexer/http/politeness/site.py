"""The politeness rules for one site: its latency, its interval, its next start.

Pure state without a lock and a clock: times are seconds of the caller's clock.
"""

from dataclasses import dataclass, replace
from typing import Self

from indexer.errors import Requeue, Retry
from indexer.text.dates import http_date

# The weight of the newest latency in the average (stories.md 6.2).
_WEIGHT = 0.25

MAX_SECONDS = 86_400.0
"""The longest pause that a site may ask for: a longer one is a mistake, or means "never"."""

# More digits are a mistake: they would be 30,000 years.
_MAX_DIGITS = 12


@dataclass(frozen=True, slots=True)
class SiteLimits:
    """The operator's limits for every site, in seconds; the defaults are those of stories.md 6.1.

    `held`: the most visits to a site that wait in memory. `wait`: the longest wait of a visit.
    `skip`: the pause after a site could not be reached. `back_off`: the longest interval after
    answers 429. `memory`: the time after which an idle site is removed. `sites`: the most sites.
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
    """The state of one site.

    `latency`: exponential average, None before the first answer. `floor`: the site's Crawl-delay.
    `back_off`: the interval after answers 429. `blocked`: no visits before (Retry-After). `down`:
    unreachable, no visits before. `throttled`: the time of the last answer 429. `held`: visits
    that wait. `active`: visits under way.
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
        """The seconds between two starts."""
        latency, first = self.latency, limits.initial_interval
        own = first if latency is None else latency / limits.concurrency
        return max(limits.min_interval, own, self.floor, self.back_off)

    def reserve(self, now: float, limits: SiteLimits) -> float:
        """Reserve the next start; returns the seconds until then. Raises Retry and Requeue."""
        self.used = now
        self._open("skipped", now, limits)
        wait = max(0.0, self.next_start - now, self.blocked - now)
        if wait > limits.wait:
            raise Requeue("busy", f"its site is free in {wait:.0f} s")
        if self.held >= limits.held:
            raise Requeue("busy", f"{self.held} of its site are waiting")
        self.held += 1
        self.next_start = now + wait + self.interval(limits)
        return wait

    def start(self, now: float, limits: SiteLimits) -> None:
        """Begin a reserved visit. Raises Retry and Requeue; the reservation is used up then too."""
        self.used = now
        self.held = max(0, self.held - 1)
        self._open("skipped2", now, limits)
        if self.blocked > now:
            raise Requeue("busy", f"its site asks for a pause of {self.blocked - now:.0f} s")
        if self.active >= limits.concurrency:
            raise Requeue("busy", f"{self.active} of its site are being fetched")
        self.active += 1

    def _open(self, status: str, now: float, limits: SiteLimits) -> None:
        """Raise Retry for a site that is down, Requeue for a site that asked for a long pause."""
        if self.down > now:
            raise Retry(status, "its site could not be reached just now", drop=True)
        pause = self.blocked - now
        if pause > limits.wait and not self.back_off:
            # No request was sent, so this is no retry: retries are limited.
            raise Requeue(status, f"its site asks for a pause of {pause:.0f} s", delay=pause)

    def charge(self, now: float, limits: SiteLimits) -> None:
        """Count a request without a reservation: the next start is one interval later."""
        self.next_start = max(self.next_start, now) + self.interval(limits)

    def end(self, now: float) -> None:
        """End a visit, whatever its result."""
        self.used = now
        self.active = max(0, self.active - 1)

    def answered(self, seconds: float, *, data: bool) -> None:
        """Update the average latency. Only pages may lower it: error pages come quickly."""
        if data and self.latency is None:
            self.latency = seconds
        elif data or seconds > (self.latency or 0.0):
            known = seconds if self.latency is None else self.latency
            self.latency = known + _WEIGHT * (seconds - known)

    def recovered(self, started: float, limits: SiteLimits) -> None:
        """A visit that began at `started` got a page: the site is up, its back-off is halved."""
        self.down = 0.0
        if self._news(started):
            self.back_off /= 2
        if self.back_off <= max(limits.min_interval, 1.0):
            self.back_off = 0.0

    def throttle(
        self, started: float, now: float, wait: float | None, jitter: float, limits: SiteLimits
    ) -> None:
        """A visit that began at `started` was answered with 429, or with 503 and Retry-After.

        `wait`: the seconds of Retry-After. Without it the interval becomes the throttle interval,
        and doubles with each further answer to a visit that began since, lengthened by `jitter`
        (0 to 1).
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
        """Whether a visit began after the last answer 429: answers to one burst count once."""
        return self.throttled is None or started > self.throttled

    def moved(self, seconds: float) -> Self:
        """The same state for a clock that is `seconds` ahead; no visit is waiting or active."""
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
        """Whether the state no longer matters."""
        return not (self.held or self.active) and now >= max(
            self.used + limits.memory, self.blocked, self.down
        )


def retry_after(value: str | None, now: float, *, longest: float = MAX_SECONDS) -> float | None:
    """The seconds to wait by a header with a number or an HTTP date; None without a valid header.

    `now` is in seconds since the epoch. A longer pause than `longest` is shortened to it.
    """
    text = (value or "").strip()
    if text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS:
        return min(float(text), longest)
    date = http_date(text)
    return min(max(date.timestamp() - now, 0.0), longest) if date else None
