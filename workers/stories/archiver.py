"""Writes stories to WARC files of at most 5000 stories, and uploads them to every archive store.

Each story is written at once. When the batch is full, or 15 minutes old, the file is closed,
synced, verified, uploaded and compared with the upload; only then are its messages acknowledged.
A failed upload is tried again. If it keeps failing, the program ends with status 1, and the file
stays in the work directory until the next start uploads it. Stories that are delivered again in
the meantime are recognised, and not archived twice.

The stores are each --archive-url, and each complete set of ARCHIVER_S3_* and ARCHIVER_B2_*
variables (REGION or ENDPOINT, ACCESS_KEY_ID, SECRET_ACCESS_KEY, BUCKET); without any, archive/ in
the data directory. The name of an archive is YYYY/MM/DD/PREFIX-YYYYMMDDhhmmss-SERIAL-HOST.warc.gz.
With {year} in the prefix, stories fetched in different years go to different archives. Beside each
archive lies an index for replay tools, NAME.cdxj.

The step drop-archiver runs this program, too: it archives the stories that the parser drops, if
PARSER_ARCHIVE_DROPS is on. The names of these archives begin with --drop-prefix, and the metadata
of each story have the reason why it was dropped.

statuses:
  success   in an archive that every store has
  no-url    quarantined: the story has no URL
  no-html   quarantined: the story has no page
  bad-story quarantined: the metadata can't be written as JSON

example:
  story-indexer program archiver --archive-url s3://my-bucket/news --prefix mc
"""

import sys
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated, BinaryIO, Never

from pydantic import BeforeValidator

from indexer.errors import ArchiveError, Quarantine, StorageError
from indexer.messages.message import DROPPED
from indexer.messages.worker import BatchWorker
from indexer.metrics import counter
from indexer.news.counting import STORIES
from indexer.programs.app import ProgramOptions, run_batch_worker
from indexer.spool import Companion, Manifest, Spool
from indexer.stories.archiving.archive_stores import ArchiveStoreOptions, archive_stores
from indexer.stories.archiving.story_archive_verifier import Verifier
from indexer.stories.archiving.story_archive_writer import (
    MAX_STORIES,
    ArchiveEntry,
    StoryArchiveWriter,
    archive_key,
    archive_name,
    fetch_time,
)
from indexer.stories.story import Story
from indexer.stories.tools.story_file_options import StoryFileOptions
from indexer.system.loggers import get_logger
from indexer.system.options import is_on, option
from indexer.text.dates import utc_now
from indexer.warc import CDXJ
from indexer.warc.cdxj import index_of

# Each open archive, one per year, takes a file and a compressor. With more, the batch ends.
MAX_OPEN = 50

YEAR = "{year}"

BATCHES = counter("batches", "archives by the result of their upload, and empty batches", "status")

log = get_logger()


class ArchiverOptions(StoryFileOptions, ProgramOptions, ArchiveStoreOptions):
    """Options of the archiver."""

    prefix: str = option(
        "mc",
        "first part of an archive's name; {year} is replaced by the year of its stories",
        "ARCHIVER_PREFIX",
    )
    drop_prefix: str = option(
        "dropped",
        "the same for archives of stories that the parser has dropped",
        "ARCHIVER_DROP_PREFIX",
    )
    work_dir: Path | None = option(
        None,
        "directory for archives until they are uploaded; default archiver/ in the data directory",
        "ARCHIVER_WORK_DIR",
    )
    # Any value counts (stories.md 7.3).
    remove_local: Annotated[bool, BeforeValidator(is_on)] = option(
        False, "delete the local copy of an archive that every store has", "ARCHIVER_REMOVE_LOCAL"
    )
    max_bytes: int = option(
        1_000_000_000, "compressed bytes after which an archive ends", "ARCHIVER_MAX_BYTES"
    )
    upload_seconds: float = option(
        300.0,
        "seconds of failed uploads after which the program ends",
        "ARCHIVER_UPLOAD_SECONDS",
    )


class _Archive:
    """An archive that is being written."""

    def __init__(self, spool: Spool, prefix: str, moment: datetime) -> None:
        self._moment = moment
        self.aside = spool.create(lambda serial: archive_name(prefix, moment, serial))
        self.writer = StoryArchiveWriter(self.aside.file, self.aside.name)
        self.items: dict[str, None] = {}

    def is_full(self, max_bytes: int) -> bool:
        """Whether the archive has its largest number of stories or bytes."""
        return self.writer.stories >= MAX_STORIES or self.writer.size >= max_bytes

    def write(self, entry: ArchiveEntry) -> None:
        """Append a story, unless the same story is in the archive."""
        if entry.identity not in self.items:
            self.writer.write(entry)
            self.items[entry.identity] = None

    def seal(self, spool: Spool) -> bytes:
        """Sync the file, verify it, and hand it to the spool. Returns its index for replay tools.

        Raises ArchiveError.
        """
        self.aside.finish()
        verifier = Verifier()
        with self.aside.path.open("rb") as file:
            index = index_of(file, self.aside.name, verifier.read)
        verifier.ensure_sound(self.writer.stories)
        spool.seal(self.aside, archive_key(self.aside.name, self._moment), list(self.items))
        return index.dump()


