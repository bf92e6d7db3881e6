"""Values of an existing rss-fetcher's tables as our columns hold them.

PostgreSQL gives numbers, booleans and times. In a copy in SQLite they depend on the program that
made it: 1, `t` and `true`; times with a blank or a `T`, with a zone or without; "" for null.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, TypeAlias

from sqlalchemy import Boolean, Column, DateTime, Float, Integer, RowMapping, Table

from indexer.errors import RefusedValue

Converter: TypeAlias = Callable[[Any], Any]

_TRUE = frozenset({"1", "t", "true"})
_FALSE = frozenset({"0", "f", "false"})


def converters(table: Table, names: tuple[str, ...]) -> dict[str, Converter]:
    """The functions for the columns of one of our tables whose values may need conversion."""
    found = {name: _converter(table.c[name]) for name in names}
    return {name: convert for name, convert in found.items() if convert}


def converted(table: str, row: RowMapping, functions: Mapping[str, Converter]) -> dict[str, Any]:
    """A row of a table with converted values. Raises RefusedValue, which names its place."""
    values: dict[str, Any] = {str(name): value for name, value in row.items()}
    for name, convert in functions.items():
        if values[name] is not None:
            try:
                values[name] = convert(values[name])
            except (ValueError, TypeError, OverflowError) as error:
                key = next(iter(row.values()))
                raise RefusedValue(f"{table} {key}: {name}: {error}") from error
    return values


def _converter(column: Column[Any]) -> Converter | None:
    match column.type:
        case DateTime():
            return _time
        case Boolean():
            return _truth
        case Integer():
            return _whole
        case Float():
            return _decimal
        case _:
            return None


def _time(value: Any) -> datetime | None:
    """A time in UTC, without a zone."""
    if value == "":
        return None
    time = value if isinstance(value, datetime) else datetime.fromisoformat(value)
    return time.astimezone(UTC).replace(tzinfo=None) if time.tzinfo else time


def _truth(value: Any) -> bool | None:
    if value == "":
        return None
    text = str(value).lower()
    if text not in _TRUE | _FALSE:
        raise ValueError(f"not true or false: {text[:100]}")
    return text in _TRUE


def _whole(value: Any) -> int | None:
    return None if value == "" else int(value)


def _decimal(value: Any) -> float | None:
    return None if value == "" else float(value)
