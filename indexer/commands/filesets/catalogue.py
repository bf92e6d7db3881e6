"""What `import` and `archiveorg-fileset` do: entities of a catalogue."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from typing import Any

from indexer.commands.console.terminal import line_of_json
from indexer.commands.filesets.importing import ImportResultsOptions
from indexer.commands.filesets.result_files import Ending, ResultFiles, handle_lines, kept_results
from indexer.errors import ConfigurationError
from indexer.filesets.importing.entities import FILE, FILESET
from indexer.filesets.importing.entity_lines import EntityLines
from indexer.filesets.importing.gates import RELEASE, is_of_one_file
from indexer.filesets.ingest.ingester import Ingester
from indexer.filesets.ingest.opening import opened_looker
from indexer.filesets.ingest.options import DatasetOptions
from indexer.filesets.manifest import FilesetManifestFile
from indexer.filesets.request import DATASET, IngestRequest
from indexer.filesets.results.dated_lines import FILESETS
from indexer.messages.worker import Done


def import_results(files: ResultFiles, options: ImportResultsOptions) -> None:
    """Append the entities of results to the files of a day. Ends the command."""
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


def print_filesets(item: str, release: str, options: DatasetOptions) -> bool:
    """Print the fileset of an item, or of each line of input. Returns whether all have one."""
    if item != "-" and not RELEASE.fullmatch(release):
        raise ConfigurationError(f"{release!r} is no id of a release: it has 26 characters a-z2-7")
    pairs = iter([(item, release)]) if item != "-" else _pairs()
    with opened_looker(options) as looker:
        printed = [_print(looker, options, *pair) for pair in pairs]
    return all(printed)


def _pairs() -> Iterator[tuple[str, str]]:
    # Spreadsheets write a byte order mark, CRLF, and quotes.
    for line in sys.stdin.buffer:
        fields = line.decode("utf-8-sig", "replace").replace('"', "").split()
        if fields:
            yield fields[0], fields[1] if len(fields) == 2 else ""


def _print(looker: Ingester, options: DatasetOptions, item: str, release: str) -> bool:
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
