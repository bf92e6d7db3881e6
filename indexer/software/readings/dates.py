"""Dates: those of ISO 8601 are dates; all other texts stay literals."""

import re
from collections.abc import Iterator
from datetime import date, time

from indexer.software.readings.links import literal
from indexer.software.readings.texts import texts
from indexer.software.rules.property import Diagnostics
from indexer.software.syntax.tree import Tree

_ISO = re.compile(
    r"(\d{4})(?:-(\d\d?)(?:-(\d\d?))?|(\d\d)(\d\d))?"
    r"(?:[T ](\d\d:\d\d(?::\d\d)?)(?:[.,]\d{1,9})? ?(?:Z|[+-]\d\d(?::?\d\d)?)?)?",
    re.ASCII | re.IGNORECASE,
)


def dates(value: Tree, place: str, diagnostics: Diagnostics) -> Iterator[tuple[Tree, str]]:
    """Yield each date of ISO 8601: a day, with or without time, a month or a year.

    A day is written with zeros (`2020-1-2` is `2020-01-02`), a time is left as it is. A day that no
    calendar has, and another form of a date, are literals with a diagnostic.
    """
    for text, where in texts(value, place, diagnostics):
        written = str(text)
        found = _ISO.fullmatch(written)
        if found is None:
            diagnostics.add(where, "no date of ISO 8601: kept as a text", written)
            yield literal(written), where
        elif not _is_in_calendar(found):
            diagnostics.add(where, "no calendar has this date: kept as a text", written)
            yield literal(written), where
        else:
            yield _with_zeros(found), where


def _parts(found: re.Match[str]) -> list[str]:
    year, month, day, short_month, short_day, _ = found.groups()
    return [part for part in (year, month or short_month, day or short_day) if part]


def _is_in_calendar(found: re.Match[str]) -> bool:
    parts = [int(part) for part in _parts(found)]
    try:
        date(*[*parts, 1, 1][:3])
        time.fromisoformat(found[6] or "00:00")
    except ValueError:
        return False
    return True


def _with_zeros(found: re.Match[str]) -> str:
    parts = _parts(found)
    end = max(found.end(group) for group in range(1, 6))
    return "-".join(part.zfill(2) for part in parts) + found.string[end:]
