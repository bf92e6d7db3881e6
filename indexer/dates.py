"""Dates as feeds and pages write them."""

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

MAX_LENGTH = 100
"""Longer texts are no dates."""

_ISO = re.compile(r"[+-]?\d{4}-?[\dW]", re.IGNORECASE)
_ORDINAL = re.compile(r"\d{4}-?\d{3}")
_ZONE = re.compile(r"\s*(?:(?:UTC|GMT|Z)|([+-]\d\d:?\d\d)(?:\s+[A-Z]+)?)$", re.IGNORECASE)


def parse_date(text: str) -> datetime | None:
    """The moment that a date of RFC 2822, ISO 8601 or RFC 3339 names; None if it is none of them.

    In the zone that it is given in, so that its day is the publisher's; UTC where none is given,
    or one that nobody knows.
    """
    text = " ".join(text[: MAX_LENGTH + 1].split())
    if not text or len(text) > MAX_LENGTH:
        return None
    try:
        parsed = _iso(text) if _ISO.match(text) else _rfc_2822(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)


def _iso(text: str) -> datetime:
    if _ORDINAL.fullmatch(text):
        return datetime.strptime(text.replace("-", ""), "%Y%j").replace(tzinfo=UTC)
    text = _ZONE.sub(lambda zone: zone[1] or "+00:00", text.upper())
    return datetime.fromisoformat(text)


def _rfc_2822(text: str) -> datetime:
    return parsedate_to_datetime(text if ":" in text else f"{text} 00:00")
