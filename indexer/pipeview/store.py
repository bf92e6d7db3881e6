"""The database of crumbs (stories.md 9.4): its tables, to which counts are added and summed."""

from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any, Self

import msgspec
from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Connection,
    Integer,
    MetaData,
    Select,
    String,
    Table,
    cast,
    func,
    literal_column,
    select,
)

from indexer.database import Database, open_migrated
from indexer.pipeview.crumbs import Crumb

MIGRATIONS = "indexer.pipeview.migrations"
VERSIONS = "pipeview_version"

ANSWER_SECONDS = 60.0
"""The time limit of a query."""

PORTION = 1000
"""Rows that are in memory at once."""

metadata = MetaData()
"""The tables, which `indexer.pipeview.migrations` creates."""

KEYS = ("date", "feed_id", "source_id", "domain", "app", "status")
"""The columns that identify a row of `crumb`. `date` is YYYY-MM-DD, in UTC."""

NULLABLE = ("feed_id", "source_id", "domain")

crumbs = Table(
    "crumb",
    metadata,
    # SQLite generates ids only for a column whose type is exactly INTEGER.
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("date", String, nullable=False),
    Column("feed_id", BigInteger),
    Column("source_id", BigInteger),
    Column("domain", String),
    Column("app", String, nullable=False),
    Column("status", String, nullable=False),
    Column("count", BigInteger, nullable=False),
)

messages = Table(
    "crumb_message",
    metadata,
    # The messages that are counted already: brokers deliver at least once.
    Column("id", String, primary_key=True),
    Column("date", String, nullable=False),
)


@dataclass(frozen=True, slots=True)
class Selection:
    """Conditions on crumbs: columns' values (None: null), and the first and last day."""

    values: Mapping[str, str | int | None] = field(default_factory=dict)
    start: date | None = None
    end: date | None = None

    def conditions(self) -> Iterator[ColumnElement[bool]]:
        """Yield the conditions in SQL."""
        columns = crumbs.c
        for name, value in self.values.items():
            yield columns[name].is_(None) if value is None else columns[name] == value
        if self.start:
            yield columns.date >= self.start.isoformat()
        if self.end:
            yield columns.date <= self.end.isoformat()


def utc_today() -> date:
    """Return the present day in UTC."""
    return datetime.now(UTC).date()


def first_day(today: date, days: int) -> date:
    """Return the day `days` days before today, at the earliest 0001-01-01."""
    with suppress(OverflowError):
        return today - timedelta(days=days)
    return date.min


class CrumbStore:
    """Crumbs in a database. Thread-safe. Its methods raise StorageError."""

    def __init__(self, database: Database) -> None:
        self.database = database

    @classmethod
    def open(cls, url: str, *, make: bool = True) -> Self:
        """Open the database of a URL, as `open_migrated` does."""
        return cls(open_migrated(url, MIGRATIONS, VERSIONS, make=make))

    def add(self, batch: Mapping[str, Counter[Crumb]], today: date) -> set[str]:
        """Count the crumbs of messages, given by message id, in one transaction.

        Return the ids that were counted now; the others had been counted before.
        """
        with self.database.writing() as connection:
            counted = self._remember(connection, sorted(batch), today)
            total: Counter[Crumb] = Counter()
            for id in counted:
                total.update(batch[id])
            # Always in the same order: two collectors that lock rows in different orders deadlock.
            rows = [_row(crumb, total[crumb]) for crumb in sorted(total, key=repr)]
            if rows:
                connection.execute(self._upsert(), rows)
        return counted

    def sums(
        self,
        columns: Sequence[str],
        selection: Selection,
        limit: int | None = None,
        offset: int = 0,
    ) -> Generator[dict[str, Any], None, None]:
        """Yield the numbers of `stories` and table `rows` for each combination of the columns.

        Rows are sorted by the columns, nulls last, and read lazily as of one moment. Callers that
        do not read all rows must close the generator.
        """
        statement = _sums(columns, selection).limit(limit).offset(offset or None)
        with self.database.reading(ANSWER_SECONDS) as connection:
            # Otherwise the driver would load all rows into memory.
            options = {"stream_results": True, "yield_per": PORTION}
            for row in connection.execute(statement, execution_options=options).mappings():
                yield dict(row)

    def check(self) -> None:
        """Raise StorageError unless the database answers."""
        with self.database.reading(ANSWER_SECONDS) as connection:
            connection.execute(select(crumbs.c.id).limit(1))

    def close(self) -> None:
        """Close the connections."""
        self.database.close()

    def _remember(self, connection: Connection, ids: Sequence[str], today: date) -> set[str]:
        """Store the ids of messages; return the new ones."""
        if not ids:
            return set()
        insert = self.database.insert(messages).on_conflict_do_nothing()
        rows = [{"id": id, "date": today.isoformat()} for id in ids]
        return {*connection.scalars(insert.returning(messages.c.id), rows)}

    def _upsert(self) -> Any:
        """Return an INSERT that adds its count to that of an existing row."""
        insert = self.database.insert(crumbs)
        return insert.on_conflict_do_update(
            index_elements=[self._indexed(name) for name in KEYS],
            set_={"count": crumbs.c.count + insert.excluded.count},
        )

    def _indexed(self, name: str) -> ColumnElement[Any]:
        """Return a column as it is in the unique index, which migration 0001 creates."""
        if name in NULLABLE and not self.database.is_postgresql:
            return literal_column(f"ifnull({name}, '')")
        return crumbs.c[name]


def _sums(columns: Sequence[str], selection: Selection) -> Select[Any]:
    chosen = [crumbs.c[name] for name in columns]
    stories = cast(func.coalesce(func.sum(crumbs.c.count), 0), BigInteger).label("stories")
    return (
        select(*chosen, stories, func.count().label("rows"))
        .where(*selection.conditions())
        .group_by(*chosen)
        .order_by(*(column.nulls_last() for column in chosen))
    )


def _row(crumb: Crumb, count: int) -> dict[str, str | int | None]:
    return {**msgspec.structs.asdict(crumb), "date": crumb.date.isoformat(), "count": count}
