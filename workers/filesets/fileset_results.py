"""Keeps the results of ingests as lines of JSON, in one file a day and topic.

    DATAROOT/fileset-results/ingest-fileset-results-2026-11-22.jsonl

The fileset-queuer reads them again. A result that was sent twice is there twice, with the same
`ingest_id`.

statuses:
  success     kept

example:
  story-indexer program fileset-results --data /srv/filesets
"""

import sys
from collections.abc import Sequence
from typing import Never

from indexer.filesets.messages import ResultMessage
from indexer.filesets.results.dated_lines import DIRECTORY, DatedLines
from indexer.messages.worker import Worker
from indexer.programs.app import ProgramOptions, run_worker


class FilesetResults(Worker[ResultMessage, Never]):
    """Appends each result to the file of its topic and day."""

    name = "fileset-results"
    takes = ResultMessage
    retry_delay = 60.0

    def __init__(self, options: ProgramOptions) -> None:
        self._directory = options.data / DIRECTORY

    def process(self, payload: ResultMessage) -> None:
        """Append the result durably. Raises StorageError."""
        DatedLines(self._directory, payload.key).append(payload.result)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program. Returns its exit status."""
    return run_worker(FilesetResults, ProgramOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
