"""Decodes the bytes of a page by trying encodings in order: the ladder (stories.md 7.1).

    BOM → HTTP charset → <meta> or XML declaration → detector → utf-8

Declarations may be wrong: if a rung can't decode the bytes, the next one is tried, and valid UTF-8
is UTF-8 whatever was declared, because text of another encoding is almost never valid UTF-8.
`ISO-8859-1` from HTTP is only a hint: some HTTP libraries report it when nothing was declared.
"""

import codecs
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
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

CERTAIN = 2
"""The number of valid continuation bytes that prove UTF-8. One may be chance: one in ten characters
of EUC-KR or GBK is valid UTF-8, and so is `ß»` in windows-1252."""

MAX_BROKEN = 0.5
"""The undecodable share of the characters beyond ASCII up to which an encoding is accepted. A page
that was cut or joined of parts stays below half; in a wrong encoding nearly all are undecodable."""

MAX_UNDECLARED = 0.2
"""The same for UTF-8 without a declaration. GBK decoded as UTF-8 has a share of nine tenths."""

MAX_CONTROLS = 0.03
"""The share of control characters above which the bytes are not text. Random bytes have a tenth."""

EVIDENCE = 10
"""The number of bytes beyond ASCII from which the detector overrules a hint."""

_HEAD = 1024
BOMS = ((b"\xef\xbb\xbf", UTF_8), (b"\xff\xfe", UTF_16_LE), (b"\xfe\xff", UTF_16_BE))
_BEYOND_ASCII = re.compile("[^\x00-\x7f]")
_HIGH = re.compile(rb"[\x80-\xff]")
_HIGH_WORD = re.compile(rb"[\x80-\xff]{3,}")
_REPLACEMENT = "\ufffd"
_HINT = "iso-8859-1"

PRESCAN_BYTES = 8192
"""The number of bytes searched. The standard's 1024 are too few: many pages begin with scripts."""

