"""The status strings of attempts, from seed 003 and feeds.md 6.3 and 6.4.

HTTP response or failure → status → severity → weight, which is added to `last_fetch_failures`
                                  → label of the counter `feeds.stat_*`
"""

import re
from enum import StrEnum
from typing import Final

from indexer.feeds.attempt import WORKING, Unchanged
from indexer.http.connections.failures import FetchFailure
from indexer.text.cleaning import one_line

PARSE_ERROR: Final = "parse error"
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
    "connect timeout": Severity.SOFT,
    "read timeout": Severity.SOFT,
    "SSL error": Severity.SOFT,
    "unknown hostname": Severity.SOFT,
    "temporary DNS error": Severity.TEMPORARY,
    "DNS error": Severity.SOFT,
    "connection error": Severity.SOFT,
    "too many redirects": Severity.SOFT,
    "bad URL": Severity.HARD,
    "bad value": Severity.HARD,
    "fetch error": Severity.SOFT,
    "proxy error": Severity.TEMPORARY,
    "job timeout": Severity.SOFT,
    PARSE_ERROR: Severity.SOFT,
    "unknown": Severity.SOFT,
    CAUGHT_EXCEPTION: Severity.SOFT,
}
"""The severity of all statuses without an HTTP code."""

OF_FAILURE: Final = {
    FetchFailure.UNKNOWN_HOST: "unknown hostname",
    FetchFailure.LOOK_UP_NOW: "temporary DNS error",
    FetchFailure.LOOK_UP: "DNS error",
    FetchFailure.CONNECT_TIMEOUT: "connect timeout",
    FetchFailure.READ_TIMEOUT: "read timeout",
    FetchFailure.DEADLINE: "job timeout",
    FetchFailure.TLS: "SSL error",
    FetchFailure.CONNECTION: "connection error",
    FetchFailure.BODY: "fetch error",
    FetchFailure.PROXY: "proxy error",
    FetchFailure.URL: "bad URL",
    FetchFailure.VALUE: "bad value",
    # The address stays forbidden, so a retry is as useless as with a malformed URL.
    FetchFailure.ADDRESS: "bad URL",
    FetchFailure.SIZE: "fetch error",
    FetchFailure.REDIRECTS: "too many redirects",
    FetchFailure.OTHER: "unknown",
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
