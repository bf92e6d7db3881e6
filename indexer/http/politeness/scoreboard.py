"""The politeness of a program: the state of all sites, shared by its threads."""

import random
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice

from indexer.http.politeness.site import Site, SiteLimits

# A sweep looks at every site, so it must not happen at each request.
_SWEEP_SECONDS = 60.0


class Visit:
    """A visit of a site, given by `Scoreboard.visit`; its methods report the result."""

    def __init__(self, board: "Scoreboard", name: str, started: float) -> None:
        self._board = board
        self.site = name
        self.started = started

    def succeeded(self, seconds: float) -> None:
        """The site sent the page, `seconds` after the request."""
        with self._board.lock:
            site, _, limits = self._board.at(self.site)
            site.answered(seconds, data=True)
            site.recovered(self.started, limits)

    def answered(self, seconds: float) -> None:
        """The site sent another answer than the page."""
        with self._board.lock:
            site, _, _ = self._board.at(self.site)
            site.answered(seconds, data=False)

    def throttled(self, retry_after: float | None) -> None:
        """The site answered "too many requests", perhaps with the seconds to wait."""
        with self._board.lock:
            site, now, limits = self._board.at(self.site)
            site.throttle(self.started, now, retry_after, self._board.jitter(), limits)

    def unreachable(self) -> None:
        """No connection, or no answer: the site gets no visits for `skip` seconds."""
        with self._board.lock:
            site, now, limits = self._board.at(self.site)
            site.down = max(site.down, now + limits.skip)


class Scoreboard:
    """The state of all sites. Thread-safe. Its size is limited: the oldest idle sites are removed.

    `jitter` returns numbers from 0 to 1. `lock` protects all sites.
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
        self.lock = threading.Lock()
        self._sites: OrderedDict[str, Site] = OrderedDict()
        self._swept = clock()

    def reserve(self, name: str) -> float:
        """Reserve the next start of a site for a new visit; returns the seconds until then.

        Raises Retry("skipped") if the site is down, Requeue("busy") if the start is too far in the
        future, or if too many visits to the site are waiting already.
        """
        with self.lock:
            site, now, limits = self.at(name)
            return site.reserve(now, limits)

    @contextmanager
    def visit(self, name: str) -> Iterator[Visit]:
        """Visit a site in a worker thread. The reservation is used up in any case.

        Raises Retry("skipped2") and Requeue("busy") like `reserve`, if the site has changed since.
        """
        with self.lock:
            site, started, limits = self.at(name)
            site.start(started, limits)
        try:
            yield Visit(self, name, started)
        finally:
            with self.lock:
                site, now, _ = self.at(name)
                site.end(now)

    def charge(self, name: str) -> None:
        """Count a request without a reservation, such as one for a robots.txt."""
        with self.lock:
            site, now, limits = self.at(name)
            site.charge(now, limits)

    def slow_down(self, name: str, interval: float) -> None:
        """Set the interval that a site asks for (Crawl-delay); longer intervals of ours stay."""
        with self.lock:
            site, _, _ = self.at(name)
            site.floor = interval

    def at(self, name: str) -> tuple[Site, float, SiteLimits]:
        """A site, new if it is unknown, with the time and the limits. The caller holds the lock."""
        now = self._clock()
        site = self._sites.get(name)
        if site is None:
            self._make_room(now)
            site = self._sites[name] = Site(used=now)
        else:
            self._sites.move_to_end(name)
        return site, now, self._limits

    def known(self) -> int:
        """The number of sites."""
        return len(self._sites)

    def sites(self) -> dict[str, Site]:
        """A copy of all sites; the site that was used last is at the end."""
        with self.lock:
            return {name: replace(site) for name, site in self._sites.items()}

    def adopt(self, name: str, site: Site) -> None:
        """Add a recorded site, unless its state no longer matters or the site is known already."""
        with self.lock:
            now = self._clock()
            if name not in self._sites and not site.forgettable(now, self._limits):
                self._make_room(now)
                self._sites[name] = site

    def _make_room(self, now: float) -> None:
        """Remove sites that have long been idle; above the limit the oldest idle sites."""
        forgotten: list[str] = []
        if now - self._swept >= _SWEEP_SECONDS:
            self._swept = now
            known = self._sites.items()
            forgotten = [name for name, site in known if site.forgettable(now, self._limits)]
        elif len(self._sites) >= self._limits.sites:
            idle = (name for name, site in self._sites.items() if not (site.held or site.active))
            # One in a hundred at a time, so that not each new site costs a search.
            forgotten = list(islice(idle, 1 + self._limits.sites // 100))
        for name in forgotten:
            del self._sites[name]
