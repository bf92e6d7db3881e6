"""Writes stories to WARC files of at most 5000 stories, and uploads them to every archive store.

Each story is written at once. When the batch is full, or 15 minutes old, the file is closed,
synced, verified, uploaded and compared with the upload; only then are its messages acknowledged.
A failed upload is tried again. If it keeps failing, the program ends with status 1, and the file
stays in the work directory until the next start uploads it. Stories that are delivered again in
the meantime are recognised, and not archived twice.

The stores are each --archive-url, and each complete set of ARCHIVER_S3_* and ARCHIVER_B2_*
variables (REGION or ENDPOINT, ACCESS_KEY_ID, SECRET_ACCESS_KEY, BUCKET); without any, archive/ in
the data directory. The name of an archive is YYYY/MM/DD/PREFIX-YYYYMMDDhhmmss-SERIAL-HOST.warc.gz.
With {year} in the prefix, stories fetched in different years go to different archives.

statuses:
  success   in an archive that every store has
  no-url    quarantined: the story has no URL
  no-html   quarantined: the story has no page
  bad-story quarantined: the metadata can't be written as JSON

example:
  python -m workers.stories.archiver --archive-url s3://my-bucket/news --prefix mc
"""

import sys
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated

import structlog
from pydantic import BeforeValidator

from indexer.blobstore import Blobstore, open_blobstore
from indexer.blobstore.credentials import open_all, stores
from indexer.errors import ArchiveError, Quarantine, StorageError
from indexer.http.urls.parts import without_credentials
from indexer.messages.worker import BatchWorker
from indexer.metrics import counter
from indexer.programs.app import ProgramOptions, run_batch_worker
from indexer.spool import Manifest, Spool
from indexer.stories.archiving.story_archive_verifier import ensure_sound
from indexer.stories.archiving.story_archive_writer import (
    MAX_STORIES,
    ArchiveEntry,
    StoryArchiveWriter,
    archive_key,
    archive_name,
    fetch_time,
)
from indexer.stories.story import Story
from indexer.stories.tools.story_files import StoryFileOptions
from indexer.system.options import option
from indexer.text.dates import utc_now

STORE = "ARCHIVER"

# Each open archive, one per year, takes a file and a compressor. With more, the batch ends.
MAX_OPEN = 50

YEAR = "{year}"

BATCHES = counter("batches", "archives by the result of their upload, and empty batches", "status")

log = structlog.get_logger()


def _is_set(value: object) -> bool:
    """Whether a variable is on: any value but an explicit "no" (stories.md 7.3)."""
    return str(value).lower() not in ("", "0", "false", "no", "off")


class ArchiverOptions(StoryFileOptions, ProgramOptions):
    """Options of the archiver."""

    archive_url: list[str] = option(
        [], "store for archives: a directory or s3://BUCKET/PREFIX; repeatable", "ARCHIVE_URL"
    )
    prefix: str = option(
        "mc",
        "first part of an archive's name; {year} is replaced by the year of its stories",
        "ARCHIVER_PREFIX",
    )
    work_dir: Path | None = option(
        None,
        "directory for archives until they are uploaded; default archiver/ in the data directory",
        "ARCHIVER_WORK_DIR",
    )
    remove_local: Annotated[bool, BeforeValidator(_is_set)] = option(
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

    def seal(self, spool: Spool) -> None:
        """Sync the file, verify it, and hand it to the spool. Raises ArchiveError."""
        self.aside.finish()
        with self.aside.path.open("rb") as file:
            ensure_sound(file, self.writer.stories)
        spool.seal(self.aside, archive_key(self.aside.name, self._moment), list(self.items))


class Archiver(BatchWorker[Story]):
    """Writes stories to WARC files in blobstores."""

    name = "archiver"
    takes = Story
    size = MAX_STORIES
    seconds = 900.0

    def __init__(self, options: ArchiverOptions, clock: Callable[[], datetime] = utc_now) -> None:
        self._options = options
        self._clock = clock
        self._open: dict[str, _Archive] = {}
        self._added = 0
        self._archives: list[str] = []
        self._spool = Spool(
            options.work_dir or options.directory(options.process_name or self.name),
            archive_stores(options),
            keep=not options.remove_local,
            delivered=self._report,
        )
        self._catch_up()

    @property
    def full(self) -> bool:
        """Whether one of the archives is full, or too many are open."""
        sizes = (each.is_full(self._options.max_bytes) for each in self._open.values())
        return len(self._open) >= MAX_OPEN or any(sizes)

    @property
    def archives(self) -> Sequence[str]:
        """URLs of the archives that were uploaded since the program started."""
        return tuple(self._archives)

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
        prefix = self._options.prefix.replace(YEAR, year)
        if prefix not in self._open:
            self._open[prefix] = _Archive(self._spool, prefix, now)
        return self._open[prefix]

    def flush(self) -> Sequence[None]:
        """Finish the archives, and upload them. Raises StorageError, ArchiveError."""
        if not self._open:
            BATCHES.add(status="empty")
        for prefix in list(self._open):
            self._open[prefix].seal(self._spool)
            # Removed one by one: if sealing the next one fails, `close` discards only open ones.
            del self._open[prefix]
        self._deliver()
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

    def _report(self, name: str, manifest: Manifest) -> None:
        BATCHES.add(status="uploaded")
        urls = list(manifest.stores.values())
        self._archives.append(urls[0])
        stories, size = len(manifest.items), manifest.size
        log.info("archive", name=name, url=" ".join(urls), stories=stories, bytes=size)


def archive_stores(options: ArchiverOptions) -> dict[str, Blobstore]:
    """The stores for archives, by their names in manifests. Raises ConfigurationError."""
    found: dict[str, Blobstore] = {}
    for url in options.archive_url:
        found[without_credentials(url)] = open_all(url, STORE)[0]
    for store in stores(STORE):
        # Credentials without a bucket are those of an --archive-url.
        if store.bucket:
            found[f"{store.name}_{store.provider}"] = open_blobstore(store.url, store.credentials)
    return found or {"archive": open_blobstore(str(options.data / "archive"))}


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
