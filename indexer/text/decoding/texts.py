"""The text of a file of any encoding, read in pieces."""

import codecs
import re
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from indexer.errors import Disposition
from indexer.text.decoding.charsets import UTF_8, UTF_16_BE, UTF_16_LE, charset
from indexer.text.decoding.ladder import decode
from indexer.text.unpacking import some

PIECE = 1 << 16

_LINE_END = re.compile(r"\r\n|\r(?!\Z)|\n")


def text_pieces(head: bytes, file: BinaryIO, *, detect: bool = True) -> Iterator[str]:
    """The text of a file whose first bytes were read; these tell its encoding.

    What has no way to declare one is not to be guessed at (`detect`): it is UTF-8, or UTF-16 with
    a byte order mark, and what can't be decoded is replaced.
    """
    codec, bom = _detected(head) if detect else _marked(head)
    decoder = codecs.getincrementaldecoder(codec)("replace")
    yield decoder.decode(head[bom:])
    while more := some(file, PIECE):
        yield decoder.decode(more)
    yield decoder.decode(b"", final=True)


def head_text(head: bytes) -> str:
    """The text of a file's first bytes; blank if they are no text."""
    try:
        return decode(head).text
    except Disposition:
        return ""


def _detected(head: bytes) -> tuple[str, int]:
    """The codec, and the length of the byte order mark."""
    try:
        decoded = decode(head)
    except Disposition:
        return UTF_8.codec, 0
    found = charset(decoded.encoding) or UTF_8
    return found.codec, decoded.bom


def _marked(head: bytes) -> tuple[str, int]:
    if head.startswith(codecs.BOM_UTF16_LE):
        return UTF_16_LE.codec, 2
    if head.startswith(codecs.BOM_UTF16_BE):
        return UTF_16_BE.codec, 2
    return UTF_8.codec, 3 if head.startswith(codecs.BOM_UTF8) else 0


def lines(pieces: Iterable[str], longest: int) -> Iterator[str | None]:
    """The lines of a text, without their ends; None for one above `longest` characters."""
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
