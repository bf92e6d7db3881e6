"""The API of an rss-fetcher: the entries that it found in feeds, page by page, by their ids.

    GET <url>/api/rss_entries/<first id>?_limit=<n>  →  {"status": "OK", "results": [row, …]}

The address is the operator's own, so it may be a private one. Time and size of an answer are
bounded, redirects are not followed, and nothing of the environment is used: no proxies, no .netrc.
"""

import base64
import http.client
import json
import ssl
import time
from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple

import certifi
from pydantic import SecretStr
from urllib3.exceptions import HTTPError

from indexer.addresses import AddressPolicy
from indexer.errors import BadURL, ConfigurationError, FetchError, InputError, TooLarge
from indexer.fetching.bounded import Allowance, tls_context
from indexer.fetching.connection import Dialer, connection
from indexer.fetching.encodings import capped, decoded
from indexer.fetching.reasons import reason
from indexer.fetching.target import Target
from indexer.options import Options, option
from indexer.politeness import retry_after
from indexer.stories.rss_entries import Row, as_number, as_text
from indexer.text import one_line

ANYWHERE = AddressPolicy(["0.0.0.0/0", "::/0"])

HEAD_BYTES = 262_144
MESSAGE_LENGTH = 200


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


class Unavailable(InputError):
    """The rss-fetcher can't answer now, but may soon.

    `wait`: how many seconds it asks for (Retry-After).
    """

    def __init__(self, why: str, wait: float | None = None) -> None:
        super().__init__(why)
        self.wait = wait


class RSSFetcher:
    """One rss-fetcher. `server` is its host, and its port unless that is the scheme's own."""

    def __init__(self, options: RSSFetcherOptions) -> None:
        """Raises ConfigurationError."""
        _check_given(options)
        self._options = options
        self._base = _base(options.rss_fetcher_url)
        self._headers = _headers(options)
        self._dialer = Dialer(ANYWHERE, timeout=options.rss_fetcher_connect_timeout)
        self.server = self._base.origin.partition("://")[2]

    def url(self, first: int, limit: int) -> str:
        """The URL of a page: the entries from an id on, so many."""
        path = self._base.path.rstrip("/")
        return f"{self._base.origin}{path}/api/rss_entries/{first}?_limit={limit}"

    def page(self, first: int, limit: int) -> list[Row]:
        """The entries from an id on, at most so many, as the server orders them.

        Raises Unavailable when it may be asked again, InputError when that is no use, and
        ConfigurationError when it doesn't let us in.
        """
        try:
            return _rows(_body(self._answer(Target.parse(self.url(first, limit)))))
        except Unavailable as error:
            raise Unavailable(f"rss-fetcher {self.server}: {error}", error.wait) from error
        except InputError as error:
            raise InputError(f"rss-fetcher {self.server}: {error}") from error
        except ConfigurationError as error:
            raise ConfigurationError(f"rss-fetcher {self.server}: {error}") from error

    def _answer(self, target: Target) -> "_Answer":
        """The answer to a GET, whole, whatever its status."""
        given = self._options
        most = given.rss_fetcher_max_bytes
        allowance = Allowance(given.rss_fetcher_total_timeout, given.rss_fetcher_read_timeout)
        # Twice, for the sizes of chunks, which are sent along.
        allowance.grant(2 * most + HEAD_BYTES)
        opened = connection(target, self._dialer, allowance, lambda: self._context)
        try:
            opened.request("GET", target.path, headers=self._headers, preload_content=False)
            answer = opened.getresponse()
            sent = capped(iter([answer.read(decode_content=False)]), most)
            encoding = answer.headers.get("content-encoding", "")
            body = b"".join(capped(decoded(sent, encoding, most), most))
            return _Answer(answer.status, answer.headers, body)
        except TooLarge as error:
            raise InputError(
                f"a page of more than {most} bytes: ask for fewer entries "
                "(--rss-fetcher-batch-size), or allow more (--rss-fetcher-max-bytes)"
            ) from error
        except (FetchError, http.client.HTTPException, HTTPError, OSError, ValueError) as error:
            raise Unavailable(reason(error, allowance.late())) from error
        finally:
            opened.close()

    @cached_property
    def _context(self) -> ssl.SSLContext:
        return tls_context(verify=True, authorities=certifi.where())


class _Answer(NamedTuple):
    status: int
    headers: Mapping[str, str]
    body: bytes


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


def _base(url: str) -> Target:
    """Where the API is. Errors don't quote the URL: there may be a password in it."""
    try:
        base = Target.parse(url)
    except BadURL as error:
        raise ConfigurationError(f"--rss-fetcher-url: {error}") from error
    if "?" in url or "#" in url:
        raise ConfigurationError("--rss-fetcher-url: it ends before any ? and #")
    return base


def _headers(options: RSSFetcherOptions) -> dict[str, str]:
    agent = options.rss_fetcher_user_agent
    if not (agent.isascii() and agent.isprintable() and agent.strip()):
        raise ConfigurationError("--rss-fetcher-user-agent: it has to be one line of ASCII")
    pair = f"{options.rss_fetcher_user}:{options.rss_fetcher_pass.get_secret_value()}"
    return {
        "Authorization": "Basic " + base64.b64encode(pair.encode()).decode("ascii"),
        "User-Agent": agent,
        "Accept": "application/json",
        "Accept-Encoding": "gzip",
    }


def _body(answer: _Answer) -> bytes:
    """The body of a good answer. Raises Unavailable, InputError, ConfigurationError."""
    if answer.status == http.client.OK:
        return answer.body
    what = f"HTTP {answer.status}{_said(answer.body)}"
    if answer.status in (http.client.UNAUTHORIZED, http.client.FORBIDDEN):
        raise ConfigurationError(f"{what}: check --rss-fetcher-user and --rss-fetcher-pass")
    if _is_busy(answer.status):
        raise Unavailable(what, retry_after(answer.headers.get("retry-after"), time.time()))
    if 300 <= answer.status < 400:
        to = one_line(answer.headers.get("location", ""), MESSAGE_LENGTH)
        raise InputError(f"{what}: it redirects to {to or 'nowhere'}; --rss-fetcher-url is final")
    raise InputError(what)


def _rows(body: bytes) -> list[Row]:
    """The rows of an envelope. Raises Unavailable, InputError."""
    envelope = _object(body)
    status, rows = envelope.get("status"), envelope.get("results")
    if status != "OK":
        what = f"status {one_line(as_text(status), 20) or 'missing'}{_said(body)}"
        if _is_busy(as_number(envelope.get("statusCode")) or 0):
            raise Unavailable(what)
        raise InputError(what)
    if not isinstance(rows, list):
        raise InputError("an answer without a list of results")
    return [Row(row if isinstance(row, dict) else {}) for row in rows]


def _is_busy(status: int) -> bool:
    """Whether the same question may be answered later."""
    return status == http.client.TOO_MANY_REQUESTS or status >= 500


def _object(body: bytes) -> dict[str, object]:
    """What an answer holds. One row with broken text doesn't make it unreadable."""
    try:
        found = json.loads(body.decode(errors="replace"))
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise InputError("not the answer of an rss-fetcher: no JSON object")
    return found


def _said(body: bytes) -> str:
    """What an error's answer says of itself, to be put after its status."""
    try:
        said = as_text(_object(body).get("message")) or as_text(_object(body).get("detail"))
    except InputError:
        return ""
    message = one_line(said, MESSAGE_LENGTH)
    return f" ({message})" if message else ""
