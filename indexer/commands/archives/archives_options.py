"""The options of commands that read archives."""

from collections.abc import Sequence
from pathlib import Path

from indexer.programs.settings import data_directory
from indexer.system.options import Options, environment


class ArchivesOptions(Options):
    """Options of commands that read the archives of the archiver, if no others are named."""

    data: Path = data_directory()

    def named(self, files: Sequence[str] | None) -> Sequence[str]:
        """Return the files that were named; without any, the place of all archives."""
        if files:
            return files
        from indexer.stories.archiving.archive_stores import (  # noqa: PLC0415 - not for the help
            ArchiveStoreOptions,
            archives_to_read,
        )

        given = {**environment(), "DATAROOT": str(self.data)}
        return [archives_to_read(ArchiveStoreOptions.of(given))]
