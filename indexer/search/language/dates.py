"""Dates in queries and documents: what a year, a month, a day or a second covers."""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

PUBLISHED = "publication_date"
INDEXED = "indexed_date"

FIRST, LAST = datetime(1970, 1, 1), datetime(2262, 1, 1)
"""`indexed_date` is in nanoseconds since 1970, which end in 2262."""

_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)", re.ASCII)
_PERIOD = re.compile(r"(\d{4})(?:-(\d\d?))?(?:-(\d\d?))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Period:
    """From `start` until before `end`, None when the calendar ends first."""

    start: datetime
    end: datetime | None


def day(text: str | None) -> str | None:
    """The text, if it is a date written YYYY-MM-DD."""
    match = _DAY.fullmatch(text or "")
    if not match:
        return None
    try:
        return date(*map(int, match.groups())).isoformat()
    except ValueError:
        return None


def moment(text: str) -> str | None:
    """A date or date-time in ISO 8601 as UTC, YYYY-MM-DDThh:mm:ss.uuuuuu; None if it is neither.

    Also with a space for the T, as some stories of 2024 have it (stories.md 0.2).
    """
    try:
        time = datetime.fromisoformat(text)
        return _naive(time).isoformat(timespec="microseconds")
    except (ValueError, OverflowError):
        return None


def period(text: str) -> Period | None:
    """What 2024, 2024-02, 2024-02-29 or 2024-02-29T12:30:00 covers; None if it is none of them."""
    try:
        if match := _PERIOD.fullmatch(text):
            return _of_calendar(*(int(part) if part else None for part in match.groups()))
        if "T" in text:
            start = _naive(datetime.fromisoformat(text))
            step = timedelta(microseconds=1) if "." in text else timedelta(seconds=1)
            return Period(start, start + step)
    except (ValueError, OverflowError):
        pass
    return None


def written(field: str, time: datetime | None) -> str | None:
    """A bound as the documents of an index have it in that field."""
    if time is None:
        return None
    if field == PUBLISHED:
        return time.date().isoformat()
    time = min(max(time, FIRST), LAST)
    return time.isoformat(timespec="microseconds")


def _naive(time: datetime) -> datetime:
    return time.astimezone(UTC).replace(tzinfo=None) if time.tzinfo else time


def _of_calendar(year: int | None, month: int | None, of_month: int | None) -> Period:
    start = datetime(year or 0, month or 1, of_month or 1)
    if of_month:
        after = (start + timedelta(days=1)) if start.date() < date.max else None
    elif month:
        after = _first_day(start.year + month // 12, month % 12 + 1)
    else:
        after = _first_day(start.year + 1, 1)
    return Period(start, after)


def _first_day(year: int, month: int) -> datetime | None:
    return datetime(year, month, 1) if year <= date.max.year else None
