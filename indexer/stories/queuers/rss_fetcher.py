"""A client of an rss-fetcher's API: the entries of feeds, page by page, in the order of their ids.

GET <url>/api/rss_entries/<first id>?_limit=<n>  →  {"status": "OK", "results": [row, …]}
"""

import base64

from pydantic import SecretStr

from indexer.errors import ConfigurationError, InputError
from indexer.http.json_service import (
    Advice,
    AnswerLimits,
    JSONService,
    Unavailable,
    checked_agent,
    explanation,
    is_busy,
    json_of,
)
from indexer.stories.queuers.feed_entries import as_number, as_text
from indexer.stories.queuers.rss_entries import EntryRow
from indexer.system.options import Options, option
from indexer.text.cleaning import one_line

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
        url = options.rss_fetcher_url
        self._service = JSONService("rss-fetcher", url, _headers(options), limits, ADVICE)
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
    given = {
        "URL": options.rss_fetcher_url,
        "USER": options.rss_fetcher_user,
        "PASS": options.rss_fetcher_pass.get_secret_value(),
    }
    if missing := [name for name, value in given.items() if not value.strip()]:
        names = ", ".join(f"--rss-fetcher-{name.lower()} (RSS_FETCHER_{name})" for name in missing)
        raise ConfigurationError(f"not given: {names}")
    if ":" in options.rss_fetcher_user:
        raise ConfigurationError("--rss-fetcher-user: a colon is not allowed (RFC 7617)")


def _headers(options: RSSFetcherOptions) -> dict[str, str]:
    pair = f"{options.rss_fetcher_user}:{options.rss_fetcher_pass.get_secret_value()}"
    agent = checked_agent(options.rss_fetcher_user_agent, "--rss-fetcher-user-agent")
    return {
        "Authorization": "Basic " + base64.b64encode(pair.encode()).decode("ascii"),
        "User-Agent": agent,
    }


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
