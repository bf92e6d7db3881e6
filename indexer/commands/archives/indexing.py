"""`story-indexer warc index`: make the replay indexes of archives."""

import sys
from typing import TYPE_CHECKING

import typer

from indexer.commands.archives.files import Files
from indexer.commands.console.parameters import with_options
from indexer.commands.console.terminal import cell
from indexer.commands.console.working import Working
from indexer.errors import InputError, StorageError
from indexer.system.options import Options, option
from indexer.warc import CDXJ

if TYPE_CHECKING:
    from indexer.inputs.inputs import Input


class IndexOptions(Options):
    """Options of `warc index`."""

    force: bool = option(False, "Make existing indexes again, too.", short="f")


@with_options
def index(files: Files, options: IndexOptions) -> None:
    """Make the indexes by which replay tools find pages: ARCHIVE.cdxj beside each archive.

    The archiver makes them for its archives. Archives that have an index are left out. Damaged
    records are reported on standard error, and the others indexed. Exit status: 0 if everything
    could be read and written.

    Examples:

        story-indexer warc index data/archive

        story-indexer warc index 's3://my-bucket/2024/*'
    """
    from indexer.commands.archives.reading import ArchiveReading  # noqa: PLC0415 - not for the help

    reading = ArchiveReading(files)
    run = _Indexing(again=options.force)
    with Working() as working:
        for number, archive in enumerate(reading.archives, start=1):
            working.at(f"{number} of {len(reading.archives)} archives: {archive.name}")
            if line := run.index(archive):
                working.print(line)
    there = f", {run.there} there before (--force makes them again)" if run.there else ""
    print(f"{run.made} {'index' if run.made == 1 else 'indexes'} made{there}")
    raise typer.Exit(0 if reading.whole and run.whole else 1)


class _Indexing:
    """Makes indexes, and counts them. `whole`: there was no damage and no error."""

    def __init__(self, *, again: bool) -> None:
        self._again = again
        self.made = 0
        self.there = 0
        self.whole = True

    def index(self, archive: "Input") -> str:
        """Make an archive's index. Returns a line for the user, or ""."""
        from indexer.stories.archiving.replay_indexes import make_index  # noqa: PLC0415 - slow

        try:
            made = make_index(archive, again=self._again)
        except (InputError, StorageError) as error:
            self._report(f"no index of {archive.name}: {error}")
            return ""
        if made is None:
            self.there += 1
            return ""
        for damage in made.damages:
            self._report(
                f"{archive.name}: record {damage.number}, offset {damage.offset}: {damage.why}"
            )
        if made.damages and not made.lines:
            self._report(f"no index of {archive.name}: there is no page in it")
            return ""
        self.made += 1
        return f"{cell(f'{archive.name}{CDXJ}', 5000)}: {len(made.lines)} pages"

    def _report(self, text: str) -> None:
        self.whole = False
        print(cell(text, 5000), file=sys.stderr)
