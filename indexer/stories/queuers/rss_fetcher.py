"""The API of an rss-fetcher: the entries that it found in feeds, page by page, by their ids.

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
    is_busy,
    json_of,
    said,
)
from indexer.stories.queuers.rss_entries import EntryRow, as_number, as_text
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
    """Part of the options of every program that asks an rss-fetcher."""

    rss_fetcher_url: str = option("", "the rss-fetcher; /api/… is added", "RSS_FETCHER_URL")
    rss_fetcher_user: str = option("", "who we are there", "RSS_FETCHER_USER")
    rss_fetcher_pass: SecretStr = option(SecretStr(""), "our password there", "RSS_FETCHER_PASS")
    rss_fetcher_user_agent: str = option(
        "story-indexer rss-queuer.py", "the User-Agent header", "RSS_FETCHER_USER_AGENT"
    )
    rss_fetcher_connect_timeout: float = option(
        10.0, "seconds to connect", "RSS_FETCHER_CONNECT_TIMEOUT"
    )
    rss_fetcher_read_timeout: float = option(
        60.0, "seconds without a byte", "RSS_FETCHER_READ_TIMEOUT"
    )
    rss_fetcher_total_timeout: float = option(
        300.0, "seconds for a page", "RSS_FETCHER_TOTAL_TIMEOUT"
    )
    rss_fetcher_max_bytes: int = option(64_000_000, "largest page", "RSS_FETCHER_MAX_BYTES")


class RSSFetcher:
    """One rss-fetcher. `server` is its host, and its port unless that is the scheme's own."""

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
        """The URL of a page: the entries from an id on, so many."""
        return self._service.url(_path(first, limit))

    def page(self, first: int, limit: int) -> list[EntryRow]:
        """The entries from an id on, at most so many, as the server orders them.

        Raises Unavailable when it may be asked again, InputError when that is no use, and
        ConfigurationError when it doesn't let us in.
        """
        body = self._service.get(_path(first, limit))
        with self._service.named_errors():
            return _rows(body)


def _path(first: int, limit: int) -> str:
    return f"/api/rss_entries/{first}?_limit={limit}"


def _check_given(options: RSSFetcherOptions) -> None:
    """All three or nothing works."""
    given = {
        "URL": options.rss_fetcher_url,
        "USER": options.rss_fetcher_user,
        "PASS": options.rss_fetcher_pass.get_secret_value(),
    }
    if missing := [name for name, value in given.items() if not value.strip()]:
        names = ", ".join(f"--rss-fetcher-{name.lower()} (RSS_FETCHER_{name})" for name in missing)
        raise ConfigurationError(f"not given: {names}")
    if ":" in options.rss_fetcher_user:
        raise ConfigurationError("--rss-fetcher-user: it can't have a colon in it (RFC 7617)")


def _headers(options: RSSFetcherOptions) -> dict[str, str]:
    pair = f"{options.rss_fetcher_user}:{options.rss_fetcher_pass.get_secret_value()}"
    agent = checked_agent(options.rss_fetcher_user_agent, "--rss-fetcher-user-agent")
    return {
        "Authorization": "Basic " + base64.b64encode(pair.encode()).decode("ascii"),
        "User-Agent": agent,
    }


def _rows(body: bytes) -> list[EntryRow]:
    """The rows of an envelope. Raises Unavailable, InputError."""
    envelope = json_of(body)
    if not isinstance(envelope, dict):
        raise InputError("not the answer of an rss-fetcher: no JSON object")
    status, rows = envelope.get("status"), envelope.get("results")
    if status != "OK":
        what = f"status {one_line(as_text(status), 20) or 'missing'}{said(body)}"
        if is_busy(as_number(envelope.get("statusCode")) or 0):
            raise Unavailable(what)
        raise InputError(what)
    if not isinstance(rows, list):
        raise InputError("an answer without a list of results")
    return [EntryRow(row if isinstance(row, dict) else {}) for row in rows]
