"""Decodes the bytes of a feed (feeds.md 7.1), by the ladder of pages in another order.

    BOM → XML declaration → HTTP charset → detector → utf-8

XML without a declaration is UTF-8, whatever `text/*` type HTTP declares. Nearly all documents are
valid UTF-8 without another declaration: these skip the ladder.
"""

import codecs
import re

from indexer.text.decoding.charsets import UTF_8, charset
from indexer.text.decoding.ladder import CERTAIN, Decoded, Labels, climb

PRESCAN_BYTES = 4096
"""The number of bytes searched for the declaration: warnings of a PHP script may precede it."""

_DECLARATION = re.compile(
    rb"""<\?xml\s[^<>]{0,200}?encoding\s*=\s*["']([^"'<>]{1,40})["']""", re.IGNORECASE
)


def document_text(body: bytes, http: str | None = None) -> Decoded:
    """Decode an XML or JSON document without BOM and NULs; `http` is the charset of HTTP."""
    found = _utf_8(body, http) or climb(body, lambda data: _labels(data, http))
    return found._replace(text=found.text.replace("\0", "")) if "\0" in found.text else found


def declared_in_xml(body: bytes) -> str | None:
    """Return the label of the XML declaration."""
    found = _DECLARATION.search(body, 0, PRESCAN_BYTES)
    if found is None:
        return None
    label = found[1].decode("ascii", "replace").strip().lower()
    # A declaration that is readable as ASCII is not in UTF-16.
    return UTF_8.name if label.startswith(("utf-16", "ucs-2")) else label


def _labels(body: bytes, http: str | None) -> Labels:
    return {"declared": declared_in_xml(body), "http": http}


def _utf_8(body: bytes, http: str | None) -> Decoded | None:
    """Decode a document that is certainly UTF-8; else return None."""
    # NULs may mean UTF-16, and escapes one of the shifting encodings.
    if b"\0" in body or b"\x1b" in body:
        return None
    bom = len(codecs.BOM_UTF8) if body.startswith(codecs.BOM_UTF8) else 0
    try:
        text = body[bom:].decode() if bom else body.decode()
    except UnicodeDecodeError:
        return None
    certain = bom or not 0 < len(body) - len(text) < CERTAIN
    if not certain and {charset(label) for label in _labels(body, http).values()} - {None, UTF_8}:
        return None
    return Decoded(text, UTF_8.name, "utf-8", bom)
