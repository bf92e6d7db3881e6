"""CDXJ: the index by which replay tools find the pages of a WARC file, as `cdxj-indexer` makes it.

    com,example)/news 20240501120000 {"url": "https://example.com/news", "mime": "text/html", …}

A line has the key of the URL (`surt`), the time in UTC, and JSON: url, mime, status, digest, and
length, offset and name of the file, by which a tool reads the record alone. Lines are sorted by
their bytes, as tools search by bisection.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain, groupby, pairwise
from operator import attrgetter

from indexer.warc.members import Readable
from indexer.warc.reader import read
from indexer.warc.record import Damage, Record, digest
from indexer.warc.surt import surt
from indexer.warc.writer import MAX_URI_LENGTH

KINDS = ("response", "revisit", "resource")
"""Records that are a page. Metadata about a page has its URL, and would be taken for the page."""

_SHARED = "not in a gzip member of its own: replay tools can't read it"

_STATUS = re.compile(rb"HTTP/\S+[ \t]+([1-9]\d\d)(?=\s|$)")
_TYPE = re.compile(rb"^content-type:[ \t]*([^;\s]+)", re.I | re.M)


@dataclass(frozen=True, slots=True)
class ReplayIndex:
    """The sorted lines of an index, and the parts of the file that can't be replayed."""

    lines: Sequence[bytes]
    damages: Sequence[Damage]

    def dump(self) -> bytes:
        """The content of the CDXJ file."""
        return b"".join(self.lines)


@dataclass(frozen=True, slots=True)
class _Found:
    """The place of a record; `start` and `fields` of its line, or why it has none."""

    number: int
    offset: int
    start: str = ""
    fields: dict[str, str] = field(default_factory=dict)
    why: str = ""


def index_of(
    file: Readable,
    name: str,
    records: Callable[[Readable], Iterator[Record | Damage]] = read,
) -> ReplayIndex:
    """The index of a WARC file of this name, which is read as a stream; damage is left out.

    `records` reads the file, for a caller that does something else with the same records. Raises
    the errors of the file's `read`.
    """
    counted = _Counted(file)
    lines: list[bytes] = []
    damages: list[Damage] = []
    # Records of one gzip member have one offset. The place of the next member ends a record.
    members: Iterator[list[_Found]] = (
        [*group] for _, group in groupby(map(_found, records(counted)), attrgetter("offset"))
    )
    for member, following in pairwise(chain(members, [[]])):
        end = following[0].offset if following else counted.size
        for found in member:
            if why := found.why or (len(member) > 1 and found.start and _SHARED):
                damages.append(Damage(found.number, found.offset, why))
            elif found.start:
                lines.append(_line(found, end - found.offset, name))
    return ReplayIndex(sorted(lines), damages)


def _line(found: _Found, length: int, name: str) -> bytes:
    place = {"length": str(length), "offset": str(found.offset), "filename": name}
    return f"{found.start} {json.dumps(found.fields | place)}\n".encode("ascii")


def _found(item: Record | Damage) -> _Found:
    if isinstance(item, Damage):
        return _Found(item.number, item.offset, why=item.why)
    if item.kind not in KINDS:
        return _Found(item.number, item.offset)
    # Some programs write the URL in angle brackets, as the grammar of WARC 1.0 has it.
    url = item.uri.removeprefix("<").removesuffix(">")
    time = _timestamp(item.date)
    if why := _unfit(url, item.date, time):
        return _Found(item.number, item.offset, why=why)
    return _Found(item.number, item.offset, f"{surt(url)} {time}", dict(_fields(item, url)))


def _unfit(url: str, date: str, time: str) -> str:
    """Why a record can't be in an index; "" if it can."""
    if not url:
        return "no WARC-Target-URI"
    # The time for the key of a hostile URL grows with the square of its length.
    if len(url) > MAX_URI_LENGTH:
        return f"a URL of {len(url)} characters"
    return "" if time else f"WARC-Date is {date[:100]!r}"


def _timestamp(date: str) -> str:
    """The 14 digits of a WARC-Date, in whole seconds; "" if there is no such time."""
    try:
        moment = datetime.strptime(date[:19], "%Y-%m-%dT%H:%M:%S")
    except ValueError:
        return ""
    return f"{moment:%Y%m%d%H%M%S}".zfill(14)


def _fields(record: Record, url: str) -> Iterator[tuple[str, str]]:
    head, body = record.http()
    status, kind = _STATUS.match(head), _TYPE.search(head)
    yield "url", url
    if record.kind == "revisit":
        yield "mime", "warc/revisit"
    elif record.kind == "resource" and record.content_type:
        yield "mime", re.split(r"[;\s]", record.content_type, maxsplit=1)[0]
    elif kind:
        yield "mime", kind[1].decode("latin-1")
    if status:
        yield "status", status[1].decode("ascii")
    yield "digest", record.headers.get("warc-payload-digest") or digest(body)


class _Counted:
    """A stream that counts the bytes that were read from it."""

    def __init__(self, file: Readable) -> None:
        self._file = file
        self.size = 0

    def read(self, size: int = -1, /) -> bytes:
        data = self._file.read(size)
        self.size += len(data)
        return data
