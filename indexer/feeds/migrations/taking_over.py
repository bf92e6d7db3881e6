"""Copies the rows of an existing rss-fetcher's tables into ours, within the first migration.

    set aside → our tables → rows copied → the old tables dropped; ids go on

A copy, rather than added columns: each row of `stories` has to be written anyway for its identity,
and our types, defaults and indexes are the same in every database.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from sqlalchemy import Connection, Table, func, insert, select, text

from indexer.database import Database, utc_now
from indexer.database.bulk import insert_rows
from indexer.feeds import models
from indexer.feeds.existing_tables import COLUMNS, last_given_id
from indexer.feeds.identity.places import place_of
from indexer.feeds.migrations.existing_stories import StoryTransfer, guids_of_several
from indexer.feeds.migrations.existing_values import converted, converters
from indexer.feeds.registry.registry import LAST_ID
from indexer.text.chunks import chunks

Progress: TypeAlias = Callable[[str, int], None]
"""Called with the name of a table, and how many of its rows are copied."""

AT_ONCE = 5000
"""Rows of a statement, and in memory: titles may be large."""

Rows: TypeAlias = Iterator[dict[str, Any]]


def copy_existing(connection: Connection, aside: Mapping[str, Table], progress: Progress) -> None:
    """Copy the rows of tables that `set_aside` has returned, and drop these tables."""
    _Copy(connection, aside, progress).run()
    for table in aside.values():
        connection.execute(text(f"DROP TABLE {table.name}"))


class _Copy:
    def __init__(
        self, connection: Connection, aside: Mapping[str, Table], progress: Progress
    ) -> None:
        self._connection = connection
        self._database = Database(connection.engine)
        self._aside = aside
        self._progress = progress

    def run(self) -> None:
        if self._database.is_postgresql:
            # Aware times become UTC when they are stored.
            self._connection.execute(text("SET LOCAL timezone = 'UTC'"))
        self._feeds()
        self._stories()
        self._plain(models.story_refs)
        # An event without feed, kind or time can't be shown: no program writes one.
        self._plain(models.fetch_events, ("feed_id", "event", "created_at"))
        self._plain(models.properties)
        self._continue_ids()

    def _feeds(self) -> None:
        for rows in chunks(map(_feed, self._rows(models.feeds)), AT_ONCE):
            self._insert(models.feeds, rows)

    def _stories(self) -> None:
        aside = self._aside["stories"]
        urls = self._connection.execute(select(models.feeds.c.id, models.feeds.c.url))
        transfer = StoryTransfer(
            self._database,
            self._connection,
            {id: url for id, url in urls if url},
            guids_of_several(self._connection, aside),
            utc_now().date(),
        )
        for rows in chunks(self._rows(models.stories), AT_ONCE):
            transfer.write(rows)

    def _plain(self, table: Table, needed: tuple[str, ...] = ()) -> None:
        """Copy a table as it is, without the rows in which a needed column is null."""
        aside, names = self._aside[table.name], COLUMNS[table.name]
        if self._database.is_postgresql:
            query = select(*(aside.c[name] for name in names))
            query = query.where(*(aside.c[name].is_not(None) for name in needed))
            done = self._connection.execute(insert(table).from_select(names, query))
            self._progress(table.name, done.rowcount)
            return
        rows = (row for row in self._rows(table) if all(row[name] is not None for name in needed))
        for some in chunks(rows, AT_ONCE):
            self._insert(table, some)

    def _rows(self, table: Table) -> Rows:
        """The old rows, in the order of their keys, with the values of our columns."""
        aside, names = self._aside[table.name], COLUMNS[table.name]
        query = select(*(aside.c[name] for name in names)).order_by(aside.c[names[0]])
        functions = converters(table, names)
        found = self._connection.execute(query.execution_options(yield_per=AT_ONCE))
        for number, row in enumerate(found, 1):
            yield converted(table.name, row._mapping, functions)
            if number % AT_ONCE == 0:
                self._progress(table.name, number)

    def _insert(self, table: Table, rows: list[dict[str, Any]]) -> None:
        insert_rows(self._database, self._connection, self._database.insert(table), rows)

    def _continue_ids(self) -> None:
        """New ids begin after the last one given: pullers keep the id that they have seen."""
        for table in (models.stories, models.fetch_events):
            last = last_given_id(self._connection, self._aside[table.name])
            if last:
                self._connection.execute(
                    text(
                        _CONTINUE_POSTGRESQL if self._database.is_postgresql else _CONTINUE_SQLITE
                    ),
                    {"table": table.name, "last": last},
                )
        of_stories = self._connection.scalar(select(func.max(models.stories.c.feed_id)))
        of_feeds = self._connection.scalar(select(func.max(models.feeds.c.id)))
        LAST_ID.write(self._database, self._connection, str(max(of_stories or 0, of_feeds or 0)))


_CONTINUE_POSTGRESQL = "SELECT setval(pg_get_serial_sequence(:table, 'id'), :last)"
_CONTINUE_SQLITE = """
    REPLACE INTO sqlite_sequence (rowid, name, seq)
    VALUES ((SELECT rowid FROM sqlite_sequence WHERE name = :table), :table, :last)
"""


def _feed(row: dict[str, Any]) -> dict[str, Any]:
    """The row of a feed, with the columns of ours that are not empty for a new feed."""
    host, domain = place_of(row["url"]) if row["url"] else (None, None)
    return {
        **row,
        "active": row["active"] is not False,
        "system_enabled": row["system_enabled"] is not False,
        "last_fetch_failures": row["last_fetch_failures"] or 0.0,
        "queued": False,
        # The existing system calls nothing a success that was not parsed (feeds.md 3).
        "last_parse_success": row["last_fetch_success"],
        "host": host,
        "domain": domain,
    }
