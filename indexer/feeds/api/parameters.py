"""Parameters of the API's methods: ids, limits and cursors. A bad one is answered with 422."""

from datetime import date, datetime
from typing import Annotated, Any, TypeAlias

from fastapi import Path, Query
from fastapi.exceptions import RequestValidationError

from indexer.feeds.registry.listing import Values, values

GREATEST = 2**63 - 1
"""The greatest id that a database can compare."""

Id: TypeAlias = Annotated[int, Path(ge=-GREATEST, le=GREATEST)]
Limit: TypeAlias = Annotated[
    int | None, Query(alias="_limit", ge=1, description="The most rows of an answer.")
]
Cursor: TypeAlias = Annotated[
    str | None,
    Query(alias="_cursor", max_length=100, description="The previous answer's `next`."),
]


def number(text: str) -> int:
    """Read an id or a number of rows. Raises ValueError."""
    found = int(text)
    if abs(found) > GREATEST:
        raise ValueError("out of range")
    return found


def count(text: str) -> int:
    """Read a number of rows to skip. Raises ValueError."""
    if (found := number(text)) < 0:
        raise ValueError("below 0")
    return found


def moment(text: str) -> datetime:
    """Read a date and time without a zone. Raises ValueError."""
    found = datetime.fromisoformat(text)
    if found.tzinfo is not None:
        raise ValueError("with a zone")
    return found


def day(text: str) -> date:
    """Read a day that has a day before and one after it. Raises ValueError."""
    found = date.fromisoformat(text)
    if found in (date.min, date.max):
        raise ValueError("at the end of the calendar")
    return found


def after(cursor: str | None, *kinds: Any) -> Values | None:
    """Read the values of a cursor; None without a cursor. Raises RequestValidationError."""
    if cursor is None:
        return None
    try:
        return values(cursor, *kinds)
    except ValueError:
        problem = {
            "type": "value_error",
            "loc": ("query", "_cursor"),
            "msg": "not a cursor of this list",
            "input": cursor,
        }
        raise RequestValidationError([problem]) from None
