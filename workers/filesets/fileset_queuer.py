"""Queues requests for research datasets.

An input is a DOI, the URL of a dataset, or a list: a DOI, a URL, a request as JSON, or the result
of an earlier ingest in each line. Lists are files, directories, - for standard input, buckets, or
web URLs that end with .jsonl, .ndjson or .json; they may be compressed. The file
file-tracker.sqlite3 names the lists that were read: they are skipped until they change. Of a list
that has changed, the lines that are as they were have the result `existing`.

A line that is no request is queued, too: its result has the status `bad-request`.

Credentials for s3:// and b2:// come from FILESETS_S3_REGION, FILESETS_S3_ACCESS_KEY_ID,
FILESETS_S3_SECRET_ACCESS_KEY and FILESETS_S3_ENDPOINT, or FILESETS_B2_…; then from QUEUER_….

statuses:
  queuing     queued
  parsed      would be queued (--dry-run)
  dropped     left out of the sample

examples:
  story-indexer program fileset-queuer 10.5281/zenodo.10200001 requests.jsonl
  story-indexer program fileset-queuer --force data/fileset-results
"""

import hashlib
import sys
import uuid
from collections.abc import Generator, Iterator, Sequence
from typing import BinaryIO

from indexer.filesets.ingest.inputs import is_dataset, request_of, requests_of
from indexer.filesets.messages import RequestMessage
from indexer.inputs.queuers import Named, Queuer, QueuerOptions
from indexer.messages.worker import Mark, Skipped
from indexer.programs.app import run_producer

LINES = "standard input"


class FilesetQueuer(Queuer[RequestMessage]):
    """Makes requests of DOIs, URLs and lists of them."""

    name = "fileset-queuer"
    stores = ("FILESETS",)

    def __init__(self, options: QueuerOptions) -> None:
        """Raises ConfigurationError."""
        super().__init__(options)
        # Each run asks anew, unless the tracker goes on with what an earlier run has begun.
        self._run = uuid.uuid4().hex
        self._datasets = [name for name in options.producer.inputs if is_dataset(name)]

    def names(self) -> Sequence[str]:
        """The inputs that are lists. Raises ConfigurationError."""
        given = super().names()
        return [name for name in given if name not in self._datasets]

    def produce(self) -> Generator[RequestMessage | Skipped | Mark, None, None]:
        """Yield the requests of all inputs. See `Producer`."""
        for name in self._datasets:
            yield RequestMessage(request_of(name), _id(self._run, name))
        yield from super().produce()

    def process_file(self, name: str, file: BinaryIO) -> Iterator[RequestMessage | Skipped | Named]:
        """The requests of a list, in the order of its lines.

        A request that is queued twice, as the program was killed between, has the same id.
        """
        is_new = self.options.producer.force or name == LINES
        source = self._run if is_new else name
        for number, request in enumerate(requests_of(file)):
            yield RequestMessage(request, _id(source, str(number), repr(request.given)))


def _id(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode(errors="replace")).hexdigest()[:32]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program. Returns its exit status."""
    return run_producer(FilesetQueuer, QueuerOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
