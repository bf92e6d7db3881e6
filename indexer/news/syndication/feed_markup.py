"""Reads the items of a feed or sitemap in XML, also in broken XML.

    parts → the root element decides the format → fields of an item, by the format → MarkupItem

One item is in memory at a time. An element that isn't closed, or is closed in the wrong order,
costs the field in which it is, or the item.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from indexer.news.syndication.formats import (
    ATOM,
    FORMATS,
    RSS,
    SITEMAP,
    SITEMAP_INDEX,
    FeedFormat,
    Role,
    prefix_of,
)
from indexer.news.syndication.markup import CDATA, Part, attributes_in, cdata, parts, unescape

__all__ = ["ATOM", "RSS", "SITEMAP", "SITEMAP_INDEX", "FeedFormat", "MarkupFeed", "MarkupItem"]

MAX_FIELD = 1 << 16
MAX_ELEMENTS = 50
"""The most characters of a field, and the most elements with attributes, of an item."""

# A hostile feed could have a new name for each element.
MAX_NAMES = 1000

MAX_BEFORE = 200
"""The most tags before the root element: a server's warnings in HTML may come first."""

MARKED_UP = "title"
"""The field whose text may contain tags."""

DECLARATIONS = ("<?xml ", "<?xml\t", "<?xml\n", "<?xml\r")

REPEATED = "link"
"""The field of which all texts are kept, not only the first."""


# Looking up a member of an enumeration takes longer than comparing it.
_NONE, _TEXT, _NOTED, _, _PASSED_OVER, _ITEM, _ROOT = Role


@dataclass(slots=True)
class MarkupItem:
    """An item, or the head of the feed: texts by element, and the attributes of some elements.

    `whole`: the end of the item was found; otherwise its last text may be cut.
    """

    texts: dict[str, str] = field(default_factory=dict)
    elements: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    more: list[str] = field(default_factory=list)
    whole: bool = True

    def text(self, *names: str) -> str:
        """The first text of these elements that is not blank, trimmed."""
        for name in names:
            if found := self.texts.get(name, "").strip():
                return found
        return ""

    def attributes(self, name: str) -> Iterator[dict[str, str]]:
        """The attributes of each element with a name."""
        return (found for element, found in self.elements if element == name)


class MarkupFeed:
    """A feed that is being read: `format` and `head` are filled while `items` is read.

    `root` is the name of its root element; `before` has the names of the tags before the root,
    since the XML declaration if there is one (`declared`).
    """

    def __init__(self) -> None:
        self.format: FeedFormat | None = None
        self.root = ""
        self.before: list[str] = []
        self.declared = False
        self.head = MarkupItem()
        self._item: MarkupItem | None = None
        self._field = ""
        self._pieces: list[str] = []
        self._length = 0
        self._passing_over = ""
        self._known: dict[str, tuple[str, Role]] = {}
        self._prefixes: dict[str, str] = {}

    def has(self, prefix: str) -> bool:
        """Whether any element of a namespace was found."""
        return any(name.startswith(f"{prefix}:") for name, _ in self._known.values())

    def items(self, pieces: Iterable[str]) -> Iterator[MarkupItem]:
        """The items of a text in pieces, one after the other."""
        found = parts(pieces)
        for part in found:
            if self._is_root(part):
                yield from self._in_root(found)
            if len(self.before) > MAX_BEFORE:
                return
        if self._item is not None:
            self._item.whole = False
            yield self._item

    def _is_root(self, part: Part) -> bool:
        _, slash, raw, attributes, other = part
        if other.startswith(DECLARATIONS):
            self.declared = True
            self.before.clear()
        if not raw or slash:
            return False
        prefix, _, name = raw.lower().rpartition(":")
        self.format = FORMATS.get(name)
        if self.format is None:
            self.before.append(name)
            return False
        self.root = name
        found = attributes_in(attributes)
        self.head.elements.append(("root", found))
        self._declare(found)
        self._prefixes[prefix] = ""
        return True

    def _in_root(self, found: Iterator[Part]) -> Iterator[MarkupItem]:
        known = self._known
        for text, slash, raw, attributes, other in found:
            if self._field:
                if text:
                    self._take(unescape(text))
                if other:
                    self._section(other)
            if not raw:
                continue
            name, role = known.get(raw) or self._learn(raw, attributes)
            if role >= _ITEM:
                if (ended := self._outer(name, role, slash, attributes)) is not None:
                    yield ended
            elif role:
                self._inner(name, role, slash, attributes)
            elif self._field == MARKED_UP and name != "div":
                self._take(f"<{slash}{raw}{attributes}>")

    def _take(self, text: str) -> None:
        if piece := text[: MAX_FIELD - self._length]:
            self._length += len(piece)
            self._pieces.append(piece)

    def _section(self, other: str) -> None:
        if other.startswith(CDATA):
            self._take(cdata(other))
        elif other == "<":
            self._take(other)

    def _outer(self, name: str, role: Role, slash: str, attributes: str) -> MarkupItem | None:
        """Handle a tag of an item or of the root: an item also ends where the next one begins."""
        if role is _ROOT and not slash:
            self._note(name, attributes)
            return None
        self._keep()
        self._passing_over = ""
        ended, self._item = self._item, None
        if not slash:
            self._item = MarkupItem()
            self._note(name, attributes)
        return ended

    def _inner(self, name: str, role: Role, slash: str, attributes: str) -> None:
        if slash:
            self._end(name)
        elif not self._passing_over:
            self._start(name, role, attributes)

    def _start(self, name: str, role: Role, attributes: str) -> None:
        self._keep()
        if role is _PASSED_OVER:
            self._passing_over = "" if attributes.endswith("/") else name
            return
        if role & _NOTED:
            self._note(name, attributes)
        if role & _TEXT:
            self._field = name
            if attributes.endswith("/"):
                self._keep()

    def _end(self, name: str) -> None:
        if self._passing_over:
            if name == self._passing_over:
                self._passing_over = ""
        elif name == self._field:
            self._keep()

    def _keep(self) -> None:
        """End the field. Of several texts of a name the first that is not blank counts."""
        if not (name := self._field):
            return
        text = "".join(self._pieces)
        item = self.head if self._item is None else self._item
        if not item.texts.get(name, "").strip():
            item.texts[name] = text
        elif name == REPEATED and len(item.more) < MAX_ELEMENTS:
            item.more.append(text)
        self._field = ""
        self._pieces.clear()
        self._length = 0

    def _note(self, name: str, attributes: str) -> None:
        elements = (self.head if self._item is None else self._item).elements
        if attributes and len(elements) < MAX_ELEMENTS:
            elements.append((name, attributes_in(attributes)))

    def _learn(self, raw: str, attributes: str) -> tuple[str, Role]:
        """The name of an element with this package's prefix, and its role."""
        if "xmlns:" in attributes:
            self._declare(attributes_in(attributes))
        prefix, _, local = raw.lower().rpartition(":")
        prefix = self._prefixes.get(prefix, prefix)
        name = f"{prefix}:{local}" if prefix else local
        roles = self.format.roles if self.format else {}
        known = name, roles.get(name, _NONE)
        if len(self._known) < MAX_NAMES:
            self._known[raw] = known
        return known

    def _declare(self, found: dict[str, str]) -> None:
        for key, uri in found.items():
            if key.startswith("xmlns:") and (prefix := prefix_of(uri)) is not None:
                self._prefixes[key[6:]] = prefix
