"""Daily files: `mc-YYYY-MM-DD.rss.gz`, one per UTC day, in a directory or bucket (feeds.md 10).

    past days without a file → temporary file → stored, whole or not at all → copied to uploads

An existing file is replaced only by `force`. SHA256SUMS, beside the files, has their digests in
the format of `sha256sum -c`.
"""

import re
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from io import BytesIO
from typing import Annotated, NamedTuple

from pydantic import Field
from sqlalchemy import func, select

from indexer.blobstore import Blobstore, sha256_of
from indexer.blobstore.credentials import open_all
from indexer.database import Database
from indexer.errors import ConfigurationError, NotFound, StorageError
from indexer.feeds.models import feeds
from indexer.feeds.store import FeedsOptions
from indexer.feeds.tools.daily_rss import bounds, write_day
from indexer.system.options import option

SUMS = "SHA256SUMS"

SETTLED = timedelta(minutes=15)
"""The time after midnight at which a day's file may be written: clocks differ, and the last
attempts take some minutes."""

PATIENCE = timedelta(hours=6)
"""The longest time that a day's file waits for attempts begun on that day."""

STORE = "DAILY"
"""The prefix of the credentials' variables: DAILY_S3_ACCESS_KEY_ID and so on."""

DIRECTORY = "rss-output-files"

_SUM = re.compile(r"([0-9a-f]{64}) [ *](\S+)")

Progress = Callable[[str], None]


class DailyOptions(FeedsOptions):
    """Options of daily files: their stores and days."""

    rss_output_url: str = option(
        "",
        f"store of daily files: a directory or s3://BUCKET/PREFIX; by default {DIRECTORY} in the "
        "data directory",
        "RSS_OUTPUT_URL",
    )
    rss_upload_urls: list[str] = option(
        [], "stores to copy daily files to: directories or s3://BUCKET/PREFIX", "RSS_UPLOAD_URLS"
    )
    rss_output_days: Annotated[int, Field(ge=1, le=36_500)] = option(
        14, "number of days with a file, including today, whose file is not complete yet",
        "RSS_OUTPUT_DAYS",
    )  # fmt: skip
    lease_seconds: Annotated[float, Field(ge=0)] = option(
        900.0, "seconds for which feeds are leased", "FEEDS_LEASE_SECONDS"
    )

    @property
    def output(self) -> str:
        """The URL or directory of the daily files."""
        return self.rss_output_url or str(self.data / DIRECTORY)


class Made(NamedTuple):
    """The result for one day. `stories`: their number, None if the file existed before.

    `copied`: the stores to which the file was copied.
    """

    day: date
    name: str
    stories: int | None
    copied: Sequence[str] = ()


def file_name(day: date) -> str:
    """The name of a day's file."""
    return f"mc-{day.isoformat()}.rss.gz"


def missing_days(now: datetime, days: int) -> list[date]:
    """The past days that should have a file, the newest first: 13 of 14 days."""
    last = (now - SETTLED).date() - timedelta(days=1)
    first = now.date() - timedelta(days=days - 1)
    return [last - timedelta(days=back) for back in range((last - first).days + 1)]


def chosen_days(wanted: Sequence[date], now: datetime, days: int) -> list[date]:
    """The wanted days, the newest first. Raises ConfigurationError for one outside `days`.

    Stories of earlier days may have been deleted, so their files would be incomplete.
    """
    possible = missing_days(now, days)
    if wrong := sorted(set(wanted) - set(possible)):
        about = f"{possible[-1]} to {possible[0]}" if possible else "none yet"
        raise ConfigurationError(
            f"{wrong[0]}: no file can be written for this day, only for: {about}; --days sets "
            "their number, as stories of earlier days may have been deleted"
        )
    return sorted(set(wanted), reverse=True)


def open_store(url: str) -> Blobstore:
    """Open a store with the credentials of the environment. Raises ConfigurationError."""
    return open_all(url, STORE)[0]


