"""A lexer of XML, also of broken XML: tags and text, in constant memory and linear time.

Many feeds are no valid XML: a stray `<` or `&`, an element that isn't closed, a control character.
An XML parser stops there and loses the rest of the file. This lexer finds tags only, and its reader
uses the few that it knows. The only entities are character references; nothing external is fetched,
and there is no nesting: hostile input can neither grow nor overflow.
"""

import html
import re
from collections.abc import Iterable, Iterator
from enum import Enum
from html.entities import html5
from itertools import chain
from typing import Any, Generic, NamedTuple, TypeVar

MAX_TAG = 1 << 18
"""The most characters of a tag: a longer one is text."""

STEP = 1 << 14
"""The number of characters that are split at once: their parts are in memory together."""

_UNREAD_IN_HEADS = ("script", "style", "template", "noscript", "svg")
"""The elements in a page's head whose contents are no tags of the page."""

Part = tuple[str, str, str, str, str]
"""A raw text, and the tag or section after it: `/` of an end tag, the raw name of the tag, its
attributes with a final `/` if the tag closes itself; or a section or a stray `<`."""

SimpleElement = tuple[str, str, str, str, str, str, str, str, str]
"""A `Part` with four fields before its last one: for the start tag of an element that holds only
text, the text, a CDATA section or nothing, the text after it, and the end tag; else "" each."""

P = TypeVar("P", Part, SimpleElement)

_TAG = r"""< (/)?+ ([^\W\d][^\x00-\x20<>/"'=]*+) ((?:[^<>"']++|"[^"<]*+"|'[^'<]*+')*+) >"""
_CDATA = r"<!\[CDATA\[ [^\]]*+ (?:\](?!\]>)[^\]]*+)*+"
_REST = rf"(?: (?(2)(?!)) (?<!/>) ([^<]*+) ({_CDATA} \]\]>)?+ ([^<]*+) (</\3>) )?+"
"""The rest of a simple element. There is none after an end tag, or a tag that closes itself."""


def _part(rest: str) -> re.Pattern[str]:
    # Each alternative is possessive and greedy, so each `<` is tried once, or once more as a part
    # of the rest of an element: linear time.
    return re.compile(
        rf"""([^<]*+)(?:
            {_TAG} {rest}
          | ( {_CDATA} (?:\]\]>)?
            | <!-- [^-]*+ (?:-(?!->)[^-]*+)*+ (?:-->)?
            | <[!?] [^>]*+ >?
            | < )
          | \Z
        )""",
        re.VERBOSE,
    )


_PART = _part("")
_SIMPLE_ELEMENT = _part(_REST)
CDATA = "<![CDATA["
_CLOSERS = {CDATA: "]]>", "<!--": "-->", "<!": ">", "<?": ">"}
_ATTRIBUTE = re.compile(
    r"""(?<![^\s"'/])([^\s"'=/]++)\s*+=\s*+(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))"""
)
_REFERENCE = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")


class TokenKind(Enum):
    """The two kinds of tags; a tag that closes itself is both."""

    START = 1
    END = 2


class Token(NamedTuple):
    """A tag, with its name in lower case and its raw attributes."""

    kind: TokenKind
    value: str
    attributes: str = ""


def tokens(pieces: Iterable[str]) -> Iterator[Token]:
    """The tags of a text in pieces."""
    for _, slash, name, attributes, _ in parts(pieces):
        if name and not slash:
            yield Token(TokenKind.START, name.lower(), attributes)
        if name and (slash or attributes.endswith("/")):
            yield Token(TokenKind.END, name.lower())


def parts(pieces: Iterable[str]) -> Iterator[Part]:
    """A text in pieces as tuples, faster than tokens: each tag with the text before it."""
    return _split(pieces, _Lexer(_PART))


def simple_elements(pieces: Iterable[str]) -> Iterator[SimpleElement]:
    """Like `parts`, but an element that holds only text is one tuple, in place of two or three."""
    return _split(pieces, _Lexer(_SIMPLE_ELEMENT))


def _split(pieces: Iterable[str], lexer: "_Lexer[P]") -> Iterator[P]:
    return chain.from_iterable(_fed(pieces, lexer))


