"""Options of all pipeview programs."""

from pathlib import Path
from typing import Annotated

from pydantic import Field, SecretStr

from indexer.programs.settings import data_directory
from indexer.system.options import Options, option

MOST_DAYS = 100_000


class PipeviewOptions(Options):
    """The database of the counts, and how long it keeps them."""

    data: Path = data_directory()
    database_url: SecretStr = option(
        SecretStr(""),
        "the database of the counts: sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME; "
        "by default pipeview.sqlite3 in the data directory",
        "DATABASE_URL",
    )
    days: Annotated[int, Field(ge=1, le=MOST_DAYS)] = option(
        90, "number of days that are counted, shown and kept", "PIPEVIEW_DAYS"
    )

    @property
    def database(self) -> str:
        """The database's URL, including credentials."""
        url = self.database_url.get_secret_value()
        return url or f"sqlite:///{self.data / 'pipeview.sqlite3'}"
