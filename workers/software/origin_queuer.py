"""Queues origins of source code, whose metadata the origin-indexer reads.

An input is an archive with one origin: a git repository on disk or its https:// URL, a directory,
or a tarball (.tar.gz, .tar.bz2, .tar.xz, .tar.zst, .zip). Or it is a list: a file, - for standard
input, a bucket, or a web URL that ends with .txt, .jsonl or .ndjson; it may be compressed. A line
of a list is one of:

  an archive    a path or a URL, as above
  a visit       {"origin": URL, "status": "full", …}: a line of JSON of a journal of visits;
                "archive" names the place of the origin's objects, else --source-archive does, else
                they are lines of the same file
  metadata      {"topic": "raw_extrinsic_metadata", …}: what a forge or a registry says

Visits that are not full, and lines with other objects, are left out. The file
file-tracker.sqlite3 names the lists that were read: they are skipped until they change. Programs on
other machines must find local archives at the same paths.

Credentials for s3:// and b2:// come from SOFTWARE_S3_REGION, SOFTWARE_S3_ACCESS_KEY_ID,
SOFTWARE_S3_SECRET_ACCESS_KEY and SOFTWARE_S3_ENDPOINT, or SOFTWARE_B2_…; then from QUEUER_….

statuses:
  queuing     queued
  parsed      would be queued (--dry-run)
  dropped     left out of the sample
  bad-line    not queued: a line that is no archive, visit or metadata
  no-archive  not queued: a visit, on standard input, whose archive nothing names

examples:
  story-indexer program origin-queuer ~/projects/thing https://git.example.org/thing.git
  story-indexer program origin-queuer visits.jsonl --source-archive /srv/archive.jsonl
"""

import sys
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from indexer.inputs.queuers import Named, Queuer, QueuerOptions
from indexer.messages.worker import Mark, Skipped
from indexer.programs.app import run_producer
from indexer.software.archives.inputs import is_one_origin, message_of, messages_of
from indexer.software.messages import OriginMessage
from indexer.system.options import option

LINES = "standard input"


class OriginQueuerOptions(QueuerOptions):
    """Options of the queuer of origins."""

    source_archive: str = option(
        "", "archive with the objects of all visits in lists", "SOFTWARE_ARCHIVE"
    )


class OriginQueuer(Queuer[OriginMessage]):
    """Makes messages of archives and of lists of visits."""

    name = "origin-queuer"
    stores = ("SOFTWARE",)
    # Origins of one archive are indexed together.
    shuffled = False

    def __init__(self, options: OriginQueuerOptions) -> None:
        """Raises ConfigurationError."""
        super().__init__(options)
        self._archive = options.source_archive

    def names(self) -> Sequence[str]:
        """The inputs that are lists. Raises InputError, ConfigurationError."""
        return [name for name in self._given() if not is_one_origin(name)]

    def produce(self) -> Generator[OriginMessage | Skipped | Mark, None, None]:
        """Yield the origins of all inputs. See `Producer`."""
        for name in self._given():
            if is_one_origin(name):
                yield message_of(name)
        yield from super().produce()

    def process_file(self, name: str, file: BinaryIO) -> Iterator[OriginMessage | Skipped | Named]:
        """The origins of a list, in the order of its lines."""
        own = name if Path(name).is_file() else ""
        yield from messages_of(name, file, self._archive or own)

    def _given(self) -> Sequence[str]:
        return self._inputs.named(super().names())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program. Returns its exit status."""
    return run_producer(OriginQueuer, OriginQueuerOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
