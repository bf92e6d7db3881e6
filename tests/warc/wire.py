"""Exchanges for tests, and their records as the libraries read them that others use."""

import io
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, NamedTuple

from fastwarc.warc import ArchiveIterator as FastWARC
from warcio.archiveiterator import ArchiveIterator as Warcio

from indexer.warc.exchanges import WireExchange, write_exchange
from indexer.warc.reader import read
from indexer.warc.record import Record, faults
from tests.warc.records import writer

GET = b"GET /a HTTP/1.1\r\nHost: site.example\r\n\r\n"
OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
TIME = datetime(2026, 11, 22, 8, 30, 15, 250_000, tzinfo=UTC)


class Found(NamedTuple):
    """A record as a library reads it: its headers and its block."""

    headers: dict[str, str]
    block: bytes


def exchange(
    request: bytes = GET, response: bytes = OK + b"\r\nabc", **changed: Any
) -> WireExchange:
    """A small exchange."""
    return replace(
        WireExchange(
            url="http://site.example/a",
            time=TIME,
            address="192.0.2.7",
            method=request.partition(b" ")[0].decode(),
            request=io.BytesIO(request),
            response=io.BytesIO(response),
        ),
        **changed,
    )


def archived(*exchanges: WireExchange) -> bytes:
    """A WARC file with these exchanges."""
    file = io.BytesIO()
    to = writer(file)
    for each in exchanges:
        write_exchange(to, each)
    return file.getvalue()


def by_warcio(data: bytes) -> list[Found]:
    """The records as warcio reads them; fails where warcio finds a wrong digest."""
    for record in Warcio(io.BytesIO(data), check_digests="raise"):
        while record.raw_stream.read(65_536):
            pass
        assert record.digest_checker.passed
    return [
        Found(dict(record.rec_headers.headers), record.raw_stream.read())
        for record in Warcio(io.BytesIO(data), no_record_parse=True)
    ]


def by_fastwarc(data: bytes) -> list[Found]:
    """The records as fastwarc reads them; fails where fastwarc finds a wrong digest."""
    found = []
    for record in FastWARC(io.BytesIO(data), parse_http=False):
        assert record.verify_block_digest()
        found.append(Found(dict(record.headers), record.reader.read()))
    for record in FastWARC(io.BytesIO(data), parse_http=True, auto_decode="none"):
        stated = "WARC-Payload-Digest" in record.headers
        assert record.verify_payload_digest() or not stated
    return found


def by_us(data: bytes) -> list[Found]:
    """The records as our reader reads them; fails where they have a fault."""
    found = []
    for record in read(io.BytesIO(data)):
        assert isinstance(record, Record)
        assert list(faults(record)) == []
        found.append(Found(dict(record.headers), record.block))
    return found


def blocks(data: bytes) -> list[bytes]:
    """The blocks of all records, which all libraries read alike."""
    found = [each.block for each in by_us(data)]
    assert [each.block for each in by_warcio(data)] == found
    assert [each.block for each in by_fastwarc(data)] == found
    return found
