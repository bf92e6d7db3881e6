"""The client of a directory of feeds: what there is, page by page (feeds.md 11).

GET <url>/api/version                                                 →  {"now": 1700000000.5, …}
GET <url>/api/sources/feeds/?modified_since=…&modified_before=…&limit=…&offset=…
                                                                      →  {"results": [feed, …]}
"""

import math
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Annotated, Any, NamedTuple
from urllib.parse import urlencode

from pydantic import Field, SecretStr

from indexer.errors import ConfigurationError, InputError
from indexer.feeds.registry.feed_spec import LARGEST_ID, NAME_LENGTH, as_moment
from indexer.http.json_service import (
    Advice,
    AnswerLimits,
    JSONService,
    Unavailable,
    checked_agent,
    json_of,
)
from indexer.system.options import Options, option
from indexer.text.cleaning import clean, one_line

ADVICE = Advice(
    url="MCWEB_URL",
    refused="check MCWEB_TOKEN",
    too_large="ask for fewer feeds (--page-size)",
)

VERSION_PATHS = ("/api/version", "/api/version/")
"""Some servers know it under one of these only."""

MAX_PAGE_BYTES = 64_000_000
CONNECT_SECONDS = 10.0
PAUSES = (1.0, 5.0, 20.0)
"""Seconds between two tries for one answer."""

LONGEST_PAUSE = 120.0
"""No directory is waited for longer, whatever it asks for."""

VERSION, FETCH, SHRUNK, FORMAT = 1, 2, 3, 4
"""The exit statuses of a sync (feeds.md 11); the third is our own."""


class DirectoryOptions(Options):
    """What one can say of the directory."""

    mcweb_url: str = option(
        "https://search.mediacloud.org", "the directory; /api/… is added", "MCWEB_URL"
    )
    mcweb_token: SecretStr = option(SecretStr(""), "our token there", "MCWEB_TOKEN")
    mcweb_timeout: Annotated[float, Field(gt=0)] = option(
        60.0, "seconds for an answer of the directory", "MCWEB_TIMEOUT"
    )
    mcweb_user_agent: str = option(
        "story-indexer feeds sync", "the User-Agent header", "MCWEB_USER_AGENT"
    )


class SyncError(InputError):
    """Why a sync was given up; nothing was changed. `status` is the program's."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


class Listed(NamedTuple):
    """A feed, as the directory has it. Without a URL it is not usable, but it is there."""

    id: int
    url: str
    name: str | None
    sources_id: int | None
    active: bool
    created_at: datetime | None


class FeedDirectory:
    """One directory. Its methods raise SyncError."""

    def __init__(
        self,
        options: DirectoryOptions,
        sleep: Callable[[float], object] = time.sleep,
        pause: float = 0.5,
        page_size: int = 1000,
    ) -> None:
        """`pause`: seconds between two pages. Raises ConfigurationError."""
        token = options.mcweb_token.get_secret_value().strip()
        if not token:
            raise ConfigurationError("not given: MCWEB_TOKEN, or MCWEB_TOKEN_FILE")
        if not (token.isascii() and token.isprintable() and " " not in token):
            raise ConfigurationError("MCWEB_TOKEN: it has to be one word of ASCII")
        agent = checked_agent(options.mcweb_user_agent, "MCWEB_USER_AGENT")
        headers = {"Authorization": f"Token {token}", "User-Agent": agent}
        seconds = options.mcweb_timeout
        limits = AnswerLimits(min(CONNECT_SECONDS, seconds), seconds, seconds, MAX_PAGE_BYTES)
        self._service = JSONService("directory", options.mcweb_url, headers, limits, ADVICE)
        self._sleep = sleep
        self._pause = pause
        self._page_size = page_size
        self.server = self._service.server

    def now(self) -> float:
        """The directory's time, in seconds since 1970: what is changed later has a later one."""
        try:
            found = self._version()
        except (InputError, ConfigurationError) as error:
            raise SyncError(VERSION, str(error)) from error
        now = found.get("now") if isinstance(found, dict) else None
        if (moment := _number(now)) is None:
            raise SyncError(VERSION, f"directory {self.server}: its version says no time (now)")
        return moment

    def feeds(self, modified_since: float, modified_before: float) -> Iterator[list[Listed]]:
        """The feeds that were changed in that time, page by page until an empty one.

        A page that has nothing new is an error: the pages that follow would be missing.
        """
        seen: set[int] = set()
        offset = 0
        while page := self._page(modified_since, modified_before, offset):
            before = len(seen)
            seen.update(feed.id for feed in page)
            if len(seen) == before:
                raise self._unreadable(f"the page from {offset} on repeats what was sent before")
            yield page
            offset += len(page)
            self._sleep(self._pause)

    def _version(self) -> object:
        first, second = VERSION_PATHS
        try:
            return json_of(self._patiently(first))
        except Unavailable:
            raise
        except InputError:
            return json_of(self._patiently(second))

    def _page(self, since: float, before: float, offset: int) -> list[Listed]:
        query = urlencode(
            {
                "modified_since": f"{since:.6f}".rstrip("0").rstrip("."),
                "modified_before": f"{before:.6f}".rstrip("0").rstrip("."),
                "limit": self._page_size,
                "offset": offset,
            }
        )
        try:
            found = json_of(self._patiently(f"/api/sources/feeds/?{query}"))
        except (InputError, ConfigurationError) as error:
            raise SyncError(FETCH, str(error)) from error
        rows = found.get("results") if isinstance(found, dict) else found
        if not isinstance(rows, list):
            raise self._unreadable(f"the page from {offset} on is no list of feeds")
        return [self._listed(row, offset + number) for number, row in enumerate(rows)]

    def _listed(self, row: object, number: int) -> Listed:
        if isinstance(row, dict) and (id := _as_id(row.get("id"))) is not None:
            return _listed(id, row)
        # A feed that is there couldn't be told from one that is missing.
        raise self._unreadable(f"the feed at {number} has no id")

    def _patiently(self, path: str) -> bytes:
        """An answer; if the directory is busy or away it is asked a few times."""
        for pause in PAUSES:
            try:
                return self._service.get(path)
            except Unavailable as error:
                self._sleep(min(max(error.wait or 0.0, pause), LONGEST_PAUSE))
        return self._service.get(path)

    def _unreadable(self, why: str) -> SyncError:
        return SyncError(FORMAT, f"directory {self.server}: {why}")


def _listed(id: int, row: dict[str, Any]) -> Listed:
    url, name, source = row.get("url"), row.get("name"), row.get("source")
    created = row.get("created_at")
    return Listed(
        id,
        clean(url).strip() if isinstance(url, str) else "",
        one_line(name, NAME_LENGTH) or None if isinstance(name, str) else None,
        _as_id(source),
        bool(row.get("admin_rss_enabled", True)),
        as_moment(created) if isinstance(created, str) else None,
    )


def _as_id(value: object) -> int | None:
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return value if isinstance(value, int) and is_number and 0 < value <= LARGEST_ID else None


def _number(value: object) -> float | None:
    """Seconds since 1970, as a number or written out, or as a date of ISO 8601."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        moment = as_moment(value) if isinstance(value, str) else None
        number = moment.replace(tzinfo=UTC).timestamp() if moment else math.nan
    return number if math.isfinite(number) and number > 0 else None
