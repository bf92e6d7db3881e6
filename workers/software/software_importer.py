"""Brings the search index of software up to date with the rows of origins that have changed.

Intrinsic metadata and that of trusted authorities are merged to one document for each origin; the
document of an origin without metadata is deleted.

statuses:
  success     the document is as the rows are

example:
  story-indexer program software-importer --software-index http://localhost:9200/software
"""

import sys
from collections.abc import Sequence
from typing import Never

from indexer.messages.worker import BatchWorker, Done
from indexer.programs.app import ProgramOptions, run_batch_worker
from indexer.search import open_index
from indexer.search.outages import ATTEMPTS, ask
from indexer.software.messages import ChangedOrigin
from indexer.software.searching.fields import SOFTWARE_FIELDS
from indexer.software.searching.options import SoftwareIndexOptions
from indexer.software.searching.writing import write_origins
from indexer.software.store.options import SoftwareDatabaseOptions
from indexer.software.store.store import SoftwareStore
from indexer.system.patience import Patience


class SoftwareImporterOptions(SoftwareIndexOptions, SoftwareDatabaseOptions, ProgramOptions):
    """Options of the importer of software."""


class SoftwareImporter(BatchWorker[ChangedOrigin, Never]):
    """Writes documents in bulk."""

    name = "software-importer"
    takes = ChangedOrigin
    size = 500
    seconds = 2.0

    def __init__(self, options: SoftwareImporterOptions, patience: Patience | None = None) -> None:
        self._patience = patience or Patience(attempts=ATTEMPTS)
        self._store = SoftwareStore.open(options.database)
        self._index = open_index(options.software_index_url, SOFTWARE_FIELDS)
        self._batch: list[str] = []

    def add(self, payload: ChangedOrigin) -> None:
        """Add an origin."""
        self._batch.append(payload.url)

    def flush(self) -> Sequence[Done[Never]]:
        """Write the documents of the batch. Raises SearchError, StorageError."""
        batch, self._batch = self._batch, []
        urls = [*dict.fromkeys(batch)]
        ask(self._patience, lambda: write_origins(self._store, self._index, urls))
        return [Done()] * len(batch)

    def close(self) -> None:
        """Close the index and the database."""
        self._index.close()
        self._store.close()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program. Returns its exit status."""
    return run_batch_worker(SoftwareImporter, SoftwareImporterOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
