"""The bodies of requests: bytes, a file, or pieces whose length nobody knows before."""

from collections.abc import Iterable, Iterator
from typing import BinaryIO, Final, TypeAlias, cast

from indexer.errors import FetchError
from indexer.http.connections.failures import FetchFailure

PIECE: Final = 65_536
"""The most bytes in one piece of a body."""

Body: TypeAlias = bytes | BinaryIO | Iterable[bytes]
"""Bytes; a file, sent from its position to its end; or pieces, which are sent as chunks."""


class RequestBody:
    """A body, and the way to send it. `size` is None for pieces and pipes: they are sent chunked.

    `can_repeat`: it can be sent once more, for a redirect or on another connection.
    """

    def __init__(self, body: Body) -> None:
        self._body = body
        self._start = 0
        self.size: int | None = None
        if isinstance(body, bytes):
            self.size = len(body)
            self.can_repeat = True
        elif hasattr(body, "read"):
            file = cast(BinaryIO, body)
            self.can_repeat = file.seekable()
            if self.can_repeat:
                self._start = file.tell()
                self.size = file.seek(0, 2) - self._start
        else:
            self.can_repeat = iter(body) is not body

    @property
    def headers(self) -> dict[str, str]:
        """The headers that tell the server where the body ends."""
        if self.size is None:
            return {"Transfer-Encoding": "chunked"}
        return {"Content-Length": str(self.size)}

    def pieces(self) -> Iterator[bytes]:
        """The bytes to send. Raises FetchError if a file has become shorter."""
        if isinstance(self._body, bytes):
            return _slices(self._body)
        if hasattr(self._body, "read"):
            file = cast(BinaryIO, self._body)
            if self.size is None:
                return _chunked(iter(lambda: file.read(PIECE), b""))
            file.seek(self._start)
            return _exactly(file, self.size)
        return _chunked(self._body)


def _slices(data: bytes) -> Iterator[bytes]:
    for start in range(0, len(data), PIECE):
        yield data[start : start + PIECE]


def _exactly(file: BinaryIO, size: int) -> Iterator[bytes]:
    """Exactly `size` bytes, also of a file that grows meanwhile."""
    left = size
    while left:
        piece = file.read(min(left, PIECE))
        if not piece:
            raise FetchError(
                f"the file to send ends {left} bytes before its size of {size}",
                failure=FetchFailure.VALUE,
            )
        left -= len(piece)
        yield piece


def _chunked(pieces: Iterable[bytes]) -> Iterator[bytes]:
    for piece in pieces:
        # An empty chunk would end the body.
        if piece:
            yield b"%x\r\n%b\r\n" % (len(piece), piece)
    yield b"0\r\n\r\n"
