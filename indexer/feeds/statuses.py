"""Status strings: what became of the last attempt, as seed 003 and feeds.md 6.3 and 6.4 name them.

HTTP answer or failure → status → severity → weight: what it adds to `last_fetch_failures`
                                → label: the counter `feeds.stat_*` that it is counted by
"""

import re
from enum import StrEnum
from typing import Final

from indexer.errors import FetchFailure
from indexer.feeds.attempt import WORKING, Unchanged
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
"""The first word of the one status that is many: `HTTP 404 Not Found`."""

MAX_REASON = 100
"""What is kept of the words that a server adds to its status."""


class Severity(StrEnum):
    """How likely it is that the next attempt fares no better."""

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
"""What an attempt adds to `last_fetch_failures`; a success sets it to 0."""

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
"""Of all statuses but those of HTTP."""

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
    # It will not be visited tomorrow, either: like a URL that can't be.
    FetchFailure.ADDRESS: BAD_URL,
    FetchFailure.SIZE: FETCH_ERROR,
    FetchFailure.REDIRECTS: TOO_MANY_REDIRECTS,
    FetchFailure.OTHER: UNKNOWN,
}
"""The status of a fetch that brought no answer."""

_CODE = re.compile(r"HTTP ([0-9]{3})(?: |$)")
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
    """The status of an answer that is no document: its reason is the server's."""
    return f"{HTTP} {code:03d} {one_line(reason, MAX_REASON)}".rstrip()


def http_code(status: str) -> int | None:
    """The code of a status that names one."""
    found = _CODE.match(status)
    return int(found[1]) if found else None


def severity(status: str) -> Severity:
    """How bad it is; what is not known may pass."""
    code = http_code(status)
    if code is None:
        return SEVERITY.get(status, Severity.SOFT)
    soft = code in _SOFT_CODES or 500 <= code < 600
    return Severity.SOFT if soft else Severity.HARD


def label(status: str, unchanged: str = "") -> str:
    """What comes after `feeds.stat_`: `ok`, `http_404`, `http_5xx`, `connect_timeout`, …

    `unchanged`: why there was nothing to parse, where there wasn't.
    """
    code = http_code(status)
    if code is not None:
        return f"http_{code}" if code in _COUNTED_APART else f"http_{code // 100}xx"
    known = unchanged if status == WORKING and unchanged else status
    return _LABELS.get(known, known.replace(" ", "_"))
