"""The web archive: follows a URL through its captures, or has it captured (spec 3.2, 3.3)."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from indexer.errors import FilesetError
from indexer.filesets.wayback.cdx import CDXIndex
from indexer.filesets.wayback.options import ArchiveKeys, WaybackOptions
from indexer.filesets.wayback.replay import WAYBACK_ERROR, Replay
from indexer.filesets.wayback.retrying import RetryingClient
from indexer.filesets.wayback.rows import CDXRow, ChosenRow, best
from indexer.filesets.wayback.save import Alive, SavedPage, SavePageNow, unwatched
from indexer.http.fetching.client import Client
from indexer.http.fetching.recording import Record

MAX_HOPS: Final = 25
NO_CAPTURE: Final = "no-capture"
BAD_STATUS: Final = "terminal-bad-status"

_INDEXING: Final = (1, 2)
"""Pauses until a new capture is in the index: 9 seconds, if a pause is 3."""


@dataclass(slots=True)
class Trail:
    """The way from a URL through the captures of its redirects.

    `row` is the capture of the last hop, None without one; `revisit` the revisit that led to it.
    `error` is why `row` has no body of the URL.
    """

    hops: list[str]
    row: CDXRow | None = None
    revisit: CDXRow | None = None
    error: FilesetError | None = None

    def add(self, found: ChosenRow) -> CDXRow:
        """Add the capture of the last hop."""
        self.row, self.revisit = found
        return found.row


class WebArchive:
    """Finds captures, and makes new ones. `replay` reads them."""

    def __init__(
        self,
        client: Client,
        options: WaybackOptions,
        keys: ArchiveKeys,
        *,
        record: Record | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """`record` gets each exchange with an API, as evidence. Raises ConfigurationError."""
        retrying = RetryingClient(client, options.wayback_pause, sleep)
        self.replay = Replay(retrying, options.wayback_url, record=record)
        self.can_save = options.spn2
        self._index = CDXIndex(retrying, options, record=record)
        self._saving = SavePageNow(client, options, keys, record=record, sleep=sleep)
        self._pause = options.wayback_pause
        self._sleep = sleep

    def find(self, url: str, mimetype: str = "") -> Trail:
        """The best captures on the way from a URL to its body; `mimetype` is the wanted one."""
        trail = Trail([url])
        try:
            while (target := self._step(trail, mimetype)) is not None:
                _add_hop(trail, target)
        except FilesetError as error:
            trail.error = error
        return trail

    def save(self, url: str, mimetype: str = "", alive: Alive = unwatched) -> Trail:
        """A new capture of a URL by Save Page Now, with all redirects.

        `alive` is called while it is made; it may raise to stop waiting.
        """
        trail = Trail([url])
        try:
            saved = self._saving.save(url, alive)
            if saved.url != url:
                trail.hops.append(saved.url)
            row = trail.add(self._new(saved, mimetype))
            if not row.is_success:
                raise FilesetError(BAD_STATUS, f"{row.url}: HTTP {row.status_code}")
        except FilesetError as error:
            trail.error = error
            return trail
        if saved.url != url:
            way = self.find(url)
            trail.hops = way.hops if way.hops[-1] == saved.url else trail.hops
        return trail

    def rest(self, pauses: int) -> None:
        """Wait before the archive is asked again."""
        self._sleep(pauses * self._pause)

    def _step(self, trail: Trail, mimetype: str) -> str | None:
        """Add the capture of the last hop; the URL to which it redirects, if it does."""
        url = trail.hops[-1]
        found = best(self._index.rows(url), url, mimetype)
        if found is None:
            raise FilesetError(NO_CAPTURE, f"the web archive has no capture of {url}")
        row = trail.add(found)
        if row.is_redirect:
            target = self.replay.target(row)
            if target == url != row.url:
                # http: and https: share a key of the index; only one of them was captured.
                trail.row = trail.revisit = None
                raise FilesetError(NO_CAPTURE, f"the web archive only has a redirect to {url}")
            return target
        if not row.is_success:
            raise FilesetError(BAD_STATUS, f"{url}: captured with HTTP {row.status_code}")
        return None

    def _new(self, saved: SavedPage, mimetype: str) -> ChosenRow:
        """The row of a new capture. Raises FilesetError if the index lacks it."""
        for pause in (*_INDEXING, None):
            rows = self._index.rows(saved.url)
            if found := best(rows, saved.url, mimetype, saved.timestamp, exact=True):
                return found
            if pause:
                self.rest(pause)
        raise FilesetError("spn2-cdx-lookup-failure", f"{saved.url}: {saved.timestamp}")


def saved_error(error: FilesetError) -> FilesetError:
    """The error of a new capture that can't be replayed (spec 3.3)."""
    is_replay = error.status == WAYBACK_ERROR
    return FilesetError("spn2-wayback-error", error.why) if is_replay else error


def _add_hop(trail: Trail, target: str) -> None:
    if target in trail.hops:
        raise FilesetError("redirect-loop", f"back to {target}")
    if len(trail.hops) > MAX_HOPS:
        raise FilesetError("redirects-exceeded", f"more than {MAX_HOPS} redirects")
    trail.hops.append(target)
    trail.row = trail.revisit = None
