"""`story-indexer filesets import` and `archiveorg-fileset`: entities of a catalogue."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from indexer.commands.console.parameters import JSONOptions, with_options
from indexer.commands.console.terminal import line_of_json
from indexer.commands.filesets.result_files import (
    Ending,
    ResultFiles,
    handle_lines,
    kept_results,
)
from indexer.errors import ConfigurationError
from indexer.filesets.importing.entities import FILE, FILESET, EntityOptions
from indexer.filesets.importing.gates import RELEASE, is_of_one_file
from indexer.filesets.ingest.opening import opened_looker
from indexer.filesets.ingest.options import DatasetOptions
from indexer.filesets.manifest import FilesetManifestFile
from indexer.filesets.request import DATASET, IngestRequest
from indexer.filesets.results.dated_lines import FILESETS
from indexer.messages.worker import Done
from indexer.programs.settings import data_directory

if TYPE_CHECKING:
    from indexer.filesets.ingest.ingester import Ingester


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
    from indexer.filesets.importing.entity_lines import EntityLines  # noqa: PLC0415 - for no help

    with (
        closing(EntityLines(options.data, FILESET, options)) as filesets,
        closing(EntityLines(options.data, FILE, options)) as single,
    ):

        def add(result: Mapping[str, Any]) -> Ending:
            lines = single if is_of_one_file(result) else filesets
            return Done((), lines.add(result))

        # Each is written at once: nothing is left to flush.
        names = files or kept_results(options.data, FILESETS)
        handle_lines(names, add, list, options)


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
    if item != "-" and not RELEASE.fullmatch(release):
        raise ConfigurationError(f"{release!r} is no id of a release: it has 26 characters a-z2-7")
    pairs = iter([(item, release)]) if item != "-" else _pairs()
    with opened_looker(options) as looker:
        printed = [_print(looker, options, *pair) for pair in pairs]
    raise typer.Exit(0 if all(printed) else 1)


def _pairs() -> Iterator[tuple[str, str]]:
    # Spreadsheets write a byte order mark, CRLF, and quotes.
    for line in sys.stdin.buffer:
        fields = line.decode("utf-8-sig", "replace").replace('"', "").split()
        if fields:
            yield fields[0], fields[1] if len(fields) == 2 else ""


def _print(looker: "Ingester", options: DatasetOptions, item: str, release: str) -> bool:
    """Print the fileset of an item, or why it has none. Returns whether it has one."""
    if not RELEASE.fullmatch(release):
        print(f"{item}: no id of a release, of 26 characters a-z2-7", file=sys.stderr)
        return False
    url = f"{options.platforms.archiveorg_url}/details/{item}"
    found = looker.look(IngestRequest.of({"ingest_type": DATASET, "base_url": url}))
    # The limits are those of transfers.
    if found.item is None or not found.item.files:
        print(f"{item}: {found.status}: {found.message}", file=sys.stderr)
        return False
    print(line_of_json(_fileset(item, release, found.item.files)))
    return True


def _fileset(item: str, release: str, files: Sequence[FilesetManifestFile]) -> dict[str, Any]:
    return {
        "manifest": [
            {
                "path": file.path,
                "size": file.size,
                "sha1": file.sha1,
                "md5": file.md5,
                **({"extra": {"mimetype": file.mimetype}} if file.mimetype else {}),
            }
            for file in files
        ],
        "urls": [{"rel": "archive", "url": f"https://archive.org/download/{item}/"}],
        "release_ids": [release],
    }
