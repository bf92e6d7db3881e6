"""The database of filesets: rows are inserted, or replace those with the same key."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import Table, func, select

from indexer.database import Database, open_migrated
from indexer.database.bulk import insert_rows
from indexer.errors import RefusedValue
from indexer.filesets.persisting.models import (
    file_meta,
    ingest_file_result,
    ingest_fileset_platform,
    metadata,
)

if TYPE_CHECKING:
    from indexer.filesets.persisting.rows import Row

MIGRATIONS: Final = "indexer.filesets.persisting.migrations"
VERSIONS: Final = "filesets_version"

_REPLACED: Final = (ingest_file_result, ingest_fileset_platform)
"""The tables whose rows the result of a newer ingest replaces; `updated` tells when."""

_COMPLETED: Final = (file_meta,)
"""The tables whose rows get the values that they lack: they say the same of the same bytes."""


class FilesetStore:
    """The tables of filesets. Thread-safe. Its methods raise StorageError."""

    def __init__(self, database: Database) -> None:
        self.database = database

    @classmethod
    def open(cls, url: str, *, make: bool = True) -> "FilesetStore":
        """Open the database of a URL, as `open_migrated` does."""
        return cls(open_migrated(url, MIGRATIONS, VERSIONS, make=make))

    def save(self, rows: Iterable["Row"]) -> None:
        """Store all rows in one transaction; of those with the same key the last counts.

        Raises RefusedValue if the database refuses one of them: none is stored.
        """
        found: dict[Table, dict[tuple[Any, ...], dict[str, Any]]] = {}
        for table, values in rows:
            key = tuple(values[column.name] for column in table.primary_key)
            found.setdefault(table, {})[key] = values
        with self.database.writing() as connection:
            # Tables and rows in one order: programs that insert in different ones would deadlock.
            for table in metadata.sorted_tables:
                if of_table := found.get(table):
                    ordered = [of_table[key] for key in sorted(of_table)]
                    insert_rows(self.database, connection, self._insert(table), ordered)

    def save_all(self, batch: Sequence[Sequence["Row"]]) -> list[str]:
        """Store the rows of many results: "" for each one, or why the database refuses it."""
        try:
            self.save(row for rows in batch for row in rows)
        except RefusedValue as error:
            if len(batch) == 1:
                return [str(error)]
            # Seldom: a value that no rule has foreseen must not keep the others out.
            return [why for rows in batch for why in self.save_all([rows])]
        return [""] * len(batch)

    def count(self, table: Table) -> int:
        """The number of rows."""
        with self.database.reading() as connection:
            return connection.scalar(select(func.count()).select_from(table)) or 0

    def close(self) -> None:
        """Close the connections."""
        self.database.close()

    def _insert(self, table: Table) -> Any:
        insert = self.database.insert(table)
        new = insert.excluded
        values: dict[str, Any]
        others = [
            each for each in table.columns if not each.primary_key and not each.server_default
        ]
        if table in _REPLACED:
            values = {each.name: new[each.name] for each in others} | {"updated": func.now()}
        elif table in _COMPLETED:
            values = {each.name: func.coalesce(each, new[each.name]) for each in others}
        else:
            return insert.on_conflict_do_nothing()
        return insert.on_conflict_do_update(index_elements=[*table.primary_key], set_=values)
