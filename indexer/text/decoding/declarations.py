"""Finds the encoding that a page declares in its own markup (WHATWG HTML, 13.2.3.2: prescan)."""

import re
from collections.abc import Iterator

PRESCAN_BYTES = 8192
"""The number of bytes searched. The standard's 1024 are too few: many pages begin with scripts."""

_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_META = re.compile(rb"<meta[\s/]([^>]*)", re.IGNORECASE)
_ATTRIBUTE = re.compile(
    rb"""([^\s"'>/=]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE
)
_CHARSET = re.compile(rb"""charset\s*=\s*["']?\s*([^\s"';]+)""", re.IGNORECASE)
_XML = re.compile(rb"""\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([^"'>]{1,40})["']""")


def declared_label(html: bytes) -> str | None:
    """Return the label of a `<meta charset>`, `<meta http-equiv>` or XML declaration."""
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
