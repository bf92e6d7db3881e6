"""A client of an rss-fetcher's API: the entries of feeds, page by page, in the order of their ids.

GET <url>/api/rss_entries/<first id>?_limit=<n>  →  {"status": "OK", "results": [row, …]}
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC

from pydantic import SecretStr

from indexer.errors import ConfigurationError, InputError
from indexer.http.bounded_requests import AnswerLimits
from indexer.http.fetching.options import checked_agent
from indexer.http.json_service import (
    Advice,
    JSONService,
    Unavailable,
    basic,
    explanation,
    is_busy,
    json_of,
)
from indexer.http.urls.parts import has_user
from indexer.stories.queuers.feeds import TITLE_LENGTH, as_number, as_text, rfc_2822
from indexer.stories.story import RSSEntry, Story
from indexer.system.options import Options, option
from indexer.text.cleaning import clean, one_line
from indexer.text.dates import parse_date

# An id that is much higher than the one before is a mistake of the server. A bookmark at such an id
# would skip all entries that come.
LARGEST_GAP = 100_000_000

_BREAKS = re.compile(r"[\t\r\n]+")


@dataclass(frozen=True, slots=True)
class EntryRow:
    """A row of a page as the server sent it: any field may be missing or of a wrong type."""

    sent: Mapping[str, object]

    @property
    def id(self) -> int | None:
        """The entry's number; None if it is unusable."""
        return as_number(self.sent.get("id"))

    def story(self, server: str) -> Story:
        """The story to fetch; unusable fields are None."""
        entry = RSSEntry(
            link=_url(as_text(self.sent.get("url"))),
            title=one_line(as_text(self.sent.get("title")), TITLE_LENGTH) or None,
            domain=one_line(as_text(self.sent.get("domain"))) or None,
            pub_date=rfc_2822(as_text(self.sent.get("published_at"))),
            fetch_date=_day(as_text(self.sent.get("fetched_at"))),
            source_url=_url(as_text(self.sent.get("feed_url"))),
            source_feed_id=as_number(self.sent.get("feed_id")),
            source_source_id=as_number(self.sent.get("sources_id")),
            via=server if self.id is None else f"{self.id}@{server}",
        )
        return Story(rss_entry=entry)


def usable(rows: Sequence[EntryRow], last: int | None) -> list[EntryRow]:
    """The rows of a page; a row whose id is far above that of the row before loses its id.

    `last` is the id of the entry before the page, if it is known.
    """
    found: list[EntryRow] = []
    for row in rows:
        if last is not None and row.id is not None and row.id - last > LARGEST_GAP:
            row = EntryRow({**row.sent, "id": None})  # noqa: PLW2901 - the same entry, without its id
        last = row.id if row.id is not None else last
        found.append(row)
    return found


def check_order(rows: Sequence[EntryRow], first: int) -> None:
    """Raises InputError if a full page doesn't tell at which id the next page begins."""
    ids = [row.id for row in rows if row.id is not None]
    if not any(each >= first for each in ids):
        raise InputError(
            f"the page from {first} on is full, but has no id that high: the next request would "
            "return the same page"
        )
    if ids != sorted(ids):
        raise InputError(
            f"the page from {first} on is not in the order of ids: the next page is unknown"
        )


def _url(text: str) -> str | None:
    """A URL as browsers read it: without line breaks in it, and without blanks around it."""
    return _BREAKS.sub("", clean(text)).strip() or None


def _day(text: str) -> str | None:
    """The day of a date and time, in UTC."""
    try:
        moment = parse_date(text)
        return moment.astimezone(UTC).date().isoformat() if moment else None
    except OverflowError:
        return None  # in UTC, before the year 1 or after 9999


ADVICE = Advice(
    url="--rss-fetcher-url",
    refused="check --rss-fetcher-user and --rss-fetcher-pass",
    too_large=(
        "ask for fewer entries (--rss-fetcher-batch-size), or allow more (--rss-fetcher-max-bytes)"
    ),
)


