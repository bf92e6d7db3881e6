"""The status strings of attempts, from seed 003 and feeds.md 6.3 and 6.4.

HTTP response or failure → status → severity → weight, which is added to `last_fetch_failures`
                                  → label of the counter `feeds.stat_*`
"""

import re
from enum import StrEnum
from typing import Final

from indexer.feeds.attempt import WORKING, Unchanged
from indexer.http.fetching.failures import FetchFailure
from indexer.text.cleaning import one_line

CONNECT_TIMEOUT: Final = "connect timeout"
READ_TIMEOUT: Final = "read timeout"
SSL_ERROR: Final = "SSL error"
UNKNOWN_HOSTNAME: Final = "unknown hostname"
TEMPORARY_DNS_ERROR: Final = "temporary DNS error"
DNS_ERROR: Final = "DNS error"
CONNECTION_ERROR: Final = "connection error"
TOO_MANY_REDIRECTS: Final = "too many redirects"
BAD_URL: Final = "bad URL"
BAD_VALUE: Final = "bad value"
FETCH_ERROR: Final = "fetch error"
PROXY_ERROR: Final = "proxy error"
JOB_TIMEOUT: Final = "job timeout"
PARSE_ERROR: Final = "parse error"
UNKNOWN: Final = "unknown"
CAUGHT_EXCEPTION: Final = "caught exception"

HTTP: Final = "HTTP"
"""The first word of the statuses with an HTTP code: `HTTP 404 Not Found`."""

MAX_REASON = 100
"""The most characters kept of the text that a server adds to its status."""


class Severity(StrEnum):
    """How likely it is that the next attempt fails, too."""

    SUCCESS = "success"
    TEMPORARY = "temporary"
    SOFT = "soft"
    HARD = "hard"


WEIGHT: Final = {
    Severity.SUCCESS: 0.0,
    Severity.TEMPORARY: 0.25,
    Severity.SOFT: 0.5,
    Severity.HARD: 1.0,
}
"""The number that an attempt adds to `last_fetch_failures`; a success sets that to 0."""

SEVERITY: Final = {
    WORKING: Severity.SUCCESS,
    CONNECT_TIMEOUT: Severity.SOFT,
    READ_TIMEOUT: Severity.SOFT,
    SSL_ERROR: Severity.SOFT,
    UNKNOWN_HOSTNAME: Severity.SOFT,
    TEMPORARY_DNS_ERROR: Severity.TEMPORARY,
    DNS_ERROR: Severity.SOFT,
    CONNECTION_ERROR: Severity.SOFT,
    TOO_MANY_REDIRECTS: Severity.SOFT,
    BAD_URL: Severity.HARD,
    BAD_VALUE: Severity.HARD,
    FETCH_ERROR: Severity.SOFT,
    PROXY_ERROR: Severity.TEMPORARY,
    JOB_TIMEOUT: Severity.SOFT,
    PARSE_ERROR: Severity.SOFT,
    UNKNOWN: Severity.SOFT,
    CAUGHT_EXCEPTION: Severity.SOFT,
}
"""The severity of all statuses without an HTTP code."""

OF_FAILURE: Final = {
    FetchFailure.UNKNOWN_HOST: UNKNOWN_HOSTNAME,
    FetchFailure.LOOK_UP_NOW: TEMPORARY_DNS_ERROR,
    FetchFailure.LOOK_UP: DNS_ERROR,
    FetchFailure.CONNECT_TIMEOUT: CONNECT_TIMEOUT,
    FetchFailure.READ_TIMEOUT: READ_TIMEOUT,
    FetchFailure.DEADLINE: JOB_TIMEOUT,
    FetchFailure.TLS: SSL_ERROR,
    FetchFailure.CONNECTION: CONNECTION_ERROR,
    FetchFailure.BODY: FETCH_ERROR,
    FetchFailure.PROXY: PROXY_ERROR,
    FetchFailure.URL: BAD_URL,
    FetchFailure.VALUE: BAD_VALUE,
    # The address stays forbidden, so a retry is as useless as with a malformed URL.
    FetchFailure.ADDRESS: BAD_URL,
    FetchFailure.SIZE: FETCH_ERROR,
    FetchFailure.REDIRECTS: TOO_MANY_REDIRECTS,
    FetchFailure.OTHER: UNKNOWN,
}
"""The status of a fetch without a response."""

_CODE = re.compile(r"HTTP ([0-9]{3})(?: |$)")
# Client errors that often pass; all others are hard (feeds.md 6.4).
_SOFT_CODES = frozenset((404, 408, 425, 429))
_COUNTED_APART = frozenset((403, 404, 429))
_LABELS = {
    WORKING: "ok",
    PARSE_ERROR: "parse_err",
    CAUGHT_EXCEPTION: "exception",
    Unchanged.SAME_HASH: "same_hash",
    Unchanged.NOT_MODIFIED: "not_mod",
}


def http_status(code: int, reason: str) -> str:
    """The status of a response that is no document; `reason` is the server's text."""
    return f"{HTTP} {code:03d} {one_line(reason, MAX_REASON)}".rstrip()


def http_code(status: str) -> int | None:
    """The HTTP code of a status; None if it has none."""
    found = _CODE.match(status)
    return int(found[1]) if found else None


def severity(status: str) -> Severity:
    """The severity of a status; soft if the status is unknown."""
    code = http_code(status)
    if code is None:
        return SEVERITY.get(status, Severity.SOFT)
    soft = code in _SOFT_CODES or 500 <= code < 600
    return Severity.SOFT if soft else Severity.HARD


def label(status: str, unchanged: str = "") -> str:
    """What comes after `feeds.stat_`: `ok`, `http_404`, `http_5xx`, `connect_timeout`, …

    `unchanged`: the reason why there was nothing to parse, or "".
    """
    code = http_code(status)
    if code is not None:
        return f"http_{code}" if code in _COUNTED_APART else f"http_{code // 100}xx"
    known = unchanged if status == WORKING and unchanged else status
    return _LABELS.get(known, known.replace(" ", "_"))
