"""Values of fields in queries: the range of days, times or numbers that a text stands for."""

import math
import re
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from indexer.search.language.dates import period, written
from indexer.search.language.schema import FieldType
from indexer.search.language.tree import Scalar

EXAMPLES = {
    FieldType.DATE: "a date is written 2024, 2024-02 or 2024-02-29",
    FieldType.TIMESTAMP: "a date is written 2024, 2024-02, 2024-02-29 or 2024-02-29T12:30:00",
    FieldType.INTEGER: "a whole number is written 1024",
    FieldType.FLOAT: "a number is written 3.5",
    FieldType.BOOLEAN: "write true or false",
}
"""How values are written, by the type of their field."""

RANGES = {
    FieldType.DATE: "[2024-01-01 TO 2024-02-29]",
    FieldType.TIMESTAMP: "[2024-01-01 TO 2024-02-29T12:30:00]",
    FieldType.INTEGER: "[300 TO *]",
    FieldType.FLOAT: "[0.5 TO 1}",
}
"""How ranges are written."""

MAX_INTEGER = 2**63 - 1
"""The largest number in a column of SQLite, and of Elasticsearch's type `long`."""

_INTEGER = re.compile(r"[+-]?\d{1,30}", re.ASCII)
_FLOAT = re.compile(r"[+-]?(\d{1,400}\.?\d{0,400}|\.\d{1,400})(e[+-]?\d{1,3})?", re.ASCII | re.I)


class Span(NamedTuple):
    """The values from `start` up to, but not including, `end`. None: no bound."""

    start: Scalar
    end: Scalar | None


def span(text: str, type: FieldType) -> Span | None:
    """Return the values that a text stands for; None if it is no value of that type.

    A month is all of its days; a number is itself.
    """
    return _SPANS[type](text)


def truth(text: str) -> bool | None:
    """Return the value of true or false; else None."""
    return {"true": True, "false": False}.get(text.lower())


def _of_time(type: FieldType, text: str) -> Span | None:
    found = period(text) if type is FieldType.TIMESTAMP or "T" not in text else None
    if found is None:
        return None
    return Span(written(found.start, type), written(found.end, type) if found.end else None)


def _of_integer(text: str) -> Span | None:
    number = int(text) if _INTEGER.fullmatch(text) else None
    if number is None or abs(number) > MAX_INTEGER:
        return None
    return Span(number, number + 1 if number < MAX_INTEGER else None)


def _of_float(text: str) -> Span | None:
    number = float(text) if _FLOAT.fullmatch(text) else math.inf
    if not math.isfinite(number):
        return None
    after = math.nextafter(number, math.inf)
    return Span(number, after if math.isfinite(after) else None)


_SPANS: dict[FieldType, Callable[[str], Span | None]] = {
    FieldType.DATE: partial(_of_time, FieldType.DATE),
    FieldType.TIMESTAMP: partial(_of_time, FieldType.TIMESTAMP),
    FieldType.INTEGER: _of_integer,
    FieldType.FLOAT: _of_float,
}
