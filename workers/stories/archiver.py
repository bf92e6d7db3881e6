"""Writes stories to WARC files, 5000 in each at most, and uploads them to every archive store.

A story is written as it comes. When the batch is full, or 15 minutes old, its file is closed,
synced, read again and verified, uploaded and compared there; only then are its stories done.
An upload that fails is tried again; if that doesn't help the program ends with status 1, the file
stays in the work directory, and is uploaded when the program starts next. Stories that come
again meanwhile are recognised, and not archived twice.

Where to: each --archive-url, and each complete set of ARCHIVER_S3_* and ARCHIVER_B2_* variables
(REGION or ENDPOINT, ACCESS_KEY_ID, SECRET_ACCESS_KEY, BUCKET); without any: archive/ in the data
directory. An archive is named YYYY/MM/DD/PREFIX-YYYYMMDDhhmmss-SERIAL-HOST.warc.gz there. With
{year} in the prefix, stories of different years, by when they were fetched, come into different
archives.

statuses:
  success   in an archive that every store has
  no-url    quarantined: a story without any URL
  no-html   quarantined: a story without a page
  bad-story quarantined: its metadata can't be written as JSON

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
from indexer.http.urls.redaction import without_credentials
from indexer.messages.worker import BatchWorker
from indexer.metrics import counter
from indexer.programs.app import ProgramOptions, run_batch_worker
from indexer.spool import Aside, Manifest, Spool
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
from indexer.warc.writer import utc_now

STORE = "ARCHIVER"

MAX_OPEN = 50
"""Archives that are written at once, at most: a year each. Then the batch ends."""

YEAR = "{year}"

BATCHES = counter("batches", "archives and batches of them, by what became of them", "status")

log = structlog.get_logger()


def _is_set(value: object) -> bool:
    """Any value but an explicit no switches a variable on (stories.md 7.3)."""
    return str(value).lower() not in ("", "0", "false", "no", "off")


class ArchiverOptions(StoryFileOptions, ProgramOptions):
    """What the archiver can be told."""

    archive_url: list[str] = option(
        [], "where archives go: a directory or s3://BUCKET/PREFIX; may be repeated", "ARCHIVE_URL"
    )
    prefix: str = option(
        "mc",
        "first part of an archive's name; {year} stands for that of its stories",
        "ARCHIVER_PREFIX",
    )
    work_dir: Path | None = option(
        None,
        "where archives are written and wait; default archiver/ in the data directory",
        "ARCHIVER_WORK_DIR",
    )
    remove_local: Annotated[bool, BeforeValidator(_is_set)] = option(
        False, "keep no copy of what every store has", "ARCHIVER_REMOVE_LOCAL"
    )
    max_bytes: int = option(
        1_000_000_000, "compressed bytes after which an archive ends", "ARCHIVER_MAX_BYTES"
    )
    upload_seconds: float = option(
        300.0,
        "how long a failing upload is tried before the program ends",
        "ARCHIVER_UPLOAD_SECONDS",
    )


class _Archive:
    """An archive that is being written."""

    def __init__(self, spool: Spool, prefix: str, moment: datetime) -> None:
        self._moment = moment
        self.aside: Aside = spool.create(lambda serial: archive_name(prefix, moment, serial))
        self.writer = StoryArchiveWriter(self.aside.file, self.aside.name)
        self.items: dict[str, None] = {}

    def is_full(self, max_bytes: int) -> bool:
        """Whether it is as large as one may be."""
        return self.writer.stories >= MAX_STORIES or self.writer.size >= max_bytes

    def write(self, entry: ArchiveEntry) -> None:
        """Append a story, unless the very same is there."""
        if entry.identity not in self.items:
            self.writer.write_entry(entry)
            self.items[entry.identity] = None

    def seal(self, spool: Spool) -> None:
        """Make it durable, read it again, and hand it to the spool. Raises ArchiveError."""
        self.aside.finish()
        with self.aside.path.open("rb") as file:
            ensure_sound(file, self.writer.stories)
        spool.seal(self.aside, archive_key(self.aside.name, self._moment), list(self.items))


class Archiver(BatchWorker[Story]):
    """The sink of stories: WARC files in blobstores."""

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
        """Whether one of the archives is as large as one may be, or there are too many."""
        sizes = (each.is_full(self._options.max_bytes) for each in self._open.values())
        return len(self._open) >= MAX_OPEN or any(sizes)

    @property
    def archives(self) -> Sequence[str]:
        """URLs of the archives that every store has, since the program started."""
        return tuple(self._archives)

    def add(self, story: Story) -> None:
        """Write the story to the archive; it need not be kept any longer."""
        self._add(_entry(story), again=False)

    def add_again(self, story: Story) -> None:
        """Write the story to the archive, unless a process that died has archived it."""
        self._add(_entry(story), again=True)

    def _add(self, entry: ArchiveEntry, *, again: bool) -> None:
        if self._added == 0:
            self._spool.forget()
        if again or self._added == 0:
            self._spool.adopt()
        if entry.identity not in self._spool:
            self._archive_of(entry.story).write(entry)
        self._added += 1

    def _archive_of(self, story: Story) -> _Archive:
        """The archive that the story belongs in, begun now if it is the first."""
        now = self._clock()
        year = f"{(fetch_time(story) or now).year:04}"
        prefix = self._options.prefix.replace(YEAR, year)
        if prefix not in self._open:
            self._open[prefix] = _Archive(self._spool, prefix, now)
        return self._open[prefix]

    def flush(self) -> Sequence[None]:
        """Finish the archives, and bring them to all stores. Raises StorageError, ArchiveError."""
        if not self._open:
            BATCHES.add(status="empty")
        for prefix in list(self._open):
            self._open[prefix].seal(self._spool)
            del self._open[prefix]
        self._deliver()
        added, self._added = self._added, 0
        return [None] * added

    def close(self) -> None:
        """Drop what was not finished: its messages come back."""
        for archive in self._open.values():
            self._spool.discard(archive.aside)
        self._spool.close()

    def _catch_up(self) -> None:
        """Bring what processes that died have left to all stores. Raises StorageError."""
        self._spool.adopt()
        try:
            self._deliver()
        except StorageError:
            self._spool.close()
            raise

    def _deliver(self) -> None:
        """Bring all archives to all stores. Raises StorageError."""
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
    """Where archives go, by the name that a manifest has for it. Raises ConfigurationError."""
    found: dict[str, Blobstore] = {}
    for url in options.archive_url:
        found[without_credentials(url)] = open_all(url, STORE)[0]
    for store in stores(STORE):
        if store.bucket:
            found[f"{store.name}_{store.provider}"] = open_blobstore(store.url, store.credentials)
    return found or {"archive": open_blobstore(str(options.data / "archive"))}


def _entry(story: Story) -> ArchiveEntry:
    if not story.url:
        raise Quarantine("no-url", "no URL to archive it under")
    if not story.raw_html.html:
        raise Quarantine("no-html", "no page to archive")
    try:
        return ArchiveEntry.of(story)
    except ArchiveError as error:
        raise Quarantine("bad-story", str(error)) from error


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program. Returns its exit status."""
    return run_batch_worker(Archiver, ArchiverOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
