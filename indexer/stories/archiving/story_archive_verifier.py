"""Verifies an archive of stories down to the last byte (stories.md 7.4).

Checks each record's gzip member, headers, lengths and digests; the order of records: warcinfo, then
response and metadata in turn; and that each metadata record is JSON about the response before it.
"""

import json
import re
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from indexer.errors import ArchiveError
from indexer.stories.archiving.story_archive_reader import Fault
from indexer.stories.archiving.story_archive_writer import METADATA_TYPE
from indexer.stories.story import METADATA_OBJECTS
from indexer.warc.members import Readable
from indexer.warc.reader import read
from indexer.warc.record import Damage, Record, faults

_LENGTH = re.compile(rb"^content-length:[ \t]*([0-9]+)[ \t]*\r?$", re.I | re.M)

MAX_FAULTS = 1000
"""Most faults in the list of a verdict; `count` is the number of all."""


@dataclass(slots=True)
class Verdict:
    """The result of verifying an archive."""

    records: int = 0
    stories: int = 0
    count: int = 0
    faults: list[Fault] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        """Whether the archive has no fault."""
        return self.count == 0

    def add(self, fault: Fault) -> None:
        """Count a fault, and list it if there is room."""
        self.count += 1
        if len(self.faults) < MAX_FAULTS:
            self.faults.append(fault)


class Verifier:
    """Checks the records of one archive while they are read, for whatever purpose."""

    def __init__(self) -> None:
        self._verdict = Verdict()
        self._check = _Check()
        self._damaged = -1

    def read(self, file: Readable) -> Iterator[Record | Damage]:
        """The records of the archive, one at a time."""
        for item in read(file):
            for why in self._check.item(item):
                self._verdict.add(Fault(item.number, item.offset, why))
                self._damaged = item.offset
            yield item

    def verdict(self) -> Verdict:
        """The faults of the archive, which has been read."""
        check, verdict = self._check, self._verdict
        # Damage behind the last whole record may have been the missing records: no more complaints.
        for why in check.end() if self._damaged <= check.offset else ():
            verdict.add(Fault(check.records + 1, check.offset, why))
        verdict.records, verdict.stories = check.records, check.stories
        return verdict

    def ensure_sound(self, stories: int) -> None:
        """Raises ArchiveError unless this was a sound archive of exactly so many stories."""
        verdict = self.verdict()
        if not verdict.sound:
            raise ArchiveError(f"the archive is not sound: {verdict.faults[0]}")
        if verdict.stories != stories:
            raise ArchiveError(f"the archive has {verdict.stories} stories, not {stories}")


def verify(file: Readable, seen: Callable[[int], None] | None = None) -> Verdict:
    """Read a whole archive, one record at a time, and return its faults.

    `seen` is called after each record, with its offset.
    """
    verifier = Verifier()
    for item in verifier.read(file):
        if seen is not None:
            seen(item.offset)
    return verifier.verdict()


def ensure_sound(file: Readable, stories: int) -> None:
    """Raises ArchiveError unless the file is a sound archive of exactly so many stories."""
    verifier = Verifier()
    deque(verifier.read(file), maxlen=0)
    verifier.ensure_sound(stories)


class _Check:
    """The position in the sequence of records, and the rules for the next record."""

    def __init__(self) -> None:
        self.records = 0
        self.stories = 0
        self.offset = -1
        self._page: Record | None = None

    def item(self, item: Record | Damage) -> Iterator[str]:
        """The faults of the next record."""
        if isinstance(item, Damage):
            yield item.why
            return
        self.records += 1
        # Readers that seek can start only where a gzip member starts.
        if item.offset == self.offset:
            yield "not in a gzip member of its own"
        self.offset = item.offset
        yield from faults(item)
        yield from self._in_sequence(item)

    def end(self) -> Iterator[str]:
        """The faults of a file that ends after this record."""
        if self.records == 0:
            yield "there is no record in it"
        if self._page is not None:
            yield "the last response has no metadata"

    def _in_sequence(self, record: Record) -> Iterator[str]:
        match record.kind:
            case "warcinfo":
                if self.records > 1:
                    yield "a warcinfo record that is not the first"
            case "response":
                if self._page is not None:
                    yield "a response follows a response: metadata is missing"
                self._page = record
                yield from _page_faults(record)
            case "metadata":
                page, self._page = self._page, None
                self.stories += page is not None
                yield from _metadata_faults(record, page)
            case _:
                yield f"a record of type {record.kind!r}"
        if self.records == 1 and record.kind != "warcinfo":
            yield "the first record is not a warcinfo"


def _page_faults(record: Record) -> Iterator[str]:
    yield from _no_digests(record)
    head, body = record.http()
    if not head:
        yield "no HTTP header"
    elif _http_length(head) != len(body):
        yield f"the HTTP Content-Length is not the {len(body)} bytes of the page"


def _http_length(head: bytes) -> int:
    found = _LENGTH.search(head)
    return int(found[1]) if found else -1


def _metadata_faults(record: Record, page: Record | None) -> Iterator[str]:
    yield from _no_digests(record)
    if page is None:
        yield "metadata without a response before it"
    elif record.refers_to != page.id:
        yield "WARC-Refers-To is not the response before it"
    elif (record.uri, record.date) != (page.uri, page.date):
        yield "URI or date differ from those of the response"
    if record.content_type != METADATA_TYPE:
        yield f"the metadata's Content-Type is not {METADATA_TYPE}"
    yield from _json_faults(record.block)


def _json_faults(block: bytes) -> Iterator[str]:
    try:
        metadata = json.loads(block)
    except (ValueError, RecursionError) as error:
        yield f"the metadata is not JSON: {error}"
        return
    for name in METADATA_OBJECTS:
        if not isinstance(metadata, dict) or not isinstance(metadata.get(name), dict):
            yield f"the metadata has no object {name}"


def _no_digests(record: Record) -> Iterator[str]:
    for name in ("WARC-Block-Digest", "WARC-Payload-Digest"):
        if name.lower() not in record.headers:
            yield f"no {name}"
