"""Interprets responses to feed requests: document or not, and when the next request may be sent."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Final

from indexer.feeds.fetching.conditional import usable
from indexer.http.fetching import Response
from indexer.http.politeness import retry_after
from indexer.text.dates import http_date

NOT_MODIFIED: Final = 304

LONGEST: Final = timedelta(days=30)
"""The maximum of Retry-After and of cache lifetimes."""

_DOCUMENTS = frozenset((200, 203, 226))
_PARTIAL = 206
_WHOLE = re.compile(r"bytes\s+0-([0-9]{1,15})/([0-9]{1,15})$", re.IGNORECASE)
_MAX_AGE = re.compile(r'(?:^|[\s,])max-age\s*=\s*"?([0-9]{1,12})', re.IGNORECASE)
_NEVER_FRESH = re.compile(r"(?:^|[\s,])no-(?:cache|store)\s*(?:[,=]|$)", re.IGNORECASE)
_BUSY = frozenset((429, 503))


def is_document(response: Response) -> bool:
    """Whether the response has the whole document (feeds.md 6.3)."""
    if response.status == _PARTIAL:
        found = _WHOLE.match(response.headers.get("content-range", "").strip())
        return found is not None and int(found[1]) + 1 == int(found[2])
    return response.status in _DOCUMENTS


def leads_on(response: Response, now: datetime) -> bool:
    """Whether a redirect names its target, and may be followed at once."""
    target = response.headers.get("location", "").strip()
    return bool(target) and retry_at(response, now) is None


def retry_at(response: Response, now: datetime) -> datetime | None:
    """The moment named by Retry-After; None for a success, or without the header."""
    if response.status == NOT_MODIFIED or is_document(response):
        return None
    moment = now.replace(tzinfo=UTC).timestamp()
    value = response.headers.get("retry-after")
    seconds = retry_after(value, moment, longest=LONGEST.total_seconds())
    # Some proxies send `Retry-After: 0` with every redirect: it means nothing.
    return now + timedelta(seconds=seconds) if seconds else None


def concerns_host(code: int) -> bool:
    """Whether the Retry-After of this status applies to the whole host (feeds.md 6.3)."""
    return code in _BUSY or 300 <= code < 400


def fresh_until(response: Response, now: datetime) -> datetime | None:
    """The end of the freshness lifetime (RFC 9111, 4.2); None if it is over or not stated."""
    headers = response.headers
    control = headers.get("cache-control", "")
    if _NEVER_FRESH.search(control):
        return None
    found = _MAX_AGE.search(control)
    lifetime = float(found[1]) if found else _expires_in(headers, now)
    left = min(lifetime - _age(headers), LONGEST.total_seconds())
    return now + timedelta(seconds=left) if left > 0 else None


def validator(response: Response, name: str) -> str | None:
    """A header to send back verbatim; None if it is missing or cannot be sent."""
    value = response.headers.get(name)
    return value if value is not None and usable(value) else None


def _expires_in(headers: Mapping[str, str], now: datetime) -> float:
    expires = http_date(headers.get("expires"))
    if expires is None:
        return 0.0
    # By the server's own clock, if it sends its time: that clock made `Expires`, too.
    sent_at = http_date(headers.get("date")) or now.replace(tzinfo=UTC)
    return (expires - sent_at).total_seconds()


def _age(headers: Mapping[str, str]) -> float:
    text = headers.get("age", "").strip()
    return float(text) if text.isascii() and text.isdigit() and len(text) <= 12 else 0.0
