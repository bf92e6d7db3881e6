"""The client of a directory's API, which lists feeds page by page (feeds.md 11).

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
from indexer.http.bounded_requests import AnswerLimits
from indexer.http.fetching.options import checked_agent
from indexer.http.json_service import Advice, JSONService, Unavailable, json_of
from indexer.system.options import Options, option
from indexer.text.cleaning import clean, one_line

ADVICE = Advice(
    url="MCWEB_URL",
    refused="check MCWEB_TOKEN",
    too_large="ask for fewer feeds (--page-size)",
)

VERSION_PATHS = ("/api/version", "/api/version/")
"""Some servers answer to only one of these."""

MAX_PAGE_BYTES = 64_000_000
CONNECT_SECONDS = 10.0
PAUSES = (1.0, 5.0, 20.0)
"""Seconds before each new attempt at one request."""

LONGEST_PAUSE = 120.0
"""The longest pause in seconds, even if Retry-After asks for more."""

VERSION, FETCH, SHRUNK, FORMAT = 1, 2, 3, 4
"""The exit statuses of a sync (feeds.md 11), and one of our own: too many feeds are missing."""


class DirectoryOptions(Options):
    """Options of the directory's client."""

    mcweb_url: str = option(
        "https://search.mediacloud.org", "URL of the directory, without /api/…", "MCWEB_URL"
    )
    mcweb_token: SecretStr = option(SecretStr(""), "token for the directory's API", "MCWEB_TOKEN")
    mcweb_timeout: Annotated[float, Field(gt=0)] = option(
        60.0, "longest time in seconds for one answer of the directory", "MCWEB_TIMEOUT"
    )
    mcweb_user_agent: str = option(
        "story-indexer feeds sync", "the User-Agent header", "MCWEB_USER_AGENT"
    )


class SyncError(InputError):
    """A sync failed and changed nothing. `status` is the program's exit status."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


class Listed(NamedTuple):
    """A feed as the directory lists it. One without a URL can't be polled, but is not missing."""

    id: int
    url: str
    name: str | None
    sources_id: int | None
    active: bool
    created_at: datetime | None


class FeedDirectory:
    """Asks one directory. Its methods raise SyncError."""

    def __init__(
        self,
        options: DirectoryOptions,
        sleep: Callable[[float], object] = time.sleep,
        pause: float = 0.5,
        page_size: int = 1000,
    ) -> None:
        """`pause` is in seconds, between two pages. Raises ConfigurationError."""
        token = options.mcweb_token.get_secret_value().strip()
        if not token:
            raise ConfigurationError("not given: MCWEB_TOKEN, or MCWEB_TOKEN_FILE")
        if not (token.isascii() and token.isprintable() and " " not in token):
            raise ConfigurationError("MCWEB_TOKEN has to be one word of ASCII")
        agent = checked_agent(options.mcweb_user_agent, "MCWEB_USER_AGENT")
        seconds = options.mcweb_timeout
        limits = AnswerLimits(min(CONNECT_SECONDS, seconds), seconds, seconds, MAX_PAGE_BYTES)
        self._service = JSONService(
            "directory",
            options.mcweb_url,
            limits,
            ADVICE,
            authorization=f"Token {token}",
            headers={"User-Agent": agent},
        )
        self._sleep = sleep
        self._pause = pause
        self._page_size = page_size
        self.server = self._service.server

    def now(self) -> float:
        """Return the directory's time, in seconds since 1970: its clock dates its changes."""
        try:
            found = self._version()
        except ConfigurationError as error:
            # A refused token says nothing of the version: it is the same error as for a page.
            raise SyncError(FETCH, str(error)) from error
        except InputError as error:
            raise SyncError(VERSION, str(error)) from error
        now = found.get("now") if isinstance(found, dict) else None
        if (moment := _number(now)) is None:
            raise SyncError(VERSION, f"directory {self.server}: its version has no time (now)")
        return moment

    def feeds(self, modified_since: float, modified_before: float) -> Iterator[list[Listed]]:
        """Yield the feeds changed between two times, page by page until an empty page.

        A page that only repeats feeds is an error: a server that ignores `offset` would never end.
        """
        seen: set[int] = set()
        offset = 0
        while page := self._page(modified_since, modified_before, offset):
            before = len(seen)
            seen.update(feed.id for feed in page)
            if len(seen) == before:
                raise self._unreadable(f"the page from {offset} on repeats what was sent before")
            yield page
            # A server may send fewer feeds than requested, in the middle of the list, too.
            offset += len(page)
            self._sleep(self._pause)

    def _version(self) -> object:
        first, second = VERSION_PATHS
        try:
            return json_of(self._patiently(first))
        except Unavailable:
            # A server that is away is away for the other path, too.
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
            raise self._unreadable(f"the page from {offset} on is not a list of feeds")
        return [self._listed(row, offset + number) for number, row in enumerate(rows)]

    def _listed(self, row: object, number: int) -> Listed:
        if isinstance(row, dict) and (id := _as_id(row.get("id"))) is not None:
            return _listed(id, row)
        # Without its id this feed would count as missing, and a full sync would remove it.
        raise self._unreadable(f"the feed at {number} has no id")

    def _patiently(self, path: str) -> bytes:
        """Return the body of an answer; a directory that is busy or away is asked again."""
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
    # In Python, `True` is an int.
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return value if isinstance(value, int) and is_number and 0 < value <= LARGEST_ID else None


def _number(value: object) -> float | None:
    """Read seconds since 1970 from a number, its text, or a date of ISO 8601."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        moment = as_moment(value) if isinstance(value, str) else None
        number = moment.replace(tzinfo=UTC).timestamp() if moment else math.nan
    return number if math.isfinite(number) and number > 0 else None
