"""Whether all archives of a store are sound: several at a time, and each version only once.

archives → not known to be sound → verified, in threads → Audit, in the order of the archives
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
from indexer.stories.archiving.story_archive_verifier import Fault, verify

MAX_FAULTS = 20
"""How many faults of one archive are kept; all are counted."""

AHEAD = 2
"""Archives that are begun or done, for each thread, before the first of them is told of."""

_KEY = re.compile(r"(?:^|/)(\d{4})/(\d{2})/(\d{2})/([^/]+)$")
_TIME = re.compile(r"-(\d{4})(\d{2})(\d{2})\d{6}-")


class Audit(msgspec.Struct, frozen=True, kw_only=True):
    """What was found in one version of an archive.

    `count` is how many faults there are, `faults` the first of them; `error` is why it could not
    be read. `notes` are no faults. Bytes are those of the file, compressed.
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
    """An audit; `before` if it is that of an earlier run."""

    audit: Audit
    before: bool = False


@dataclass(slots=True)
class AuditTally:
    """All archives together; `before` were known to be sound."""

    archives: int = 0
    before: int = 0
    unsound: int = 0
    noted: int = 0
    stories: int = 0
    bytes: int = 0

    def add(self, audited: Audited) -> None:
        """Count one more."""
        audit = audited.audit
        self.archives += 1
        self.before += audited.before
        self.unsound += not audit.sound
        self.noted += bool(audit.notes)
        self.stories += audit.stories
        self.bytes += audit.bytes


def sound_before(report: Path) -> dict[str, Audit]:
    """The archives that a report says to be sound, by name, as they were last seen.

    Raises InputError if it is no report.
    """
    found: dict[str, Audit] = {}
    for entry in entries(report):
        try:
            audit = msgspec.convert(entry, Audit)
        except msgspec.ValidationError as error:
            raise InputError(f"{report} is no report of archives: {error}") from error
        found[audit.archive] = audit
    return {name: audit for name, audit in found.items() if audit.sound}


def audited(
    archives: Iterable[Input], before: Mapping[str, Audit], jobs: int = 2
) -> Iterator[Audited]:
    """The audit of each archive, in order; `jobs` are verified at a time.

    One that was sound `before` is not read again unless its version has changed. Nothing is
    raised for what can't be read: that is in its audit.
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
            # Whoever doesn't want the rest shall not have to wait for it.
            stop.set()
            for each in waiting:
                each.cancel()


def misplaced(name: str) -> str:
    """What is odd about where an archive is: not YYYY/MM/DD/NAME, or not its date. Else blank."""
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
    def go_on(_: int) -> None:
        if stop.is_set():
            raise Stopped

    note = misplaced(archive.name)
    with opened(archive) as file:
        counted = _Counted(file)
        verdict = verify(counted, go_on)
    return Audit(
        archive=archive.name,
        version=version,
        sound=verdict.sound,
        records=verdict.records,
        stories=verdict.stories,
        bytes=counted.bytes,
        count=verdict.count,
        faults=tuple(map(_in_words, verdict.faults[:MAX_FAULTS])),
        notes=(note,) if note else (),
    )


def _in_words(fault: Fault) -> str:
    """A fault; one of a whole file is at no place in it."""
    return str(fault) if fault.offset >= 0 else fault.what


class _Counted:
    """A file that counts what was read of it."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.bytes = 0

    def read(self, size: int = -1, /) -> bytes:
        data = self._file.read(size)
        self.bytes += len(data)
        return data
