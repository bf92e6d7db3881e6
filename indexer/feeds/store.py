"""The database of the feeds family, with up-to-date tables, and the time in its format."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from pydantic import SecretStr

from indexer.database import Database, open_database
from indexer.programs.settings import data_directory
from indexer.system.options import Options, option

MIGRATIONS: Final = "indexer.feeds.migrations"
VERSIONS: Final = "feeds_version"


class FeedsOptions(Options):
    """Options of all programs of the feeds family."""

    data: Path = data_directory()
    database_url: SecretStr = option(
        SecretStr(""),
        "database of feeds and their stories: sqlite:///FILE or "
        "postgresql://USER:PASSWORD@HOST/NAME; by default feeds.sqlite3 in the data directory",
        "FEEDS_DATABASE_URL",
        # The variable of the existing system (feeds.md 4).
        "DATABASE_URL",
    )

    @property
    def database(self) -> str:
        """The database's URL, with its credentials."""
        url = self.database_url.get_secret_value()
        return url or f"sqlite:///{self.data / 'feeds.sqlite3'}"


def open_feeds(url: str, *, make: bool = True) -> Database:
    """Open a database and migrate its tables. Raises ConfigurationError, StorageError.

    If `make` is false nothing is created or changed: the tables must be up to date.
    """
    database = open_database(url, make=make)
    prepare = database.migrate if make else database.check_migrated
    prepare(MIGRATIONS, VERSIONS)
    return database


def utc_now() -> datetime:
    """The current UTC time, without a zone."""
    return datetime.now(UTC).replace(tzinfo=None)
