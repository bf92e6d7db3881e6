"""Faults of a record: mandatory headers, lengths, digests (WARC 1.0, section 5)."""

import base64
import hashlib
import re
from collections.abc import Iterator

from indexer.warc.record import Record

MANDATORY = ("warc-record-id", "warc-date", "warc-type", "content-length")
_DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z")
_ID = re.compile(r"<[a-zA-Z][a-zA-Z0-9+.-]*:[\x21-\x7e]+>")
_ALGORITHMS = ("md5", "sha1", "sha256", "sha512")


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
    elif value.upper().rstrip("=") not in _forms(_hash(algorithm, data)):
        yield f"{name} does not match"


def _hash(algorithm: str, data: bytes) -> bytes:
    return hashlib.new(algorithm.lower(), data, usedforsecurity=False).digest()


def _forms(digest: bytes) -> tuple[str, str]:
    """A digest in base32, as in most files, and in base16, as in some (WARC 1.0, 5.8)."""
    return base64.b32encode(digest).decode("ascii").rstrip("="), digest.hex().upper()
