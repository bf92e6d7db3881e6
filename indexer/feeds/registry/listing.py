"""Reads lists of rows in portions, each from where the one before ended.

No transaction is open between two portions, so a slow reader holds no resources. Stories become
visible in the order of their ids, so a reader misses none that is added meanwhile.
"""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from sqlalchemy import ColumnElement, Select, literal, tuple_

from indexer.database import Database

PORTION = 2500
"""Rows in a portion: as many as a story puller asks for."""

ANSWER_SECONDS = 60.0
"""The longest time for one query."""

Row: TypeAlias = dict[str, Any]
Values: TypeAlias = tuple[Any, ...]

_KEY = "_key"


@dataclass(frozen=True)
class Listing:
    """Rows in the order of the `key`: columns that are together unique, and never null."""

    statement: Select[Any]
    key: Sequence[ColumnElement[Any]]
    newest_first: bool = False

    def portion(
        self, database: Database, after: Values | None, limit: int
    ) -> list[tuple[Row, Values]]:
        """Return the rows after the one with these values of the key, each with its own values."""
        # With labels of their own: the statement may select the same columns already.
        keys = [column.label(f"{_KEY}{number}") for number, column in enumerate(self.key)]
        order = [column.desc() if self.newest_first else column.asc() for column in self.key]
        statement = self.statement.add_columns(*keys).order_by(*order).limit(limit)
        if after is not None:
            statement = statement.where(self._follows(after))
        with database.reading(ANSWER_SECONDS) as connection:
            found = [tuple(row) for row in connection.execute(statement)]
        names = [*self.statement.selected_columns.keys()]
        return [(dict(zip(names, row, strict=False)), tuple(row[len(names) :])) for row in found]

    def _follows(self, after: Values) -> ColumnElement[bool]:
        # Rows of values are compared column by column, as the index orders them.
        pairs = zip(after, self.key, strict=True)
        values = tuple_(*(literal(value, column.type) for value, column in pairs))
        columns = tuple_(*self.key)
        return columns < values if self.newest_first else columns > values


class Reader:
    """Reads at most `limit` rows of a list. Afterwards `next` is the cursor of those that follow.

    It is None if there are no more.
    """

    def __init__(
        self, database: Database, listing: Listing, limit: int | None, after: Values | None
    ) -> None:
        self._database = database
        self._listing = listing
        self._left = limit
        self._after = after
        self.next: str | None = None

    def portions(self) -> Generator[list[Row], None, None]:
        """Yield the rows in portions; at least one portion, which may be empty."""
        while True:
            # One row more than wanted shows whether any follow.
            wanted = PORTION if self._left is None else min(PORTION, self._left)
            found = self._listing.portion(self._database, self._after, wanted + 1)
            rows, more = found[:wanted], len(found) > wanted
            if rows:
                self._after = rows[-1][1]
            if self._left is not None:
                self._left -= len(rows)
            is_last = not more or self._left == 0
            if more and is_last and self._after is not None:
                self.next = cursor(self._after)
            yield [row for row, _ in rows]
            if is_last:
                return


def cursor(values: Values) -> str:
    """Write the values of a key as a cursor, which clients send back."""
    return "~".join(
        value.isoformat() if isinstance(value, datetime) else str(value) for value in values
    )


def values(text: str, *kinds: Callable[[str], Any]) -> Values:
    """Read the values of a cursor. Raises ValueError."""
    parts = text.split("~")
    return tuple(kind(part) for kind, part in zip(kinds, parts, strict=True))
