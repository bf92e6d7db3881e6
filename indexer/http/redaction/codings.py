"""The codings of a message's body, undone: transfer codings (RFC 9112, 7), content codings."""

import re
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from indexer.errors import BadResponse
from indexer.http.fetching.encodings import PIECE, Pieces, capped, decoded

_LONGEST_LINE = 65_536
_SIZE = re.compile(rb"[ \t]*([0-9a-fA-F]{1,16})[ \t]*(?:;[^\n]*)?\r?\n")


class Codings(NamedTuple):
    """How a body is encoded: in chunks or not, and all codings in the order applied."""

    chunked: bool
    names: str

    @classmethod
    def of(cls, head: bytes) -> "Codings":
        """The codings that a head declares, as `fetching.answer` reads it."""
        transfer = _tokens(head, b"transfer-encoding")
        names = [*_tokens(head, b"content-encoding"), *transfer]
        return cls(b"chunked" in transfer, b",".join(names).decode("latin-1"))

    def __bool__(self) -> bool:
        return self.chunked or self.names not in ("", "identity")

    def undone(self, body: BinaryIO, limit: int) -> Pieces:
        """The decoded body, from the position of the file on.

        Raises BadResponse where the body is broken or ends too early, and TooLarge.
        """
        received = _unchunked(body) if self.chunked else iter(lambda: body.read(PIECE), b"")
        return decoded(capped(received, limit), self.names, limit)


def _tokens(head: bytes, name: bytes) -> list[bytes]:
    lines = re.findall(rb"(?im)^%b[ \t]*:((?:[^\n]|\n[ \t])*+)" % name, head)
    return [token for line in lines for token in re.split(rb"[,\s]+", line.lower()) if token]


def _unchunked(body: BinaryIO) -> Iterator[bytes]:
    """The content of the chunks; extensions and trailers are left out."""
    while True:
        line = body.readline(_LONGEST_LINE)
        size = _SIZE.fullmatch(line)
        if size is None:
            raise BadResponse("a chunk without a size" if line else "the body ends too early")
        left = int(size[1], 16)
        if not left:
            return
        while left:
            if not (piece := body.read(min(left, PIECE))):
                raise BadResponse("the body ends too early")
            left -= len(piece)
            yield piece
        if body.readline(2).strip(b"\r\n"):
            raise BadResponse("a chunk longer than its size")
