"""Makes catalogue entities of datasets with several files: lines of JSON in the data directory.

    DATAROOT/catalogue-entities/fileset-2026-11-22.jsonl

No catalogue is called: a release is found if the request names it. A result that comes again makes
no second line. One importer runs at a time.

statuses:
  imported                     an entity was written
  exists                       discarded: the release has this fileset
  skip-release-has-fileset     discarded: the release has another fileset, which is not replaced
  skip-hit                     discarded: the dataset is not archived
  skip-ingest-request-source   discarded: a request of a source that is not imported
  skip-link-source             discarded: a link of a source that is not imported
  skip-ingest-type             discarded: not of the type dataset
  skip-status                  discarded: archived in part
  skip-strategy                discarded: stored in an unknown way
  skip-empty-manifest          discarded: no files
  skip-single-file             discarded: one file, which the file-importer takes
  skip-too-many-files          discarded: more than 300 files
  skip-file-count              discarded: the manifest lacks files
  skip-partial-file-info       discarded: a file lacks its size, type, MD5 or SHA-1
  skip-bad-hashes              discarded: a hash has another length than hashes of its kind
  skip-no-access-url           discarded: no URL leads to it
  skip-release-not-found       discarded: the request names no release

example:
  story-indexer program fileset-importer --data /srv/filesets
"""

import sys
from collections.abc import Sequence
from typing import Never

from indexer.filesets.importing.entities import FILESET
from indexer.filesets.importing.entity_lines import EntityLines
from indexer.filesets.importing.options import EntityOptions
from indexer.filesets.messages import ResultMessage
from indexer.messages.worker import Done, Worker
from indexer.programs.app import ProgramOptions, run_worker


class FilesetImporterOptions(EntityOptions, ProgramOptions):
    """Options of the importer."""


class FilesetImporter(Worker[ResultMessage, Never]):
    """Writes the entities of datasets with several files."""

    name = "fileset-importer"
    takes = ResultMessage

    def __init__(self, options: FilesetImporterOptions) -> None:
        """Raises ConfigurationError if another importer runs, StorageError."""
        self._lines = EntityLines(options.data, FILESET, options)

    def process(self, payload: ResultMessage) -> Done[Never]:
        """Append the entity. Raises Discard, StorageError."""
        return Done((), self._lines.add(payload.result))

    def close(self) -> None:
        """Let another importer run."""
        self._lines.close()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program. Returns its exit status."""
    return run_worker(FilesetImporter, FilesetImporterOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
