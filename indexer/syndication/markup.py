"""Tags and text of XML as it is found, in constant memory and in linear time.

Many feeds are no XML: a stray `<` or `&`, an element that isn't closed, a control character. An
XML parser stops there, and takes the rest of the file with it. This finds the tags and leaves the
meaning to the reader, who knows which few it looks for. There are no entities but character
references, no external anything, no nesting to overflow: nothing here can grow or be fetched.
"""

import html
import re
from collections.abc import Generator, Iterable, Iterator
from enum import Enum
from html.entities import html5
from typing import NamedTuple

MAX_TAG = 1 << 18
"""A tag longer than this many characters is text."""

_TAG = re.compile(
    r"""<(?:
        (?P<section> !\[CDATA\[ | !-- | ! | \? )
      | (?P<end>/?) (?P<name>[^\W\d][^\s<>/"'=]*+)
        (?P<attributes>(?:[^<>"']++|"[^"<]*"|'[^'<]*')*+) >
    )""",
    re.VERBOSE,
)
_CLOSERS = {"![CDATA[": "]]>", "!--": "-->", "!": ">", "?": ">"}
_ATTRIBUTE = re.compile(
    r"""(?<![^\s"'/])([^\s"'=/]++)\s*+=\s*+(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))"""
)
_REFERENCE = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")


class Kind(Enum):
    """What a token is."""

    START = 1
    END = 2
    TEXT = 3
    CDATA = 4


class Token(NamedTuple):
    """A tag: its name in lower case, and what follows the name; or a piece of text, as it is."""

    kind: Kind
    value: str
    attributes: str = ""


def tokens(pieces: Iterable[str]) -> Iterator[Token]:
    """The tokens of a text that comes in pieces, without comments and declarations."""
    lexer = _Lexer()
    for piece in pieces:
        yield from lexer.feed(piece)
    yield from lexer.feed("", last=True)


def attributes(token: Token) -> dict[str, str]:
    """The attributes of a start tag, names in lower case."""
    return {
        name.lower(): unescape(double or single or bare)
        for name, double, single, bare in _ATTRIBUTE.findall(token.attributes)
    }


def unescape(text: str) -> str:
    """The text with its character references undone: only those that end in `;`.

    Others are parts of URLs: `?a=1&copy=2`.
    """
    return _REFERENCE.sub(_character, text) if "&" in text else text


def _character(reference: re.Match[str]) -> str:
    name = reference[0][1:]
    return html.unescape(reference[0]) if name.startswith("#") else html5.get(name, reference[0])


class _Lexer:
    """Takes a text in pieces. What may be the beginning of a tag waits for the next piece."""

    def __init__(self) -> None:
        self._rest = ""
        self._closer = ""
        """What ends the section that the text is in; blank between sections."""
        self._is_text = False

    def feed(self, piece: str, *, last: bool = False) -> Iterator[Token]:
        """The tokens that can be told by now."""
        text = self._rest + piece
        at = 0
        while at < len(text):
            if self._closer:
                at = yield from self._section(text, at, last)
                more = not self._closer
            else:
                at = yield from self._tags(text, at, len(text) if last else _settled(text, at))
                more = bool(self._closer)
            if not more:
                break
        self._rest = text[at:]

    def _tags(self, text: str, at: int, end: int) -> Generator[Token, None, int]:
        """Text and tags up to `end`, or to the beginning of a section; where that is."""
        for found in _TAG.finditer(text, at, end):
            if found.start() > at:
                yield Token(Kind.TEXT, text[at : found.start()])
            at = found.end()
            if section := found["section"]:
                self._closer = _CLOSERS[section]
                self._is_text = section == "![CDATA["
                return at
            name = found["name"].lower()
            if found["end"]:
                yield Token(Kind.END, name)
                continue
            yield Token(Kind.START, name, found["attributes"])
            if found["attributes"].endswith("/"):
                yield Token(Kind.END, name)
        if end > at:
            yield Token(Kind.TEXT, text[at:end])
        return max(at, end)

    def _section(self, text: str, at: int, last: bool) -> Generator[Token, None, int]:
        """What belongs to the section; where it, or what is sure to belong to it, ends."""
        end = text.find(self._closer, at)
        if end >= 0:
            after = end + len(self._closer)
            self._closer = ""
        else:
            after = end = len(text) if last else max(at, len(text) - len(self._closer) + 1)
        if self._is_text and end > at:
            yield Token(Kind.CDATA, text[at:end])
        return after


def _settled(text: str, at: int) -> int:
    """Up to where the tags are complete, whatever comes; no `<` is waited for without end."""
    last = text.rfind("<", at)
    return last if last >= 0 and len(text) - last <= MAX_TAG else len(text)
