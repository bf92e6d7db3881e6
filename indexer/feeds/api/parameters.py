"""What the methods of the API can be asked: ids, limits and cursors. What can't be is 422."""

from datetime import date, datetime
from typing import Annotated, Any, TypeAlias

from fastapi import Path, Query
from fastapi.exceptions import RequestValidationError

from indexer.feeds.registry.listing import Values, values

GREATEST = 2**63 - 1
"""Of the ids that a database can compare."""

Id: TypeAlias = Annotated[int, Path(ge=-GREATEST, le=GREATEST)]
Limit: TypeAlias = Annotated[
    int | None, Query(alias="_limit", ge=1, description="At most so many rows.")
]
Cursor: TypeAlias = Annotated[
    str | None,
    Query(alias="_cursor", max_length=100, description="`next` of the answer before."),
]


def number(text: str) -> int:
    """An id, or how many. Raises ValueError."""
    found = int(text)
    if abs(found) > GREATEST:
        raise ValueError("no such number")
    return found


def count(text: str) -> int:
    """How many rows were before. Raises ValueError."""
    if (found := number(text)) < 0:
        raise ValueError("below 0")
    return found


def moment(text: str) -> datetime:
    """A date and time without a zone. Raises ValueError."""
    found = datetime.fromisoformat(text)
    if found.tzinfo is not None:
        raise ValueError("with a zone")
    return found


def day(text: str) -> date:
    """A day that has one before and after it. Raises ValueError."""
    found = date.fromisoformat(text)
    if found in (date.min, date.max):
        raise ValueError("at the end of the calendar")
    return found


def after(cursor: str | None, *kinds: Any) -> Values | None:
    """The values of a cursor; None without one. Raises RequestValidationError."""
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
