"""The Retry-After header (RFC 9110, 10.2.3)."""

from datetime import UTC
from email.utils import parsedate_to_datetime

MAX_SECONDS = 86_400.0
"""The longest pause that a site may ask for: a longer one is a mistake, or means "never"."""

# More digits are a mistake: they would be 30,000 years.
_MAX_DIGITS = 12


def retry_after(value: str | None, now: float, *, longest: float = MAX_SECONDS) -> float | None:
    """The seconds to wait by a header with a number or an HTTP date; None without a valid header.

    `now` is in seconds since the epoch. A longer pause than `longest` is shortened to it.
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
