"""Brakes sites whose pages exhaust the extractors: their next pages get less CPU time."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable

from indexer.news.canonical_domains import canonical_domain

LEAST_SECONDS = 2.0
"""The CPU time that every page gets. An ordinary page takes a tenth of it."""

FORGOTTEN_AFTER = 3600.0
"""Seconds without such a page after which a site has the whole limit again."""

MAX_SITES = 10_000


class SiteBrake:
    """The CPU seconds for the extraction of a page, by the domain of its URL. Thread-safe.

    Each page that exhausts a limit halves the seconds of its site's next pages. No page is refused
    for its neighbours, and a site that sends nothing else costs 2 s a page in place of 30.
    """

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = seconds
        self._clock = clock
        self._lock = threading.Lock()
        # The number of such pages and the time of the last one, the site of the latest at the end.
        self._sites: OrderedDict[str, tuple[int, float]] = OrderedDict()

    def seconds(self, url: str) -> float:
        """The CPU seconds for a page with this URL."""
        # Most parsers never see such a page, and need no list of public suffixes.
        if not self._sites:
            return self._most
        with self._lock:
            pages = self._exhausting(canonical_domain(url))
        return min(self._most, max(LEAST_SECONDS, self._most * 0.5**pages))

    def exhausted(self, url: str) -> None:
        """Count a page that exhausted a limit."""
        site = canonical_domain(url)
        with self._lock:
            self._sites[site] = (self._exhausting(site) + 1, self._clock())
            self._sites.move_to_end(site)
            if len(self._sites) > MAX_SITES:
                self._sites.popitem(last=False)

    def _exhausting(self, site: str) -> int:
        pages, last = self._sites.get(site, (0, 0.0))
        return pages if self._clock() - last < FORGOTTEN_AFTER else 0
