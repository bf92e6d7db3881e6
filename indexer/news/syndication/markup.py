"""Tags and text of XML as it is found, in constant memory and in linear time.

Many feeds are no XML: a stray `<` or `&`, an element that isn't closed, a control character. An
XML parser stops there, and takes the rest of the file with it. This finds the tags and leaves the
meaning to the reader, who knows which few it looks for. There are no entities but character
references, no external anything, no nesting to overflow: nothing here can grow or be fetched.
"""

import html
import re
from collections.abc import Iterable, Iterator
from enum import Enum
from html.entities import html5
from typing import NamedTuple

MAX_TAG = 1 << 18
"""A tag longer than this many characters is text."""

STEP = 1 << 14
"""So many characters are taken apart at once: what they come to is in memory."""

Part = tuple[str, str, str, str, str]
"""A text, as it is, and what follows it: `/` of an end tag, the name of a tag as it is written,
its attributes, ending in `/` if it ends itself; or else a section, or a stray `<`."""

# Each alternative is possessive and takes all that it can: a `<` is looked at once.
_PART = re.compile(
    r"""([^<]*+)(?:
        < (/?) ([^\W\d][^\x00-\x20<>/"'=]*+) ((?:[^<>"']++|"[^"<]*+"|'[^'<]*+')*+) >
      | ( <!\[CDATA\[ [^\]]*+ (?:\](?!\]>)[^\]]*+)*+ (?:\]\]>)?
        | <!-- [^-]*+ (?:-(?!->)[^-]*+)*+ (?:-->)?
        | <[!?] [^>]*+ >?
        | < )
      | \Z
    )""",
    re.VERBOSE,
)
CDATA = "<![CDATA["
_CLOSERS = {CDATA: "]]>", "<!--": "-->", "<!": ">", "<?": ">"}
_ATTRIBUTE = re.compile(
    r"""(?<![^\s"'/])([^\s"'=/]++)\s*+=\s*+(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))"""
)
_REFERENCE = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")


class TokenKind(Enum):
    """What a token is."""

    START = 1
    END = 2
    TEXT = 3
    CDATA = 4


class Token(NamedTuple):
    """A tag: its name in lower case, and what follows the name; or a piece of text, as it is."""

    kind: TokenKind
    value: str
    attributes: str = ""


def tokens(pieces: Iterable[str]) -> Iterator[Token]:
    """The tokens of a text that comes in pieces, without comments and declarations."""
    for text, slash, name, attributes, other in parts(pieces):
        if text:
            yield Token(TokenKind.TEXT, text)
        if other.startswith(CDATA):
            if inner := cdata(other):
                yield Token(TokenKind.CDATA, inner)
        elif other == "<":
            yield Token(TokenKind.TEXT, other)
        elif name and not slash:
            yield Token(TokenKind.START, name.lower(), attributes)
        if name and (slash or attributes.endswith("/")):
            yield Token(TokenKind.END, name.lower())


def parts(pieces: Iterable[str]) -> Iterator[Part]:
    """The same, faster: tags with the texts before them."""
    lexer = _Lexer()
    for piece in pieces:
        for at in range(0, len(piece), STEP):
            yield from lexer.feed(piece[at : at + STEP])
    yield from lexer.feed("", last=True)


def cdata(section: str) -> str:
    """The text of a CDATA section, closed or not."""
    return section[len(CDATA) :].removesuffix("]]>")


def attributes(token: Token) -> dict[str, str]:
    """The attributes of a start tag, names in lower case."""
    return attributes_in(token.attributes)


def attributes_in(text: str) -> dict[str, str]:
    """The attributes of what follows a tag's name."""
    return {
        name.lower(): unescape(double or single or bare)
        for name, double, single, bare in _ATTRIBUTE.findall(text)
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
        self._opener = ""
        """What began the section that the text is in; blank between sections."""

    def feed(self, piece: str, *, last: bool = False) -> list[Part]:
        """The parts that can be told by now."""
        text = self._rest + piece
        at, found = 0, []
        if self._opener:
            at, section = self._section(text, last=last)
            found.append(("", "", "", "", section))
            if self._opener:
                self._rest = text[at:]
                return found
        end = len(text) if last else _settled(text, at)
        found += _PART.findall(text, at, end)
        self._rest = self._open(found, last=last) + text[end:]
        return found

    def _section(self, text: str, *, last: bool) -> tuple[int, str]:
        """What belongs to the section, and where that ends."""
        closer = _CLOSERS[self._opener]
        end = text.find(closer)
        if end >= 0:
            after = end + len(closer)
            section = self._opener + text[:after]
            self._opener = ""
            return after, section
        after = len(text) if last else max(0, len(text) - len(closer) + 1)
        return after, self._opener + text[:after]

    def _open(self, found: list[Part], *, last: bool) -> str:
        """Note a section that has not ended; the characters that may be the half of its end."""
        # The last part is the empty end of the text.
        section = found[-2][4] if len(found) > 1 else ""
        opener = next((start for start in _CLOSERS if section.startswith(start)), "")
        closer = _CLOSERS.get(opener, "")
        if last or not opener or section.endswith(closer, len(opener)):
            return ""
        self._opener = opener
        half = section[max(len(opener), len(section) - len(closer) + 1) :]
        found[-2] = (*found[-2][:4], section[: len(section) - len(half)])
        return half


def _settled(text: str, at: int) -> int:
    """Up to where the tags are complete, whatever comes; no `<` is waited for without end."""
    last = text.rfind("<", at)
    return last if last >= 0 and len(text) - last <= MAX_TAG else len(text)
