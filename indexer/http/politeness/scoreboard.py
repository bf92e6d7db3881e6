"""All sites' paces, for many threads: who may start when, and what their answers taught."""

import random
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice

from indexer.http.politeness.site import Site, SiteLimits

_SWEEP_SECONDS = 60.0


class Visit:
    """One story's turn at its site, given by `Scoreboard.visit`. Say how it went."""

    def __init__(self, board: "Scoreboard", name: str, started: float) -> None:
        self._board = board
        self.site = name
        self.started = started

    def succeeded(self, seconds: float) -> None:
        """The site gave what was asked for, `seconds` after it was asked."""
        with self._board.site(self.site) as (site, _, limits):
            site.answered(seconds, data=True)
            site.recovered(self.started, limits)

    def answered(self, seconds: float) -> None:
        """The site gave an answer, but not that."""
        with self._board.site(self.site) as (site, _, _):
            site.answered(seconds, data=False)

    def throttled(self, retry_after: float | None) -> None:
        """The site said "too many requests", and perhaps in how many seconds to come again."""
        with self._board.site(self.site) as (site, now, limits):
            site.throttle(self.started, now, retry_after, self._board.jitter(), limits)

    def unreachable(self) -> None:
        """No connection, or no answer: the site is left alone for some minutes."""
        with self._board.site(self.site) as (site, now, limits):
            site.down = max(site.down, now + limits.skip)


class Scoreboard:
    """Politeness of one program. Thread-safe; bounded: idle sites are forgotten, oldest first.

    `jitter` gives numbers from 0 to 1.
    """

    def __init__(
        self,
        limits: SiteLimits,
        clock: Callable[[], float] = time.monotonic,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self.jitter = jitter
        self._limits = limits
        self._clock = clock
        self._lock = threading.Lock()
        self._sites: OrderedDict[str, Site] = OrderedDict()
        self._swept = clock()

    def reserve(self, name: str) -> float:
        """Take a site's next start, on a story's arrival; in how many seconds that is.

        Raises Retry("skipped") when the site is down, Requeue("busy") when its turn is too far
        off or too many of its stories wait already.
        """
        with self.site(name) as (site, now, limits):
            return site.reserve(now, limits)

    @contextmanager
    def visit(self, name: str) -> Iterator[Visit]:
        """A story's turn, in a worker thread. What was reserved for it is used up in any case.

        Raises Retry("skipped2") and Requeue("busy") like `reserve`, for what came up meanwhile.
        """
        with self.site(name) as (site, started, limits):
            site.start(started, limits)
        try:
            yield Visit(self, name, started)
        finally:
            with self.site(name) as (site, now, _):
                site.end(now)

    def charge(self, name: str) -> None:
        """Count a request that nobody reserved: of a robots.txt, say."""
        with self.site(name) as (site, now, limits):
            site.charge(now, limits)

    def slow_down(self, name: str, interval: float) -> None:
        """Note the interval that a site asks for; it applies where it is the longest."""
        with self.site(name) as (site, _, _):
            site.floor = interval

    @contextmanager
    def site(self, name: str) -> Iterator[tuple[Site, float, SiteLimits]]:
        """One site, locked, with the time and the limits; made when it isn't known."""
        with self._lock:
            now = self._clock()
            site = self._sites.get(name)
            if site is None:
                self._make_room(now)
                site = self._sites[name] = Site(used=now)
            else:
                self._sites.move_to_end(name)
            yield site, now, self._limits

    def known(self) -> int:
        """How many sites are known."""
        return len(self._sites)

    def sites(self) -> dict[str, Site]:
        """A copy of all that is known; the site that was used last is at the end."""
        with self._lock:
            return {name: replace(site) for name, site in self._sites.items()}

    def adopt(self, name: str, site: Site) -> None:
        """Take up what was known of a site, unless it no longer matters or more is known."""
        with self._lock:
            now = self._clock()
            if name not in self._sites and not site.forgettable(now, self._limits):
                self._make_room(now)
                self._sites[name] = site

    def _make_room(self, now: float) -> None:
        """Forget sites that have been idle for long, and when there are too many, the oldest."""
        forgotten: list[str] = []
        if now - self._swept >= _SWEEP_SECONDS:
            self._swept = now
            known = self._sites.items()
            forgotten = [name for name, site in known if site.forgettable(now, self._limits)]
        elif len(self._sites) >= self._limits.sites:
            idle = (name for name, site in self._sites.items() if not (site.held or site.active))
            forgotten = list(islice(idle, 1 + self._limits.sites // 100))
        for name in forgotten:
            del self._sites[name]
