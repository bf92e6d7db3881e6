"""Reads the interval that a feed publishes: the syndication module, else `<ttl>` (feeds.md 5.6).

The interval is recorded; the room `polling` decides how often the feed is polled. `skipHours` and
`skipDays` are not read: hardly any feed has them, and most of those come from a template.
"""

import math

from indexer.news.syndication.feed_markup import MarkupItem

MAXIMUM = 1440
LONGEST = 366 * 1440
"""Longest interval read, in minutes; MAXIMUM_INTERVAL_MINS limits what is stored."""

DEFAULT = 360
"""The interval for a period so short that it rounds to zero."""

PERIODS = {
    "": 1440,
    "hourly": 60,
    "always": 60,
    "daily": 1440,
    "dayly": 1440,
    "weekly": 7 * 1440,
    "monthly": 30 * 1440,
    "yearly": 365 * 1440,
}
"""Minutes of `sy:updatePeriod`."""


def update_minutes(head: MarkupItem, maximum: int = MAXIMUM) -> int | None:
    """Return the published interval in minutes from the head of a feed; None if it has none."""
    period = head.texts.get("sy:updateperiod")
    if period is None:
        return _ttl(head.text("ttl"), maximum)
    minutes = PERIODS.get(period.strip().lower())
    frequency = _number(head.texts.get("sy:updatefrequency", "1"))
    if minutes is None or frequency is None:
        return None
    return _bounded(minutes / frequency, maximum) or DEFAULT


def _ttl(text: str, maximum: int) -> int | None:
    minutes = _number(text)
    return (_bounded(minutes, maximum) or None) if minutes else None


def _bounded(minutes: float, maximum: int) -> int:
    return round(min(minutes, maximum))


def _number(text: str) -> float | None:
    """Read a finite number above 0; None for any other text."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if number > 0 and math.isfinite(number) else None