def _fed(pieces: Iterable[str], lexer: "_Lexer[P]") -> Iterator[list[P]]:
    for piece in pieces:
        for at in range(0, len(piece), STEP):
            yield lexer.feed(piece[at : at + STEP])
    yield lexer.feed("", last=True)


def cdata(section: str) -> str:
    """The text of a CDATA section, closed or not."""
    return section[len(CDATA) :].removesuffix("]]>")


def is_complete(section: str) -> bool:
    """Whether a section has its end. A stray `<` is none, and has none."""
    opener = next((start for start in _CLOSERS if section.startswith(start)), "")
    return bool(opener) and section.endswith(_CLOSERS[opener], len(opener))


def head_tags(text: str) -> Iterator[Token]:
    """The start tags of a page's head, which ends where its body begins; none in scripts."""
    unread = ""
    for token in tokens([text]):
        if unread:
            if token.kind is TokenKind.END and token.value == unread:
                unread = ""
        elif token.kind is TokenKind.START:
            if token.value == "body":
                return
            unread = token.value if token.value in _UNREAD_IN_HEADS else ""
            yield token


def attributes(token: Token) -> dict[str, str]:
    """The attributes of a start tag, names in lower case."""
    return attributes_in(token.attributes)


def attributes_in(text: str) -> dict[str, str]:
    """The attributes in the raw text after a tag's name."""
    return {
        name.lower(): unescape(double or single or bare)
        for name, double, single, bare in _ATTRIBUTE.findall(text)
    }


def unescape(text: str) -> str:
    """The text with its character references decoded, but only those that end in `;`.

    Without `;` they are often parts of URLs: `?a=1&copy=2`.
    """
    return _REFERENCE.sub(_character, text) if "&" in text else text


def _character(reference: re.Match[str]) -> str:
    name = reference[0][1:]
    return html.unescape(reference[0]) if name.startswith("#") else html5.get(name, reference[0])


class _Lexer(Generic[P]):
    """Splits a text in pieces. A possible beginning of a tag is kept for the next piece."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self._pattern = pattern
        self._nothing = ("",) * (pattern.groups - 1)
        self._rest = ""
        # The opening of the section that the text is in, such as `<!--`; "" outside of sections.
        self._opener = ""

    def feed(self, piece: str, *, last: bool = False) -> list[P]:
        """The parts that are complete with this piece."""
        text = self._rest + piece
        at = 0
        found: list[Any] = []
        if self._opener:
            at, section = self._section(text, last=last)
            found.append((*self._nothing, section))
            if self._opener:
                self._rest = text[at:]
                return found
        end = len(text) if last else _settled(text, at)
        found += self._pattern.findall(text, at, end)
        self._rest = self._open(found, last=last) + text[end:]
        return found

    def _section(self, text: str, *, last: bool) -> tuple[int, str]:
        """The part of the text that belongs to the section, with its end before it."""
        closer = _CLOSERS[self._opener]
        end = text.find(closer)
        if end >= 0:
            after = end + len(closer)
            section = self._opener + text[:after]
            self._opener = ""
            return after, section
        after = len(text) if last else max(0, len(text) - len(closer) + 1)
        return after, self._opener + text[:after]

    def _open(self, found: list[Any], *, last: bool) -> str:
        """Remember a section without an end; returns the characters that may begin its end."""
        # The last part is the empty end of the text.
        section = found[-2][-1] if len(found) > 1 else ""
        opener = next((start for start in _CLOSERS if section.startswith(start)), "")
        closer = _CLOSERS.get(opener, "")
        if last or not opener or is_complete(section):
            return ""
        self._opener = opener
        half = section[max(len(opener), len(section) - len(closer) + 1) :]
        found[-2] = (*found[-2][:-1], section[: len(section) - len(half)])
        return half


def _settled(text: str, at: int) -> int:
    """The end of the complete tags. An open `<` waits for more text, up to MAX_TAG characters."""
    last = text.rfind("<", at)
    return last if last >= 0 and len(text) - last <= MAX_TAG else len(text)
