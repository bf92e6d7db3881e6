"""The options of programs that read or write items."""

from pathlib import Path

from indexer.programs.settings import data_directory
from indexer.system.options import Options, option


class ItemsOptions(Options):
    """Part of the options of programs that read or write items."""

    data: Path = data_directory()
    to: str = option(
        "",
        "directory or s3://BUCKET/PREFIX with the items, or https://s3.us.archive.org; default: in "
        "the data directory",
        "FILESETS_URL",
    )

    @property
    def items(self) -> str:
        """The store of items: by default in the data directory."""
        return self.to or str(self.data / "filesets")
