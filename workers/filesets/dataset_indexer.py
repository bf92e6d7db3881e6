"""Adds archived datasets to the search index, beside the stories.

`story-indexer search` finds them by title, creator, DOI, file name and description. While the index
can't be reached, the program tries again for some minutes, and then ends with status 1.

statuses:
  created       in the index
  updated       replaced in the index
  dups          discarded: the batch has a later result of the same dataset
  skip-hit      discarded: the dataset is not archived
  no-platform   discarded: the result names no platform
  reqerr        quarantined: the index refused the dataset, with the reason
  retry         retried later: the index is too busy

example:
  story-indexer program dataset-indexer --index-url http://localhost:9200/mc_search
"""

import sys
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Never

from pydantic import SecretStr

from indexer.filesets.importing.documents import (
    DATASET_FIELDS,
    Ending,
    dataset_document,
    write_datasets,
)
from indexer.filesets.messages import ResultMessage
from indexer.messages.worker import BatchWorker
from indexer.programs.app import ProgramOptions, run_batch_worker
from indexer.programs.settings import index_option, index_or_default
from indexer.search import Document, open_index
from indexer.search.outages import ATTEMPTS, ask
from indexer.system.patience import Patience
from indexer.text.dates import utc_now


class DatasetIndexerOptions(ProgramOptions):
    """Options of the indexer of datasets."""

    index_url: SecretStr = index_option(
        "the index: sqlite:///FILE or http(s)://USER:PASSWORD@HOST:PORT/ALIAS; "
        "default index.sqlite3 in the data directory"
    )


class DatasetIndexer(BatchWorker[ResultMessage, Never]):
    """Indexes datasets in bulk."""

    name = "dataset-indexer"
    takes = ResultMessage
    size = 100
    seconds = 5.0

    def __init__(
        self,
        options: DatasetIndexerOptions,
        clock: Callable[[], datetime] = utc_now,
        patience: Patience | None = None,
    ) -> None:
        self._patience = patience or Patience(attempts=ATTEMPTS)
        self._clock = clock
        url = index_or_default(options.index_url, options.data)
        self._index = open_index(url, DATASET_FIELDS)
        self._batch: list[Document] = []

    def add(self, payload: ResultMessage) -> None:
        """Add the document of a dataset. Raises Discard."""
        self._batch.append(dataset_document(payload.result, self._clock()))

    def flush(self) -> Sequence[Ending]:
        """Index the batch. Raises SearchError: each dataset may be indexed or not."""
        batch, self._batch = self._batch, []
        return ask(self._patience, lambda: write_datasets(self._index, batch))[0]

    def close(self) -> None:
        """Close the index."""
        self._index.close()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program. Returns its exit status."""
    return run_batch_worker(DatasetIndexer, DatasetIndexerOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
