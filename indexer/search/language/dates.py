"""Dates in queries and documents: the period of a year, a month, a day or a second."""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from indexer.search.language.schema import FieldType

FIRST, LAST = datetime(1970, 1, 1), datetime(2262, 1, 1)
"""Elasticsearch stores timestamps as 64-bit nanoseconds since 1970, which end in 2262."""

_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)", re.ASCII)
_PERIOD = re.compile(r"(\d{4})(?:-(\d\d?))?(?:-(\d\d?))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Period:
    """The time from `start` to just before `end`; None at the end of the calendar."""

    start: datetime
    end: datetime | None


def day(text: str | None) -> str | None:
    """Return the text if it is a valid date written YYYY-MM-DD."""
    match = _DAY.fullmatch(text or "")
    if not match:
        return None
    try:
        return date(*map(int, match.groups())).isoformat()
    except ValueError:
        return None


def moment(text: str) -> str | None:
    """Return an ISO 8601 date or date-time in UTC as YYYY-MM-DDThh:mm:ss.uuuuuu, else None.

    A space may stand for the T, as in some stories of 2024 (stories.md 0.2).
    """
    try:
        time = datetime.fromisoformat(text)
        return _naive(time).isoformat(timespec="microseconds")
    except (ValueError, OverflowError):
        return None


def period(text: str) -> Period | None:
    """Return the period of 2024, 2024-02, 2024-02-29 or 2024-02-29T12:30:00; else None."""
    try:
        if match := _PERIOD.fullmatch(text):
            return _of_calendar(*match.groups())
        if "T" in text:
            start = _naive(datetime.fromisoformat(text))
            step = timedelta(microseconds=1) if "." in text else timedelta(seconds=1)
            return Period(start, start + step)
    except (ValueError, OverflowError):
        pass
    return None


def written(time: datetime, type: FieldType) -> str:
    """Return a bound in the format of that type of the indexed documents."""
    if type is FieldType.DATE:
        return time.date().isoformat()
    return min(max(time, FIRST), LAST).isoformat(timespec="microseconds")


def _naive(time: datetime) -> datetime:
    return time.astimezone(UTC).replace(tzinfo=None) if time.tzinfo else time


def _of_calendar(year: str, month: str | None, day: str | None) -> Period:
    start = datetime(int(year), int(month or 1), int(day or 1))
    try:
        if day:
            return Period(start, start + timedelta(days=1))
        # 31 days after the first of a month is in the next month, and 366 days in the next year.
        next_month = start + timedelta(days=31 if month else 366)
        return Period(start, next_month.replace(day=1, month=next_month.month if month else 1))
    except OverflowError:
        return Period(start, None)