@dataclass(frozen=True)
class Daily:
    """Writes and copies daily files.

    `lease` is the time for which schedulers lease feeds, at most; `force` replaces existing files.
    """

    database: Database
    output: Blobstore
    uploads: Sequence[Blobstore] = ()
    lease: timedelta = timedelta(seconds=900)
    force: bool = False
    progress: Progress = lambda _: None

    def make(self, days: Sequence[date], now: datetime) -> list[Made]:
        """Write the missing files of these days, or, with `force`, all of them; then copy them.

        A store that fails does not prevent copies to the others. Raises StorageError: files
        written before stay.
        """
        there = {entry.key for entry in self.output.entries("mc-")}
        sums = Sums.load(self.output)
        written: dict[date, int] = {}
        for day in days:
            if self.force or file_name(day) not in there:
                if not self.force and self._is_under_way(day, now):
                    continue
                written[day] = self._write(day, sums)
        sums.complete([name for name in map(file_name, days) if name in there])
        settled = [day for day in days if day in written or file_name(day) in there]
        copied = self._copy(settled, sums)
        return [Made(day, file_name(day), written.get(day), copied[day]) for day in settled]

    def _write(self, day: date, sums: "Sums") -> int:
        name = file_name(day)
        # Before the file changes: if the program is killed, no digest is better than a wrong one.
        sums.forget(name)
        # A temporary file, as the digest is needed before the upload, and days are large.
        with tempfile.TemporaryFile() as aside:
            count = write_day(
                self.database, day, aside, lambda number: self.progress(f"{name}: {number} stories")
            )
            aside.seek(0)
            digest = sha256_of(aside)
            aside.seek(0)
            self.output.put(name, aside)
        sums.add(name, digest)
        return count

    def _is_under_way(self, day: date, now: datetime) -> bool:
        """Whether attempts begun on that day may still add stories to it."""
        _, end = bounds(day)
        if now >= end + PATIENCE:
            return False
        with self.database.reading() as connection:
            claimed = select(func.count()).where(
                feeds.c.lease_owner.is_not(None), feeds.c.lease_expires < end + self.lease
            )
            return bool(connection.scalar(claimed))

    def _copy(self, days: Sequence[date], sums: "Sums") -> dict[date, list[str]]:
        """Copy the files that the uploads lack. Returns the stores copied to, by day."""
        copied: dict[date, list[str]] = {day: [] for day in days}
        errors: list[StorageError] = []
        for store in self.uploads:
            try:
                for day in self._copy_to(store, days, sums):
                    copied[day].append(store.url)
            except StorageError as error:
                errors.append(StorageError(f"{store.url}: {error}"))
        if errors:
            raise errors[0]
        return copied

    def _copy_to(self, store: Blobstore, days: Sequence[date], sums: "Sums") -> list[date]:
        there = {entry.key for entry in store.entries("mc-")}
        wanted = [day for day in days if self.force or file_name(day) not in there]
        theirs = Sums.load(store)
        for day in wanted:
            name = file_name(day)
            self.progress(f"{name}: to {store.url}")
            theirs.forget(name)
            with self.output.open(name) as file:
                store.put(name, file)
            theirs.add(name, sums.of(name))
        return wanted


class Sums:
    """The digests of a store's files: one object with a line for each file."""

    def __init__(self, store: Blobstore, digests: dict[str, str]) -> None:
        self._store = store
        self._digests = digests

    @classmethod
    def load(cls, store: Blobstore) -> "Sums":
        """Load the digests of a store. Raises StorageError."""
        try:
            with store.open(SUMS) as file:
                text = file.read().decode("utf-8", "replace")
        except NotFound:
            text = ""
        return cls(store, {name: digest for digest, name in _SUM.findall(text)})

    def of(self, name: str) -> str:
        """The digest of a file, computed if it is unknown. Raises StorageError."""
        if name not in self._digests:
            self.complete([name])
        return self._digests[name]

    def add(self, name: str, digest: str) -> None:
        """Store the digest of a new file. Raises StorageError."""
        self._digests[name] = digest
        self._save()

    def forget(self, name: str) -> None:
        """Delete the digest of a file that will be replaced. Raises StorageError."""
        if self._digests.pop(name, None):
            self._save()

    def complete(self, names: Iterable[str]) -> None:
        """Compute and store the unknown digests of existing files. Raises StorageError."""
        unknown = [name for name in names if name not in self._digests]
        for name in unknown:
            with self._store.open(name) as file:
                self._digests[name] = sha256_of(file)
        if unknown:
            self._save()

    def _save(self) -> None:
        lines = [f"{digest}  {name}\n" for name, digest in sorted(self._digests.items())]
        self._store.put(SUMS, BytesIO("".join(lines).encode()))