class Archiver(BatchWorker[Story, Never]):
    """Writes stories to WARC files in blobstores."""

    name = "archiver"
    counted_as = STORIES
    takes = Story
    size = MAX_STORIES
    seconds = 900.0

    def __init__(self, options: ArchiverOptions, clock: Callable[[], datetime] = utc_now) -> None:
        self._options = options
        self._clock = clock
        self._open: dict[str, _Archive] = {}
        self._added = 0
        self._made: list[str] = []
        self._indexes: dict[str, bytes] = {}
        self._spool = Spool(
            options.work_dir or options.directory(options.process_name or self.name),
            archive_stores(options),
            keep=not options.remove_local,
            companion=Companion(CDXJ, self._index),
            delivered=self._report,
        )
        self._catch_up()

    @property
    def full(self) -> bool:
        """Whether one of the archives is full, or too many are open."""
        sizes = (each.is_full(self._options.max_bytes) for each in self._open.values())
        return len(self._open) >= MAX_OPEN or any(sizes)

    @property
    def made(self) -> Sequence[str]:
        """URLs of the archives that were uploaded since the program started."""
        return tuple(self._made)

    def add(self, story: Story) -> None:
        """Write the story to an archive; the caller need not keep it."""
        self._add(_entry(story), again=False)

    def add_again(self, story: Story) -> None:
        """Write the story to an archive, unless a process that died has archived it."""
        self._add(_entry(story), again=True)

    def _add(self, entry: ArchiveEntry, *, again: bool) -> None:
        if self._added == 0:
            self._spool.forget()
        # Another archiver may have died since: its messages come to this one, and the archives that
        # it left tell which of their stories need no other archive.
        if again or self._added == 0:
            self._spool.adopt()
        if entry.identity not in self._spool:
            self._archive_of(entry.story).write(entry)
        self._added += 1

    def _archive_of(self, story: Story) -> _Archive:
        """The open archive for the story's prefix, created for its first story."""
        now = self._clock()
        year = f"{(fetch_time(story) or now).year:04}"
        options = self._options
        prefix = options.drop_prefix if DROPPED in story.unknown else options.prefix
        prefix = prefix.replace(YEAR, year)
        if prefix not in self._open:
            self._open[prefix] = _Archive(self._spool, prefix, now)
        return self._open[prefix]

    def flush(self) -> Sequence[None]:
        """Finish the archives, and upload them. Raises StorageError, ArchiveError."""
        if not self._open:
            BATCHES.add(status="empty")
        for prefix in list(self._open):
            archive = self._open[prefix]
            self._indexes[archive.aside.name] = archive.seal(self._spool)
            # Removed one by one: if sealing the next one fails, `close` discards only open ones.
            del self._open[prefix]
        self._deliver()
        self._indexes.clear()
        added, self._added = self._added, 0
        return [None] * added

    def close(self) -> None:
        """Discard unfinished archives: their messages will be delivered again."""
        for archive in self._open.values():
            self._spool.discard(archive.aside)
        self._spool.close()

    def _catch_up(self) -> None:
        """Upload the archives of processes that died. Raises StorageError."""
        self._spool.adopt()
        try:
            self._deliver()
        except StorageError:
            self._spool.close()
            raise

    def _deliver(self) -> None:
        """Upload all finished archives to all stores. Raises StorageError."""
        try:
            self._spool.deliver(self._options.upload_seconds)
        except StorageError:
            BATCHES.add(status="noupload")
            raise

    def _index(self, file: BinaryIO, name: str) -> bytes:
        """The index of an archive, which is known unless a store has given it another name."""
        return self._indexes.get(name) or index_of(file, name).dump()

    def _report(self, name: str, manifest: Manifest) -> None:
        BATCHES.add(status="uploaded")
        urls = list(manifest.stores.values())
        self._made.append(urls[0])
        stories, size = len(manifest.items), manifest.size
        log.info("archive", name=name, url=" ".join(urls), stories=stories, bytes=size)


def _entry(story: Story) -> ArchiveEntry:
    if not story.url:
        raise Quarantine("no-url", "the story has no URL")
    if not story.raw_html.html:
        raise Quarantine("no-html", "the story has no page")
    try:
        return ArchiveEntry.of(story)
    except ArchiveError as error:
        raise Quarantine("bad-story", str(error)) from error


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program. Returns its exit status."""
    return run_batch_worker(Archiver, ArchiverOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
