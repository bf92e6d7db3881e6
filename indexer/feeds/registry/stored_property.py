"""Single values that programs keep in the database, in the table `properties` (feeds.md 2.2)."""

from typing import NamedTuple

from sqlalchemy import Connection, select

from indexer.database import Database
from indexer.feeds.models import properties


class StoredProperty(NamedTuple):
    """A row of the table, by its section and key."""

    section: str
    key: str

    def read(self, connection: Connection) -> str | None:
        """Return the value; None if there is none."""
        is_it = (properties.c.section == self.section) & (properties.c.key == self.key)
        return connection.scalar(select(properties.c.value).where(is_it))

    def write(self, database: Database, connection: Connection, value: str) -> None:
        """Store a value in place of the one before."""
        row = database.insert(properties).values(**self._asdict(), value=value)
        columns = [properties.c.section, properties.c.key]
        connection.execute(row.on_conflict_do_update(index_elements=columns, set_={"value": value}))
