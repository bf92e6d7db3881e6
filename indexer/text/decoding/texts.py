"""Reads text files of any encoding in pieces."""

import codecs
import re
from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import BinaryIO

from indexer.errors import Disposition
from indexer.text.decoding.charsets import UTF_8, charset
from indexer.text.decoding.ladder import BOMS, decode, undeclared
from indexer.text.unpacking import head_of, some

PIECE = 1 << 16

_LINE_END = re.compile(r"\r\n|\r(?!\Z)|\n")


def text_pieces(head: bytes, file: BinaryIO, *, detect: bool = True) -> Iterator[str]:
    """Yield the text of a file whose first bytes have been read and decide its encoding.

    Without `detect` (formats that can't declare an encoding) the file is UTF-8, or UTF-16 with a
    byte order mark. Undecodable bytes are replaced.
    """
    codec, bom = _detected(head) if detect else _marked(head) or (UTF_8.codec, 0)
    yield from _decoded(codec, head[bom:], file)


def table_pieces(head: bytes, file: BinaryIO) -> Iterator[str]:
    """Yield the text of a table whose first bytes have been read.

    Tables declare no encoding: they are UTF-8, UTF-16, or in the encoding of the system on which a
    spreadsheet wrote them, as windows-1252. The first bytes beyond ASCII decide. Undecodable bytes
    are replaced.
    """
    marked = _marked(head)
    # Databases write UTF-16 without a byte order mark.
    codec, bom = marked or (_detected(head) if b"\0" in head else ("", 0))
    data = head[bom:]
    while not codec and data.isascii():
        yield data.decode("ascii")
        # A whole piece: a few bytes are too few to judge by.
        if not (data := head_of(file, PIECE)):
            return
    yield from _decoded(codec or undeclared(data).codec, data, file)


def table_head(head: bytes) -> str:
    """Decode a table's first bytes as `table_pieces` does."""
    return "".join(table_pieces(head, BytesIO()))


def _decoded(codec: str, first: bytes, file: BinaryIO) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder(codec)("replace")
    yield decoder.decode(first)
    while more := some(file, PIECE):
        yield decoder.decode(more)
    yield decoder.decode(b"", final=True)


def head_text(head: bytes) -> str:
    """Decode a file's first bytes; return an empty text if they are not text."""
    try:
        return decode(head).text
    except Disposition:
        return ""


def _detected(head: bytes) -> tuple[str, int]:
    """Return the codec and the length of the byte order mark."""
    try:
        decoded = decode(head)
    except Disposition:
        return UTF_8.codec, 0
    found = charset(decoded.encoding) or UTF_8
    return found.codec, decoded.bom


def _marked(head: bytes) -> tuple[str, int] | None:
    """Return the codec and the length of the byte order mark, if there is one."""
    return next(
        ((found.codec, len(bom)) for bom, found in BOMS if head.startswith(bom)),
        None,
    )


def lines(pieces: Iterable[str], longest: int) -> Iterator[str | None]:
    """Yield the lines of a text without line ends; None for a line above `longest` characters."""
    # A \r at the end of a piece is kept: the next piece may begin with the \n of the same line end.
    rest, too_long = "", False
    for piece in pieces:
        *complete, rest = _LINE_END.split(rest + piece)
        for line in complete:
            yield None if too_long or len(line) > longest else line
            too_long = False
        if len(rest) > longest:
            rest, too_long = "", True
    if rest or too_long:
        yield None if too_long else rest.removesuffix("\r")
