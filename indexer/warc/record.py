"""One record of a WARC file, as read from it, and its faults."""

import base64
import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import BinaryIO

HTTP_END = b"\r\n\r\n"

_PIECE = 1 << 16

MANDATORY = ("warc-record-id", "warc-date", "warc-type", "content-length")
_DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z")
_ID = re.compile(r"<[a-zA-Z][a-zA-Z0-9+.-]*:[\x21-\x7e]+>")
_ALGORITHMS = ("md5", "sha1", "sha256", "sha512")


@dataclass(slots=True)
class Record:
    """A record: its headers, names in lower case, and its block.

    `number` counts from 1; `offset` is the position of its gzip member in the file (of the record,
    if the file is not compressed). `length` is the value of Content-Length.
    """

    number: int
    offset: int
    kind: str
    length: int
    block: bytes
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """WARC-Record-ID, with its brackets; "" if there is none."""
        return self.headers.get("warc-record-id", "")

    @property
    def refers_to(self) -> str:
        """WARC-Refers-To, the id of the record that this one describes; "" if there is none."""
        return self.headers.get("warc-refers-to", "")

    @property
    def uri(self) -> str:
        """WARC-Target-URI; "" if there is none."""
        return self.headers.get("warc-target-uri", "")

    @property
    def date(self) -> str:
        """WARC-Date: YYYY-MM-DDThh:mm:ssZ."""
        return self.headers.get("warc-date", "")

    @property
    def content_type(self) -> str:
        """The Content-Type of the block."""
        return self.headers.get("content-type", "")

    def http(self) -> tuple[bytes, bytes]:
        """The head of an HTTP message and its body; (b"", block) where there is no head."""
        # Only responses and requests have a head; metadata and conversions are plain blocks.
        if not (self.kind == "request" or self.block.startswith(b"HTTP/")):
            return b"", self.block
        head, _, body = self.block.partition(HTTP_END)
        return head, body


@dataclass(frozen=True, slots=True)
class Damage:
    """A part of the file that is no readable record: its offset, and the reason."""

    number: int
    offset: int
    why: str


def digest(*parts: bytes) -> str:
    """The labelled SHA-1 digest of a block in base32, the form of WARC-Block-Digest."""
    return digest_of(parts)


def digest_of(parts: Iterable[bytes]) -> str:
    """The digest of a block that is given piece by piece, in the form of `digest`."""
    sha1 = hashlib.sha1(usedforsecurity=False)
    for part in parts:
        sha1.update(part)
    return "sha1:" + base64.b32encode(sha1.digest()).decode("ascii")


def pieces(file: BinaryIO, start: int = 0) -> Iterator[bytes]:
    """The bytes of a file from an offset on, 64 KiB at a time."""
    file.seek(start)
    while piece := file.read(_PIECE):
        yield piece


def faults(record: Record) -> Iterator[str]:
    """All faults of a record, one line of text for each."""
    for name in MANDATORY:
        if name not in record.headers:
            yield f"no {name} header"
    if record.id and not _ID.fullmatch(record.id):
        yield "WARC-Record-ID is not a URI in brackets"
    if record.date and not _DATE.fullmatch(record.date):
        yield "WARC-Date is not YYYY-MM-DDThh:mm:ssZ"
    if record.length != len(record.block):
        yield f"Content-Length is {record.length}, the block has {len(record.block)} bytes"
    yield from _wrong_digest(record, "WARC-Block-Digest", record.block)
    yield from _wrong_digest(record, "WARC-Payload-Digest", record.http()[1])


def _wrong_digest(record: Record, name: str, data: bytes) -> Iterator[str]:
    stated = record.headers.get(name.lower())
    if stated is None:
        return
    algorithm, _, value = stated.partition(":")
    if algorithm.lower() not in _ALGORITHMS:
        yield f"{name} has an unknown algorithm"
    elif value.upper().rstrip("=") not in _forms(algorithm, data):
        yield f"{name} does not match"


def _forms(algorithm: str, data: bytes) -> tuple[str, str]:
    """The digest in base32, as in most files, and in base16, as in some (WARC 1.0, 5.8)."""
    digest = hashlib.new(algorithm.lower(), data, usedforsecurity=False).digest()
    return base64.b32encode(digest).decode("ascii").rstrip("="), digest.hex().upper()