class RSSFetcherOptions(Options):
    """Options of programs that query an rss-fetcher."""

    rss_fetcher_url: str = option("", "URL of the rss-fetcher, without /api/…", "RSS_FETCHER_URL")
    rss_fetcher_user: str = option("", "user name for the rss-fetcher", "RSS_FETCHER_USER")
    rss_fetcher_pass: SecretStr = option(
        SecretStr(""), "password for the rss-fetcher", "RSS_FETCHER_PASS"
    )
    rss_fetcher_user_agent: str = option(
        "story-indexer rss-queuer.py", "the User-Agent header", "RSS_FETCHER_USER_AGENT"
    )
    rss_fetcher_connect_timeout: float = option(
        10.0, "seconds to connect", "RSS_FETCHER_CONNECT_TIMEOUT"
    )
    rss_fetcher_read_timeout: float = option(
        60.0, "most seconds without a byte", "RSS_FETCHER_READ_TIMEOUT"
    )
    rss_fetcher_total_timeout: float = option(
        300.0, "most seconds for a page", "RSS_FETCHER_TOTAL_TIMEOUT"
    )
    rss_fetcher_max_bytes: int = option(
        64_000_000, "largest page, in bytes", "RSS_FETCHER_MAX_BYTES"
    )


class RSSFetcher:
    """One rss-fetcher. `server` is its host, with the port unless it is the scheme's default."""

    def __init__(self, options: RSSFetcherOptions) -> None:
        """Raises ConfigurationError."""
        _check_given(options)
        limits = AnswerLimits(
            options.rss_fetcher_connect_timeout,
            options.rss_fetcher_read_timeout,
            options.rss_fetcher_total_timeout,
            options.rss_fetcher_max_bytes,
        )
        agent = checked_agent(options.rss_fetcher_user_agent, "--rss-fetcher-user-agent")
        self._service = JSONService(
            "rss-fetcher",
            options.rss_fetcher_url,
            limits,
            ADVICE,
            authorization=_authorization(options),
            headers={"User-Agent": agent},
        )
        self.server = self._service.server

    def url(self, first: int, limit: int) -> str:
        """The URL of a page: `limit` entries from the id `first` on."""
        return self._service.url(_path(first, limit))

    def page(self, first: int, limit: int) -> list[EntryRow]:
        """At most `limit` entries from the id `first` on, in the server's order.

        Raises Unavailable if a later request may succeed, InputError if it will fail too, and
        ConfigurationError if the server refuses the user.
        """
        body = self._service.get(_path(first, limit))
        with self._service.named_errors():
            return _rows(body)


def _path(first: int, limit: int) -> str:
    return f"/api/rss_entries/{first}?_limit={limit}"


def _check_given(options: RSSFetcherOptions) -> None:
    """Raises ConfigurationError unless URL, user and password are given."""
    given = {"URL": options.rss_fetcher_url}
    if not has_user(options.rss_fetcher_url):
        given["USER"] = options.rss_fetcher_user
        given["PASS"] = options.rss_fetcher_pass.get_secret_value()
    if missing := [name for name, value in given.items() if not value.strip()]:
        names = ", ".join(f"--rss-fetcher-{name.lower()} (RSS_FETCHER_{name})" for name in missing)
        raise ConfigurationError(f"not given: {names}")
    if ":" in options.rss_fetcher_user:
        raise ConfigurationError("--rss-fetcher-user: a colon is not allowed (RFC 7617)")


def _authorization(options: RSSFetcherOptions) -> str:
    """The value of the header; "" if the user is in the URL."""
    user, password = options.rss_fetcher_user, options.rss_fetcher_pass.get_secret_value()
    return basic(user, password) if user or password else ""


def _rows(body: bytes) -> list[EntryRow]:
    """The rows of an answer. Raises Unavailable, InputError."""
    envelope = json_of(body)
    if not isinstance(envelope, dict):
        raise InputError("not the answer of an rss-fetcher: not a JSON object")
    status, rows = envelope.get("status"), envelope.get("results")
    if status != "OK":
        what = f"status {one_line(as_text(status), 20) or 'missing'}{explanation(body)}"
        # rss-fetchers report errors with HTTP status 200, and the real one in the envelope.
        if is_busy(as_number(envelope.get("statusCode")) or 0):
            raise Unavailable(what)
        raise InputError(what)
    if not isinstance(rows, list):
        raise InputError("an answer without a list of results")
    return [EntryRow(row if isinstance(row, dict) else {}) for row in rows]
