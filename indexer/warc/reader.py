"""WARC files, read record by record; damage is reported, and the rest is read.

file → gzip members, each checked → one record in the usual form → Record
                                  → anything else → fastwarc → Record | Damage …
"""

import io
import itertools
import re
from collections.abc import Iterator

from fastwarc.warc import ArchiveIterator, WarcRecord

from indexer.warc.members import MAX_MEMBER_BYTES, NOT_GZIP, Gap, Members, Readable
from indexer.warc.record import Damage, Record

MAX_HEADER_BYTES = 1_000_000
_UNCOMPRESSED = b"WARC/"
_USUAL_HEAD = re.compile(rb"WARC/1\.[01]\r\n((?:[!-9;-~]++: [!-~][ -~]*+\r\n)++)\r\n")
_END = b"\r\n\r\n"


def read(file: Readable) -> Iterator[Record | Damage]:
    """The records of a WARC file, which is compressed record by record or not at all.

    The file is read as a stream. Raises the errors of its `read`.
    """
    numbers = itertools.count(1)
    start = file.read(len(_UNCOMPRESSED))
    stream = _Resumed(start, file)
    if start == _UNCOMPRESSED:
        yield from _records(stream, numbers)
        return
    for member in Members(stream):
        if isinstance(member, Gap):
            foreign = member.offset == 0 and member.why == NOT_GZIP
            why = "not a WARC file: it doesn't start as one" if foreign else member.why
            yield Damage(next(numbers), member.offset, why)
        elif (found := _usual(member.data)) is not None:
            headers, block = found
            yield _record(headers, block, len(block), next(numbers), member.offset)
        else:
            yield from _records(io.BytesIO(member.data), numbers, member.offset)


def _usual(data: bytes) -> tuple[dict[str, str], bytes] | None:
    """The headers and the block of a member's only record; None for an unusual form.

    fastwarc reads all forms, but its start takes longer than reading a record.
    """
    head = _USUAL_HEAD.match(data, 0, MAX_HEADER_BYTES)
    if head is None or not data.endswith(_END, head.end()):
        return None
    headers = {}
    for line in head[1].decode("ascii").splitlines():
        name, _, value = line.partition(": ")
        headers[name.lower()] = value.rstrip()
    block = data[head.end() : -len(_END)]
    return (headers, block) if headers.get("content-length") == str(len(block)) else None


def _records(
    stream: io.IOBase, numbers: Iterator[int], offset: int | None = None
) -> Iterator[Record | Damage]:
    """The records of a stream. Their offset is `offset`, or their position if that is None."""
    end = 0
    try:
        for raw in ArchiveIterator(stream, parse_http=False, max_header_len=MAX_HEADER_BYTES):
            end = raw.stream_pos
            yield _read(raw, next(numbers), end if offset is None else offset)
    # fastwarc raises OSError for data that is no record.
    except OSError as error:
        yield Damage(next(numbers), end if offset is None else offset, f"not a record: {error}")


def _read(raw: WarcRecord, number: int, offset: int) -> Record | Damage:
    length = raw.content_length
    # In an uncompressed file nothing else limits the length of a record.
    if length > MAX_MEMBER_BYTES:
        return Damage(number, offset, f"a record of {length} bytes")
    headers = {name.lower(): value for name, value in raw.headers.items()}
    return _record(headers, raw.reader.read(), length, number, offset)


def _record(headers: dict[str, str], block: bytes, length: int, number: int, offset: int) -> Record:
    return Record(number, offset, headers.get("warc-type", "").lower(), length, block, headers)


class _Resumed(io.RawIOBase):
    """A stream that returns first the bytes that were already read from it."""

    def __init__(self, start: bytes, file: Readable) -> None:
        super().__init__()
        self._start = start
        self._file = file
        self._position = 0

    def read(self, size: int = -1, /) -> bytes:
        data, self._start = self._start, b""
        data = data or self._file.read(size)
        self._position += len(data)
        return data

    def tell(self) -> int:
        return self._position
