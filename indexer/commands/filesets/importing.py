"""`story-indexer filesets import` and `archiveorg-fileset`: entities of a catalogue."""

from pathlib import Path
from typing import Annotated

import typer

from indexer.commands.console.parameters import JSONOptions, with_options
from indexer.commands.filesets.result_files import ResultFiles
from indexer.filesets.importing.options import EntityOptions
from indexer.filesets.ingest.options import DatasetOptions
from indexer.programs.settings import data_directory


class ImportResultsOptions(EntityOptions, JSONOptions):
    """Options of `import`."""

    data: Path = data_directory()


@with_options
def import_results(options: ImportResultsOptions, files: ResultFiles = None) -> None:
    """Make entities of a catalogue of archived datasets: lines of JSON.

    They are appended to fileset-DAY.jsonl and file-DAY.jsonl in DATAROOT/catalogue-entities, each
    once, however often its result is read. No catalogue is called. Statuses: imported; exists;
    skip-…: left out, for a reason that docs/filesets/results.md explains.

    Exit status: 0 if all results could be read, else 1.

    Example:

        story-indexer filesets import --json
    """
    from indexer.commands.filesets import catalogue  # noqa: PLC0415 - not for the help

    catalogue.import_results(files, options)


@with_options
def archiveorg_fileset(
    options: DatasetOptions,
    item: Annotated[str, typer.Argument(metavar="ITEM", help="The name of an item.")] = "-",
    release: Annotated[
        str, typer.Argument(metavar="RELEASE", help="The 26 characters of a release's id.")
    ] = "",
) -> None:
    """Print the catalogue's fileset of an item of archive.org, as a line of JSON.

    Without arguments, lines with an item, a tab and a release are read from standard input.

    Exit status: 0 if all items have a fileset, else 1.

    Examples:

        story-indexer filesets archiveorg-fileset zenodo.org-10200001 bqtbhqgnkrc2hmhqh5ba2lkqme

        cut -f 1,2 items.tsv | story-indexer filesets archiveorg-fileset
    """
    from indexer.commands.filesets import catalogue  # noqa: PLC0415 - not for the help

    raise typer.Exit(0 if catalogue.print_filesets(item, release, options) else 1)
