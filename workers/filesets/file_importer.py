"""Makes catalogue entities of datasets with one file: lines of JSON in the data directory.

    DATAROOT/catalogue-entities/file-2026-11-22.jsonl

Files of any type are taken, from results of datasets and of single files (`dataset-file`). No
catalogue is called: a release is found if the request names it. One importer runs at a time.

statuses:
  imported                     an entity was written
  exists                       discarded: the release has this file
  skip-hit                     discarded: the dataset is not archived
  skip-ingest-request-source   discarded: a request of a source that is not imported
  skip-link-source             discarded: a link of a source that is not imported
  skip-ingest-type             discarded: not of the type dataset or dataset-file
  skip-status                  discarded: not the status of a single file
  skip-file-status             discarded: the file is not archived
  skip-empty-manifest          discarded: no files
  skip-multiple-files          discarded: several files, which the fileset-importer takes
  skip-partial-file-info       discarded: the file lacks its size, type or a hash
  skip-bad-hashes              discarded: a hash has another length than hashes of its kind
  skip-no-access-url           discarded: no URL leads to it
  skip-release-not-found       discarded: the request names no release

example:
  story-indexer program file-importer --data /srv/filesets
"""

import sys
from collections.abc import Sequence
from typing import Never

from indexer.filesets.importing.entities import FILE
from indexer.filesets.importing.entity_lines import EntityLines
from indexer.filesets.importing.options import EntityOptions
from indexer.filesets.messages import ResultMessage
from indexer.messages.worker import Done, Worker
from indexer.programs.app import ProgramOptions, run_worker


class FileImporterOptions(EntityOptions, ProgramOptions):
    """Options of the importer."""


class FileImporter(Worker[ResultMessage, Never]):
    """Writes the entities of datasets with one file."""

    name = "file-importer"
    takes = ResultMessage

    def __init__(self, options: FileImporterOptions) -> None:
        """Raises ConfigurationError if another importer runs, StorageError."""
        self._lines = EntityLines(options.data, FILE, options)

    def process(self, payload: ResultMessage) -> Done[Never]:
        """Append the entity. Raises Discard, StorageError."""
        return Done((), self._lines.add(payload.result))

    def close(self) -> None:
        """Let another importer run."""
        self._lines.close()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program. Returns its exit status."""
    return run_worker(FileImporter, FileImporterOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
