"""The body of an answer as it comes: pieces, lines, or a file."""

import http.client
import io
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, BinaryIO, cast

from indexer.errors import BadResponse, TooLarge
from indexer.http.connections.bounded import Allowance
from indexer.http.connections.failures import FetchFailure, failure, late, reason
from indexer.http.fetching.answer import Answer
from indexer.http.fetching.bodies import PIECE
from indexer.http.fetching.encodings import Pieces, capped, decoded
from indexer.http.fetching.exchange import Response

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

# The framing of a chunk, with its extension, counts too.
_FRAMING_BYTES = 262_144


class Stream:
    """An answer whose body is read while it comes. `response` has an empty body.

    Iterating raises BadResponse if the body is broken, late or ends too early, and TooLarge.
    `hang_up` ends it at once, with BadResponse; another thread may call it.
    """

    def __init__(
        self, response: Response, sent: Pieces, limit: int | None, hang_up: Callable[[], None]
    ) -> None:
        """`sent`: the body with its content encodings; `limit`: the most bytes of the body."""
        self.response = response
        self.hang_up = hang_up
        encoding = response.headers.get("content-encoding", "")
        self._encoded = capped(sent, limit)
        self._decoded = filter(None, capped(decoded(sent, encoding, None), limit))

    def __iter__(self) -> Iterator[bytes]:
        """The rest of the body, decoded."""
        return self._decoded

    def encoded(self) -> Iterator[bytes]:
        """The rest of the body, with the content encodings in which it is sent."""
        return self._encoded

    def lines(self, longest: int = 1_000_000) -> Iterator[bytes]:
        """The lines without their ends. Raises TooLarge for a line of more than `longest` bytes."""
        rest = b""
        for piece in self:
            *lines, rest = (rest + piece).split(b"\n")
            for line in lines:
                yield line.removesuffix(b"\r")
            if len(rest) > longest:
                raise TooLarge(f"a line of more than {longest} bytes")
        if rest:
            yield rest

    def file(self, close: Callable[[], None]) -> BinaryIO:
        """The body as a file, which calls `close` when it is closed."""
        return cast(BinaryIO, io.BufferedReader(_File(iter(self), close), PIECE))


class _File(io.RawIOBase):
    """Pieces of a body as a raw file."""

    def __init__(self, pieces: Iterator[bytes], close: Callable[[], None]) -> None:
        self._pieces = pieces
        self._close = close
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        if not self._rest:
            self._rest = memoryview(next(self._pieces, b""))
        view = memoryview(buffer).cast("B")
        size = min(len(view), len(self._rest))
        view[:size] = self._rest[:size]
        self._rest = self._rest[size:]
        return size

    def close(self) -> None:
        if not self.closed:
            self._close()
        super().close()


def received(answer: Answer, allowance: Allowance, *, any_size: bool = False) -> Iterator[bytes]:
    """The body as it is sent. With `any_size` only its speed and time are limited.

    Raises BadResponse, and TooLarge beyond the granted bytes.
    """
    pieces = answer.pieces()
    while True:
        if any_size:
            allowance.grant(PIECE + _FRAMING_BYTES)
        try:
            piece = next(pieces, b"")
        except (http.client.HTTPException, OSError) as error:
            what = failure(error, FetchFailure.BODY, late(allowance))
            raise BadResponse(reason(error, allowance.late()), failure=what) from error
        if not piece:
            return
        yield piece
