"""Verifies all archives of a store, several at a time, and each version of an archive only once.

archives → those not known to be sound → verified in threads → audits, in the order of the archives
"""

import re
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import BinaryIO, NamedTuple

import msgspec

from indexer.errors import InputError, Stopped
from indexer.files.journal import entries
from indexer.inputs.inputs import Input
from indexer.stories.archiving.archives import opened
from indexer.stories.archiving.story_archive_verifier import verify

MAX_FAULTS = 20
"""Most faults listed for one archive; all are counted."""

# Two per thread: no thread waits while the oldest archive is being verified, and an endless list
# of archives is read only as fast as they are verified.
AHEAD = 2

_KEY = re.compile(r"(?:^|/)(\d{4})/(\d{2})/(\d{2})/([^/]+)$")
_TIME = re.compile(r"-(\d{4})(\d{2})(\d{2})\d{6}-")


class Audit(msgspec.Struct, frozen=True, kw_only=True):
    """The result of verifying one version of an archive, as reports have it.

    `count` is the number of faults, `faults` has the first of them; `error` is the reason why the
    archive could not be read. `notes` are remarks, not faults. `bytes` is the compressed size.
    """

    archive: str
    version: str = ""
    sound: bool = False
    records: int = 0
    stories: int = 0
    bytes: int = 0
    count: int = 0
    faults: tuple[str, ...] = ()
    error: str = ""
    notes: tuple[str, ...] = ()


class Audited(NamedTuple):
    """An audit; `before` means that it was made by an earlier run."""

    audit: Audit
    before: bool = False


@dataclass(slots=True)
class AuditTally:
    """The sums over all archives; `before` counts those known to be sound from an earlier run."""

    archives: int = 0
    before: int = 0
    unsound: int = 0
    noted: int = 0
    stories: int = 0
    bytes: int = 0

    def add(self, audited: Audited) -> None:
        """Count one archive."""
        audit = audited.audit
        self.archives += 1
        self.before += audited.before
        self.unsound += not audit.sound
        self.noted += bool(audit.notes)
        self.stories += audit.stories
        self.bytes += audit.bytes


def sound_before(report: Path) -> dict[str, Audit]:
    """The audits of sound archives in a report, by the archive's name; the latest audit counts.

    Raises InputError if the file is not a report.
    """
    found: dict[str, Audit] = {}
    for entry in entries(report):
        try:
            audit = msgspec.convert(entry, Audit)
        except msgspec.ValidationError as error:
            raise InputError(f"{report} is not a report of archives: {error}") from error
        found[audit.archive] = audit
    return {name: audit for name, audit in found.items() if audit.sound}


def audited(
    archives: Iterable[Input], before: Mapping[str, Audit], jobs: int = 2
) -> Iterator[Audited]:
    """The audit of each archive, in order; `jobs` archives are verified at a time.

    An archive in `before` is read again only if its version has changed. An archive that can't be
    read raises nothing: its audit has the error.
    """
    stop = threading.Event()
    waiting: deque[Future[Audited]] = deque()
    with ThreadPoolExecutor(jobs, thread_name_prefix="verify") as threads:
        try:
            for archive in archives:
                waiting.append(threads.submit(_audited, archive, before, stop))
                if len(waiting) >= AHEAD * jobs:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            # A caller that closes the generator must not wait for the archives still in work: an
            # archive takes minutes.
            stop.set()
            for each in waiting:
                each.cancel()


def misplaced(name: str) -> str:
    """The fault in an archive's place: not YYYY/MM/DD/NAME, or not the date in its name; or ""."""
    found = _KEY.search(name)
    folder = found and _date(*found.groups()[:3])
    if not found or not folder:
        return "not in a folder YYYY/MM/DD"
    stamp = _TIME.search(found[4])
    if stamp and _date(*stamp.groups()) != folder:
        return f"in the folder of {folder}, but its name has the date {'-'.join(stamp.groups())}"
    return ""


def _date(year: str, month: str, day: str) -> date | None:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None


def _audited(archive: Input, before: Mapping[str, Audit], stop: threading.Event) -> Audited:
    known = before.get(archive.name)
    version = ""
    try:
        version = archive.version()
        if known and version and known.version == version:
            return Audited(known, before=True)
        return Audited(_audit(archive, version, stop))
    except InputError as error:
        return Audited(Audit(archive=archive.name, version=version, error=str(error)))


def _audit(archive: Input, version: str, stop: threading.Event) -> Audit:
    def check_stopped(_: int) -> None:
        if stop.is_set():
            raise Stopped

    note = misplaced(archive.name)
    with opened(archive) as file:
        counted = _Counted(file)
        verdict = verify(counted, check_stopped)
    return Audit(
        archive=archive.name,
        version=version,
        sound=verdict.sound,
        records=verdict.records,
        stories=verdict.stories,
        bytes=counted.bytes,
        count=verdict.count,
        faults=tuple(map(str, verdict.faults[:MAX_FAULTS])),
        notes=(note,) if note else (),
    )


class _Counted:
    """A file that counts the bytes read from it."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.bytes = 0

    def read(self, size: int = -1, /) -> bytes:
        data = self._file.read(size)
        self.bytes += len(data)
        return data
