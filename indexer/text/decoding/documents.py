"""From a feed's bytes to its text (feeds.md 7.1): the ladder of pages in another order.

    BOM → XML declaration → HTTP charset → detector → utf-8

XML is UTF-8 if nothing is said, whatever `text/*` type it is served as. What is valid UTF-8 and
not declared to be anything else is read without the ladder: nearly all there is.
"""

import codecs
import re

from indexer.text.decoding.charsets import UTF_8, charset
from indexer.text.decoding.ladder import CERTAIN, Decoded, Labels, climb

PRESCAN_BYTES = 4096
"""Where the declaration is looked for: a script's warnings may stand before it."""

_DECLARATION = re.compile(
    rb"""<\?xml\s[^<>]{0,200}?encoding\s*=\s*["']([^"'<>]{1,40})["']""", re.IGNORECASE
)


def document_text(body: bytes, http: str | None = None) -> Decoded:
    """The text of an XML or JSON document, without BOM and NULs; `http`: what HTTP declared."""
    found = _utf_8(body, http) or climb(body, lambda data: _labels(data, http))
    return found._replace(text=found.text.replace("\0", "")) if "\0" in found.text else found


def declared_in_xml(body: bytes) -> str | None:
    """The label of the XML declaration; what can be read as ASCII is not in UTF-16."""
    found = _DECLARATION.search(body, 0, PRESCAN_BYTES)
    if found is None:
        return None
    label = found[1].decode("ascii", "replace").strip().lower()
    return UTF_8.name if label.startswith(("utf-16", "ucs-2")) else label


def _labels(body: bytes, http: str | None) -> Labels:
    return {"declared": declared_in_xml(body), "http": http}


def _utf_8(body: bytes, http: str | None) -> Decoded | None:
    """The text of what is UTF-8 beyond doubt."""
    if b"\0" in body or b"\x1b" in body:
        # These may be UTF-16, or one of the encodings that shift.
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
