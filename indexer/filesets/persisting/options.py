"""The options of programs that use the database of filesets."""

from pathlib import Path

from pydantic import SecretStr

from indexer.programs.settings import data_directory
from indexer.system.options import Options, option


class FilesetDatabaseOptions(Options):
    """Options of the programs that use the database of filesets."""

    data: Path = data_directory()
    database_url: SecretStr = option(
        SecretStr(""),
        "database of filesets: sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME; by default "
        "filesets.sqlite3 in the data directory",
        "FILESETS_DATABASE_URL",
    )

    @property
    def database(self) -> str:
        """The database's URL, with its credentials."""
        url = self.database_url.get_secret_value()
        return url or f"sqlite:///{self.data / 'filesets.sqlite3'}"
