"""Bundles in stores that send streams: a file in which one can seek, with all bytes."""

import io
from datetime import UTC, datetime
from typing import BinaryIO, cast

import pytest

from indexer.errors import FilesetError
from indexer.filesets.bundles.stored import captured, seekable
from indexer.warc.exchanges import WireExchange, write_exchange
from indexer.warc.writer import Writer
from tests.each_row import each_row

NOW = datetime(2026, 1, 2, tzinfo=UTC)


class Stream(io.BytesIO):
    """Bytes as they come from a server."""

    def seekable(self) -> bool:
        return False

    def seek(self, *_: int) -> int:
        raise io.UnsupportedOperation("seek")


@each_row("source", [Stream(b"bundle"), io.BytesIO(b"bundle")])
def test_a_file_can_be_read_from_its_start_and_its_end(source: BinaryIO) -> None:
    with seekable(source) as file:
        assert file.read() == b"bundle"
        file.seek(-3, io.SEEK_END)
        assert file.read() == b"dle"


def capture(*answers: bytes) -> bytes:
    warc = io.BytesIO()
    writer = Writer(cast(BinaryIO, warc), clock=lambda: NOW)
    for each in answers:
        request = io.BytesIO(b"GET / HTTP/1.1\r\n\r\n")
        write_exchange(
            writer, WireExchange("http://x.example/", NOW, "", "GET", request, io.BytesIO(each))
        )
    return warc.getvalue()


MOVED = b"HTTP/1.1 302 Found\r\nLocation: /zip\r\nContent-Length: 4\r\n\r\nmove"
PLAIN = b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nbundle"
CHUNKED = (
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nbun\r\n3;a=b\r\ndle\r\n0\r\n\r\n"
)


@each_row("answers", [[PLAIN], [MOVED, PLAIN], [MOVED, CHUNKED], [CHUNKED]])
def test_the_bundle_of_a_capture_has_no_transfer_coding(answers: list[bytes]) -> None:
    stored = Stream(capture(*answers))
    with seekable(stored) as warc, captured(warc) as body:
        assert body.read() == b"bundle"


@each_row("warc", [b"", b"no capture", capture(MOVED), capture(PLAIN)[:200]])
def test_a_capture_without_a_bundle_is_a_mismatch(warc: bytes) -> None:
    with pytest.raises(FilesetError, match="bundle-mismatch"):
        captured(io.BytesIO(warc))
