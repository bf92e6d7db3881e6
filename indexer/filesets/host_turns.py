"""When each host may be asked next: by its own limits in headers, and at a pace that it can bear.

turn → wait → request → answer: Retry-After, a reset, 429 → no request to the host before
"""

import time
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Final
from urllib.parse import urlsplit

from indexer.errors import FilesetError, Requeue
from indexer.http.fetching.exchange import Response
from indexer.http.politeness import Scoreboard, SiteLimits, Visit, retry_after
from indexer.text.dates import utc_now

RESETS = ("x-ratelimit-reset", "ratelimit-reset")
LEFT = ("x-ratelimit-remaining", "ratelimit-remaining")

INTERVALS: Final = {"api.figshare.com": 1.0}
"""The seconds between two requests, of hosts that refuse more without naming a limit in headers."""

_EPOCH = 1_000_000_000
"""Seconds since 1970 are above it, seconds to wait are below it."""

_TOGETHER = 100_000


class HostTurns:
    """The turns of all hosts. Thread-safe.

    `longest` is the longest wait in seconds that a host may ask for.
    """

    def __init__(
        self,
        longest: float,
        *,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = utc_now,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        limits = SiteLimits(
            min_interval=0.0,
            initial_interval=0.0,
            throttle_interval=1.0,
            held=_TOGETHER,
            wait=longest,
        )
        self._board = Scoreboard(limits, clock)
        self._longest = longest
        self._clock = clock
        self._now = now
        self._sleep = sleep
        self._answered: dict[str, int] = {}
        for host, seconds in INTERVALS.items():
            self._board.slow_down(host, seconds)

    def wait(self, url: str) -> Visit:
        """Wait for the turn of a URL's host, in which it is asked now.

        Raises FilesetError, with the time to wait, if that is too long: `platform-error` after an
        answer 5xx, else `platform-rate-limited`.
        """
        host = urlsplit(url).netloc
        while True:
            try:
                self._sleep_for(self._board.reserve(host))
                with self._board.visit(host) as visit:
                    return visit
            except Requeue as busy:
                wait = self._left(host)
                if wait > self._longest:
                    is_fault = self._answered.get(host, 0) >= 500
                    status = "platform-error" if is_fault else "platform-rate-limited"
                    why = f"{host}: no calls for {wait:.0f} seconds"
                    raise FilesetError(status, why, wait) from busy

    def answered(self, visit: Visit, response: Response) -> None:
        """Heed an answer to the request of a turn."""
        status, headers = response.status, response.headers
        wait = reset_in(headers, self._now().timestamp())
        if is_limit(response) or (wait is not None and (status == 503 or _none_left(headers))):
            self._answered[visit.site] = status
            visit.throttled(wait)
        elif status < 400:
            visit.succeeded(self._clock() - visit.started)

    def _sleep_for(self, seconds: float) -> None:
        if seconds > 0:
            self._sleep(seconds)

    def _left(self, host: str) -> float:
        with self._board.lock:
            site, now, _ = self._board.at(host)
            return max(site.blocked, site.next_start) - now


def is_limit(response: Response) -> bool:
    """Whether an answer says that the host's limit of requests is reached."""
    status = response.status
    return status == 429 or (status == 403 and _none_left(response.headers))


def reset_in(headers: Mapping[str, str], now: float) -> float | None:
    """The seconds to wait by Retry-After, or by a reset: seconds to wait or since 1970; or None."""
    wait = retry_after(headers.get("retry-after"), now)
    for name in RESETS:
        if wait is None:
            seconds = retry_after(headers.get(name), now, longest=float("inf"))
            wait = seconds - now if seconds is not None and seconds > _EPOCH else seconds
    return None if wait is None else max(wait, 0.0)


def _none_left(headers: Mapping[str, str]) -> bool:
    return any(headers.get(name, "").strip() == "0" for name in LEFT)
