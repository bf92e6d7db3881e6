"""Stores results in SQL: the tables ingest_request, ingest_file_result, ingest_fileset_platform,
cdx and file_meta.

A batch is one transaction. A result that comes twice has one row; a newer one replaces it. If the
database does not answer for some minutes, the program ends with status 1; nothing is lost.

statuses:
  stored                in the database
  skip-request-fields   discarded: a result has hit, status, and a request with a base_url
  skip-ingest-type      discarded: no result of a dataset or a file
  skip-existing         discarded: it says only that the dataset was stored before
  skip-huge-url         discarded: a URL is longer than the columns allow
  bad-result            quarantined: a value that no row can have, with the reason

example:
  story-indexer program fileset-persister --database-url postgresql://filesets@localhost/filesets
"""

import sys
from collections.abc import Sequence
from typing import Never

from indexer.errors import Quarantine, StorageError
from indexer.filesets.messages import ResultMessage
from indexer.filesets.persisting.options import FilesetDatabaseOptions
from indexer.filesets.persisting.rows import BAD_RESULT, Row, rows_of
from indexer.filesets.persisting.store import FilesetStore
from indexer.messages.worker import BatchWorker, Done
from indexer.programs.app import ProgramOptions, run_batch_worker
from indexer.system.loggers import get_logger
from indexer.system.patience import Patience

MAX_FILES = 50_000
"""Files of all manifests of a batch, which is in memory."""

OUTAGE_ATTEMPTS = 16
"""Attempts at a database that does not answer: about five minutes."""

log = get_logger()


class PersisterOptions(FilesetDatabaseOptions, ProgramOptions):
    """Options of the persister."""


class FilesetPersister(BatchWorker[ResultMessage, Never]):
    """Stores results in batches."""

    name = "fileset-persister"
    takes = ResultMessage
    size = 200
    seconds = 1.0

    def __init__(self, options: PersisterOptions, patience: Patience | None = None) -> None:
        self._patience = patience or Patience(attempts=OUTAGE_ATTEMPTS)
        self._store = FilesetStore.open(options.database)
        self._batch: list[list[Row]] = []
        self._files = 0

    @property
    def full(self) -> bool:
        """Whether the batch has its largest number of files."""
        return self._files >= MAX_FILES

    def add(self, payload: ResultMessage) -> None:
        """Add the rows of a result. Raises Discard, Quarantine."""
        rows = rows_of(dict(payload.result))
        self._batch.append(rows)
        self._files += sum(len(row.values.get("manifest") or ()) for row in rows)

    def flush(self) -> Sequence[Done[Never] | Quarantine]:
        """Store the batch. Raises StorageError: none of it is stored."""
        # Emptied first: after an error the messages are delivered again.
        batch, self._batch, self._files = self._batch, [], 0
        refusals = self._patience.retry(
            lambda: self._store.save_all(batch),
            StorageError,
            warn=lambda error: log.warning("the database failed", why=str(error)),
        )
        return [Quarantine(BAD_RESULT, why) if why else Done((), "stored") for why in refusals]

    def close(self) -> None:
        """Close the database."""
        self._store.close()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program. Returns its exit status."""
    return run_batch_worker(FilesetPersister, PersisterOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
