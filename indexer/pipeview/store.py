"""The table of crumbs: counts are added to it, and summed up."""

from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any, Self

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Select,
    cast,
    func,
    literal_column,
    select,
)

from indexer.database import Database, open_database
from indexer.loops.breadcrumbs import Crumb
from indexer.pipeview import models
from indexer.pipeview.models import KEYS, NULLABLE

MIGRATIONS = "indexer.pipeview.migrations"
VERSIONS = "pipeview_version"

ANSWER_SECONDS = 60.0
"""How long a sum may take, at most."""

PORTION = 1000
"""Rows that are read at once."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Which crumbs: those with these values (None: null), of these days, both included."""

    values: Mapping[str, str | int | None] = field(default_factory=dict)
    start: date | None = None
    end: date | None = None

    def conditions(self) -> Iterator[ColumnElement[bool]]:
        """What a row has to meet."""
        columns = models.crumb.c
        for name, value in self.values.items():
            yield columns[name].is_(None) if value is None else columns[name] == value
        if self.start:
            yield columns.date >= self.start.isoformat()
        if self.end:
            yield columns.date <= self.end.isoformat()


def first_day(today: date, days: int) -> date:
    """The day `days` days before today: 0001-01-01 if that is before the calendar begins."""
    with suppress(OverflowError):
        return today - timedelta(days=days)
    return date.min


class CrumbStore:
    """Crumbs in a database. Thread-safe. Its methods raise StorageError."""

    def __init__(self, database: Database) -> None:
        self.database = database

    @classmethod
    def open(cls, url: str, *, make: bool = True) -> Self:
        """The store of a URL, with its tables up to date. Raises ConfigurationError too.

        If `make` is false nothing is made or changed: they have to be up to date.
        """
        database = open_database(url, make=make)
        prepare = database.migrate if make else database.check_migrated
        prepare(MIGRATIONS, VERSIONS)
        return cls(database)

    def add(self, batch: Mapping[str, Counter[Crumb]], today: date) -> set[str]:
        """Count the crumbs of messages, by the messages' ids: all in one transaction.

        Returns the ids of those that were counted now: the others had been before.
        """
        with self.database.writing() as connection:
            counted = self._remember(connection, sorted(batch), today)
            total: Counter[Crumb] = Counter()
            for id in counted:
                total.update(batch[id])
            # Always in the same order: collectors that wait for each other's rows in a circle
            # would wait for ever.
            rows = [_row(crumb, total[crumb]) for crumb in sorted(total, key=_order)]
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
        """The chosen columns, and of each of their values how many `stories` and table `rows`.

        In the order of the columns, nulls last; read as they are asked for, at one moment. Who
        doesn't read to the end has to close it.
        """
        statement = _sums(columns, selection).limit(limit).offset(offset or None)
        with self.database.reading(ANSWER_SECONDS) as connection:
            options = {"stream_results": True, "yield_per": PORTION}
            for row in connection.execute(statement, execution_options=options).mappings():
                yield dict(row)

    def check(self) -> None:
        """Ask the database something."""
        with self.database.reading(ANSWER_SECONDS) as connection:
            connection.execute(select(models.crumb.c.id).limit(1))

    def close(self) -> None:
        """Let go of the database."""
        self.database.close()

    def _remember(self, connection: Connection, ids: Sequence[str], today: date) -> set[str]:
        """Note the ids of messages. Returns those that were not noted before."""
        if not ids:
            return set()
        insert = self.database.insert(models.message).on_conflict_do_nothing()
        rows = [{"id": id, "date": today.isoformat()} for id in ids]
        return {*connection.scalars(insert.returning(models.message.c.id), rows)}

    def _upsert(self) -> Any:
        """An INSERT of a row that adds to the count of the one that is there."""
        insert = self.database.insert(models.crumb)
        return insert.on_conflict_do_update(
            index_elements=[self._indexed(name) for name in KEYS],
            set_={"count": models.crumb.c.count + insert.excluded.count},
        )

    def _indexed(self, name: str) -> ColumnElement[Any]:
        """What the unique index has of a column: see the migration that makes it."""
        if name in NULLABLE and not self.database.is_postgresql:
            return literal_column(f"ifnull({name}, '')")
        return models.crumb.c[name]


def _sums(columns: Sequence[str], selection: Selection) -> Select[Any]:
    crumb = models.crumb.c
    chosen = [crumb[name] for name in columns]
    stories = cast(func.coalesce(func.sum(crumb.count), 0), BigInteger).label("stories")
    return (
        select(*chosen, stories, func.count().label("rows"))
        .where(*selection.conditions())
        .group_by(*chosen)
        .order_by(*(column.nulls_last() for column in chosen))
    )


def _row(crumb: Crumb, count: int) -> dict[str, str | int | None]:
    return {
        "date": crumb.date.isoformat(),
        "feed_id": crumb.feed_id,
        "source_id": crumb.source_id,
        "domain": crumb.domain,
        "app": crumb.app,
        "status": crumb.status,
        "count": count,
    }


def _order(crumb: Crumb) -> tuple[object, ...]:
    ids = ((value is None, value or 0) for value in (crumb.feed_id, crumb.source_id))
    return (crumb.date, *ids, crumb.domain or "", crumb.app, crumb.status)
