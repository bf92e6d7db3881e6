"""The database of the feeds family: where it is, and its tables."""

from pathlib import Path
from typing import Final

from pydantic import SecretStr

from indexer.database import Database, open_database
from indexer.programs.settings import data_directory
from indexer.system.options import Options, option

MIGRATIONS: Final = "indexer.feeds.migrations"
VERSIONS: Final = "feeds_version"


class FeedsOptions(Options):
    """What all programs of the feeds family can be told."""

    data: Path = data_directory()
    database_url: SecretStr = option(
        SecretStr(""),
        "where feeds and their stories are: sqlite:///FILE or "
        "postgresql://USER:PASSWORD@HOST/NAME; by default feeds.sqlite3 in the data directory",
        "FEEDS_DATABASE_URL",
        "DATABASE_URL",
    )

    @property
    def database(self) -> str:
        """The database's URL, with its credentials."""
        url = self.database_url.get_secret_value()
        return url or f"sqlite:///{self.data / 'feeds.sqlite3'}"


def open_feeds(url: str, *, make: bool = True) -> Database:
    """The database of a URL, with its tables up to date. Raises ConfigurationError, StorageError.

    If `make` is false nothing is made or changed: they have to be up to date.
    """
    database = open_database(url, make=make)
    prepare = database.migrate if make else database.check_migrated
    prepare(MIGRATIONS, VERSIONS)
    return database
