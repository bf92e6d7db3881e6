"""The database of the feeds family, with up-to-date tables."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from pydantic import SecretStr

from indexer.errors import NotTakenOver
from indexer.programs.settings import data_directory
from indexer.system.options import Options, option

if TYPE_CHECKING:
    from indexer.database import Database

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


def open_feeds(url: str, *, make: bool = True) -> "Database":
    """Open the database of a URL, as `open_migrated` does.

    Raises NotTakenOver if its tables are those of an rss-fetcher.
    """
    from indexer.database import open_database, prepare  # noqa: PLC0415 - not for the help
    from indexer.feeds.existing_tables import has_existing_tables  # noqa: PLC0415 - as above

    database = open_database(url, make=make)
    with database.reading() as connection:
        is_existing = has_existing_tables(connection)
    if is_existing:
        database.close()
        raise NotTakenOver(
            f"{database} has the tables of an rss-fetcher: stop it, back the database up, and type "
            "`story-indexer feeds take-over`"
        )
    prepare(database, MIGRATIONS, VERSIONS, make=make)
    return database
