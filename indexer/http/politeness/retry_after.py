"""The Retry-After header (RFC 9110, 10.2.3)."""

from datetime import UTC
from email.utils import parsedate_to_datetime

MAX_SECONDS = 86_400.0
"""A site may ask for a day at most: what asks for more is a mistake, or means "never"."""

_MAX_DIGITS = 12


def retry_after(value: str | None, now: float, *, longest: float = MAX_SECONDS) -> float | None:
    """Seconds to wait, of a number or an HTTP date; None for no or an unreadable header.

    `now` is in seconds since the epoch. What asks for longer than `longest` gets that.
    """
    text = (value or "").strip()
    if text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS:
        return min(float(text), longest)
    try:
        date = parsedate_to_datetime(text)
        seconds = (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp() - now
    except (ValueError, OverflowError):
        return None
    return min(max(seconds, 0.0), longest)
