"""The options of programs that use the database of software."""

from pathlib import Path

from pydantic import SecretStr

from indexer.programs.settings import data_directory
from indexer.system.options import Options, option


class SoftwareDatabaseOptions(Options):
    """Options of the programs that use the database of software."""

    data: Path = data_directory()
    database_url: SecretStr = option(
        SecretStr(""),
        "database of software: sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME; by default "
        "software.sqlite3 in the data directory",
        "SOFTWARE_DATABASE_URL",
    )

    @property
    def database(self) -> str:
        """The database's URL, with its credentials."""
        url = self.database_url.get_secret_value()
        return url or f"sqlite:///{self.data / 'software.sqlite3'}"
