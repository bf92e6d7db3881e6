"""The encoding that a page declares in its own text (WHATWG HTML, 13.2.3.2: the prescan)."""

import re
from collections.abc import Iterator

PRESCAN_BYTES = 8192
"""Where it is looked for. The standard says 1024; many pages have scripts before it."""

_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_META = re.compile(rb"<meta[\s/]([^>]*)", re.IGNORECASE)
_ATTRIBUTE = re.compile(
    rb"""([^\s"'>/=]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE
)
_CHARSET = re.compile(rb"""charset\s*=\s*["']?\s*([^\s"';]+)""", re.IGNORECASE)
_XML = re.compile(rb"""\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([^"'>]{1,40})["']""")


def declared_label(html: bytes) -> str | None:
    """The label of a `<meta charset>`, `<meta http-equiv>` or XML declaration, as a browser
    would use it: a page whose markup can be read this way is not in UTF-16."""
    head = _COMMENT.sub(b"", html[:PRESCAN_BYTES])
    label = next(_meta_labels(head), None)
    if label is None and (match := _XML.match(head)):
        label = match[1]
    if label is None:
        return None
    name = label.decode("ascii", "replace").strip().lower()
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
