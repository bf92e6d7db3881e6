"""What all programs of pipeview can be told."""

from pathlib import Path
from typing import Annotated

from pydantic import Field, SecretStr

from indexer.programs.settings import data_directory
from indexer.system.options import Options, option

MOST_DAYS = 100_000


class PipeviewOptions(Options):
    """Where the counts are, and for how long."""

    data: Path = data_directory()
    database_url: SecretStr = option(
        SecretStr(""),
        "where the counts are: sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME; "
        "by default pipeview.sqlite3 in the data directory",
        "DATABASE_URL",
    )
    days: Annotated[int, Field(ge=1, le=MOST_DAYS)] = option(
        90, "days that are counted, shown and kept", "PIPEVIEW_DAYS"
    )

    @property
    def database(self) -> str:
        """The database's URL, with its credentials."""
        url = self.database_url.get_secret_value()
        return url or f"sqlite:///{self.data / 'pipeview.sqlite3'}"