_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_META = re.compile(rb"<meta[\s/]([^>]*)", re.IGNORECASE)
_ATTRIBUTE = re.compile(
    rb"""([^\s"'>/=]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE
)
_CHARSET = re.compile(rb"""charset\s*=\s*["']?\s*([^\s"';]+)""", re.IGNORECASE)
_XML = re.compile(rb"""\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([^"'>]{1,40})["']""")


class Decoded(NamedTuple):
    """A page's text, its encoding, the rung that found the encoding, and the length of the BOM."""

    text: str
    encoding: str
    rung: str
    bom: int


def decode(html: bytes, http: str | None = None, known: str | None = None) -> Decoded:
    """Decode a page, without BOM, NULs, other control characters and lone surrogates.

    `http` is the charset that HTTP declared; `known` is the encoding that an archive has recorded.
    Raises Discard("no-html") for a blank page, Quarantine("no-decode") for bytes that are not text.
    """
    found = climb(html, lambda body: {"http": http, "known": known, "meta": declared_label(body)})
    cleaned = clean(found.text)
    if controls(found.text, cleaned) > MAX_CONTROLS:
        raise Quarantine("no-decode", f"not text in {found.encoding} or any other encoding")
    if not cleaned or cleaned.isspace():
        raise Discard("no-html", "a blank page")
    return found._replace(text=cleaned)


Labels = Mapping[str, str | None]
"""Declared labels by rung, the most reliable first."""


def climb(data: bytes, labels: Callable[[bytes], Labels]) -> Decoded:
    """Decode any document, without cleaning; `labels` finds the declarations in its bytes."""
    bom, wide = next((pair for pair in BOMS if data.startswith(pair[0])), (b"", None))
    body = data[len(bom) :]
    first: list[_Rung] = [("bom", wide)] if wide else []
    for rung, found in chain(first, _rungs(body, labels(body))):
        text = _attempt(body, found)
        if text is not None:
            return Decoded(text, found.name, rung, len(bom))
    return Decoded(body.decode("utf-8", "replace"), UTF_8.name, "default", len(bom))


def undeclared(data: bytes) -> Charset:
    """The encoding of a text that can't declare one: the start of it, with bytes beyond ASCII.

    It is UTF-8 where half of that is valid, as in a damaged text. Otherwise it is the encoding of a
    system: windows-1252, unless most of these bytes are in words of another script.
    """
    with suppress(UnicodeDecodeError):
        # Not final: the last character may be cut.
        codecs.utf_8_decode(data, "strict", False)
        return UTF_8
    if _attempt(data, UTF_8) is not None:
        return UTF_8
    in_words = sum(map(len, _HIGH_WORD.findall(data)))
    # The detector often takes accents in Latin script for those of another system.
    is_other_script = in_words >= EVIDENCE and in_words > len(_HIGH.findall(data)) / 2
    return (charset(detect(data)["encoding"]) if is_other_script else None) or WINDOWS_1252


def controls(text: str, cleaned: str) -> float:
    """Return the share of control characters other than NULs in a text."""
    return (len(text) - len(cleaned) - text.count("\0")) / max(len(text), 1)


_Rung = tuple[str, Charset]


def _rungs(body: bytes, labels: Labels) -> Iterator[_Rung]:
    hints = [rung for rung in ("http", "known") if _is_hint(labels.get(rung))]
    declared = [
        (rung, found)
        for rung, label in labels.items()
        if rung not in hints and (found := charset(label))
    ]
    # UTF-16 comes first: its bytes are often valid in the declared encoding as well.
    if found := _without_bom(body[:_HEAD]):
        yield "detected", found
    valid = _utf_8(body)
    if valid >= CERTAIN:
        yield next((pair for pair in declared if pair[1] is UTF_8), ("utf-8", UTF_8))
    # A single continuation byte may be chance, so declarations come before it.
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
    """Decode the bytes if most of the characters beyond ASCII are decodable; else return None."""
    # Any bytes decode as UTF-16, mostly to Chinese, but real markup in UTF-16 has NULs.
    if found in (UTF_16_LE, UTF_16_BE) and b"\0" not in body:
        return None
    try:
        return body.decode(found.codec)
    except UnicodeDecodeError:
        text = body.decode(found.codec, "replace")
    return text if _broken(text) <= MAX_BROKEN else None


def _broken(text: str) -> float:
    """Return the undecodable share of the characters beyond ASCII."""
    return text.count(_REPLACEMENT) / max(len(_BEYOND_ASCII.findall(text)), 1)


def _utf_8(body: bytes) -> int:
    """Return the number of continuation bytes in valid UTF-8, whose end may be cut; else 0."""
    try:
        text, used = codecs.utf_8_decode(body, "strict", False)
    except UnicodeDecodeError:
        return 0
    return used - len(text) if used else 0


def _mostly_utf_8(body: bytes) -> bool:
    return not body.isascii() and _broken(body.decode("utf-8", "replace")) <= MAX_UNDECLARED


def _without_bom(head: bytes) -> Charset | None:
    """Recognise UTF-16 by its NULs: markup is mostly ASCII in any language."""
    even, odd = head[::2].count(0), head[1::2].count(0)
    if max(even, odd) <= len(head) // 20 or min(even, odd) > len(head) // 100:
        return None
    return UTF_16_LE if odd > even else UTF_16_BE


def declared_label(html: bytes) -> str | None:
    """Return the label of a `<meta charset>`, `<meta http-equiv>` or XML declaration.

    This is the prescan of WHATWG HTML, 13.2.3.2.
    """
    head = _COMMENT.sub(b"", html[:PRESCAN_BYTES])
    label = next(_meta_labels(head), None)
    if label is None and (match := _XML.match(head)):
        label = match[1]
    if label is None:
        return None
    name = label.decode("ascii", "replace").strip().lower()
    # A declaration that is readable as ASCII is not in UTF-16; browsers use UTF-8 then.
    return "utf-8" if name.startswith("utf-16") else name


def _meta_labels(head: bytes) -> Iterator[bytes]:
    for meta in _META.finditer(head):
        attributes = _attributes(meta[1])
        if charset := attributes.get(b"charset"):
            yield charset
        elif attributes.get(b"http-equiv", b"").lower() == b"content-type":
            yield from _CHARSET.findall(attributes.get(b"content", b""))[:1]


def _attributes(text: bytes) -> dict[bytes, bytes]:
    found: dict[bytes, bytes] = {}
    for match in _ATTRIBUTE.finditer(text):
        found.setdefault(match[1].lower(), match[2] or match[3] or match[4] or b"")
    return found
