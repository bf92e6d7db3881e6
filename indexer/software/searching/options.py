"""The options of programs that use the search index of software."""

from pathlib import Path
from typing import Any

from pydantic import SecretStr

from indexer.programs.settings import data_directory
from indexer.system.options import Options, option


def software_index_option() -> Any:
    """Make the option of the index's URL: programs and commands obey the same variable."""
    return option(
        SecretStr(""),
        "search index of software: sqlite:///FILE or http://HOST:9200/ALIAS; by default "
        "software-index.sqlite3 in the data directory",
        "SOFTWARE_INDEX_URL",
        metavar="URL",
    )


def software_index_or_default(url: SecretStr, data: Path) -> str:
    """Return the URL of an index: the given one, or in the data directory."""
    return url.get_secret_value() or f"sqlite:///{data / 'software-index.sqlite3'}"


class SoftwareIndexOptions(Options):
    """Options of the programs that use the search index of software."""

    data: Path = data_directory()
    software_index: SecretStr = software_index_option()

    @property
    def software_index_url(self) -> str:
        """The index's URL, with its credentials."""
        return software_index_or_default(self.software_index, self.data)
