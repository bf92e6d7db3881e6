"""From a page's bytes to its text: the ladder of encodings (stories.md 7.1).

    BOM → HTTP charset → <meta> or XML declaration → detector → utf-8

What is declared is not always true: a rung that can't decode the bytes is left for the next one,
and what is valid UTF-8 is UTF-8, whatever it is declared to be: text of another encoding isn't by
chance. `ISO-8859-1` from HTTP is only a hint: libraries have invented it.
"""

import codecs
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import NamedTuple

from cchardet import detect

from indexer.errors import Discard, Quarantine
from indexer.text.cleaning import clean
from indexer.text.decoding.charsets import (
    UTF_8,
    UTF_16_BE,
    UTF_16_LE,
    WINDOWS_1252,
    Charset,
    charset,
)
from indexer.text.decoding.declarations import declared_label

CERTAIN = 2
"""So many continuation bytes, all in place, make it UTF-8. One may be an accident: a character of
EUC-KR or GBK is valid UTF-8 in one of ten cases, `ß»` in windows-1252 always."""

MAX_BROKEN = 0.5
"""The share of characters beyond ASCII that may be undecodable. Half: a page that was cut, or is
put together of parts, is what it says for the most part; of any other next to nothing is right."""

MAX_UNDECLARED = 0.2
"""The same of UTF-8 that nothing declares. Of GBK read as UTF-8 nine tenths are broken."""

MAX_CONTROLS = 0.03
"""The share of control characters above which it is no text. Random bytes have a tenth."""

EVIDENCE = 10
"""With fewer bytes beyond ASCII the detector doesn't overrule a hint."""

_HEAD = 1024
_BOMS = ((b"\xef\xbb\xbf", UTF_8), (b"\xff\xfe", UTF_16_LE), (b"\xfe\xff", UTF_16_BE))
_BEYOND_ASCII = re.compile("[^\x00-\x7f]")
_HIGH = re.compile(rb"[\x80-\xff]")
_REPLACEMENT = "\ufffd"
_HINT = "iso-8859-1"


class Decoded(NamedTuple):
    """A page's text; the encoding found, the rung that found it, and the bytes of the BOM."""

    text: str
    encoding: str
    rung: str
    bom: int


def decode(html: bytes, http: str | None = None, known: str | None = None) -> Decoded:
    """The text of a page, without BOM, NULs, other control characters and lone surrogates.

    `http` is the charset that HTTP declared; `known` one that was found before, of a page that
    comes from an archive. Raises Discard("no-html") for a blank page, Quarantine("no-decode")
    for what is no text.
    """
    found = climb(html, lambda body: {"http": http, "known": known, "meta": declared_label(body)})
    cleaned = clean(found.text)
    if controls(found.text, cleaned) > MAX_CONTROLS:
        raise Quarantine("no-decode", f"no text, in {found.encoding} or any other encoding")
    if not cleaned or cleaned.isspace():
        raise Discard("no-html", "a blank page")
    return found._replace(text=cleaned)


Labels = Mapping[str, str | None]
"""What is declared, by rung, in the order of belief."""


def climb(data: bytes, labels: Callable[[bytes], Labels]) -> Decoded:
    """The text of any document, as it is: `labels` are those that are declared of its bytes."""
    bom, wide = next((pair for pair in _BOMS if data.startswith(pair[0])), (b"", None))
    body = data[len(bom) :]
    rungs = _rungs(body, labels(body))
    if wide:
        rungs = chain([("bom", wide)], rungs)
    rung, found, text = _climb(body, rungs)
    return Decoded(text, found.name, rung, len(bom))


def controls(text: str, cleaned: str) -> float:
    """The share of a text that is control characters, NULs aside."""
    return (len(text) - len(cleaned) - text.count("\0")) / max(len(text), 1)


_Rung = tuple[str, Charset]


def _climb(body: bytes, rungs: Iterator[_Rung]) -> tuple[str, Charset, str]:
    for rung, found in rungs:
        text = _attempt(body, found)
        if text is not None:
            return rung, found, text
    return "default", UTF_8, body.decode("utf-8", "replace")


def _rungs(body: bytes, labels: Labels) -> Iterator[_Rung]:
    hints = [rung for rung in ("http", "known") if _is_hint(labels.get(rung))]
    declared = [
        (rung, found)
        for rung, label in labels.items()
        if rung not in hints and (found := charset(label))
    ]
    if found := _without_bom(body[:_HEAD]):
        yield "detected", found
    valid = _utf_8(body)
    if valid >= CERTAIN:
        yield next((pair for pair in declared if pair[1] is UTF_8), ("utf-8", UTF_8))
    yield from declared
    if valid or _mostly_utf_8(body):
        yield "utf-8", UTF_8
    yield from _detected(body, hinted=bool(hints))


def _is_hint(label: str | None) -> bool:
    return (label or "").strip().lower() == _HINT


def _detected(body: bytes, *, hinted: bool) -> Iterator[_Rung]:
    if body.isascii() and b"\x1b" not in body:
        return
    found = charset(detect(body)["encoding"])
    if found and not (hinted and len(_HIGH.findall(body)) < EVIDENCE):
        yield "detected", found
    if hinted:
        yield "hint", WINDOWS_1252


def _attempt(body: bytes, found: Charset) -> str | None:
    """The text, if most of what isn't ASCII can be decoded."""
    if found in (UTF_16_LE, UTF_16_BE) and b"\0" not in body:
        # Markup in UTF-16 has NULs; anything decodes, as Chinese.
        return None
    try:
        return body.decode(found.codec)
    except UnicodeDecodeError:
        text = body.decode(found.codec, "replace")
    return text if _broken(text) <= MAX_BROKEN else None


def _broken(text: str) -> float:
    """The share of the characters beyond ASCII that could not be decoded."""
    return text.count(_REPLACEMENT) / max(len(_BEYOND_ASCII.findall(text)), 1)


def _utf_8(body: bytes) -> int:
    """How many continuation bytes there are, if all is valid UTF-8 but for a cut end."""
    try:
        text, used = codecs.utf_8_decode(body, "strict", False)
    except UnicodeDecodeError:
        return 0
    return used - len(text) if used else 0


def _mostly_utf_8(body: bytes) -> bool:
    return not body.isascii() and _broken(body.decode("utf-8", "replace")) <= MAX_UNDECLARED


def _without_bom(head: bytes) -> Charset | None:
    """UTF-16 by its NULs: markup is ASCII, in any language."""
    even, odd = head[::2].count(0), head[1::2].count(0)
    if max(even, odd) <= len(head) // 20 or min(even, odd) > len(head) // 100:
        return None
    return UTF_16_LE if odd > even else UTF_16_BE
