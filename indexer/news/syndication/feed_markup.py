"""Reads the items of a feed or sitemap in XML, also in broken XML.

    parts → the root element decides the format → the item's direct children → MarkupItem

One item is in memory at a time. An element that isn't closed costs nothing, one that is closed in
the wrong order the field in which it is, or the item.
"""

import base64
from collections.abc import Iterable, Iterator

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
from indexer.news.syndication.markup import (
    CDATA,
    SimpleElement,
    attributes_in,
    cdata,
    simple_elements,
    unescape,
)
from indexer.news.syndication.open_item import MarkupItem, OpenItem

__all__ = ["ATOM", "RSS", "SITEMAP", "SITEMAP_INDEX", "FeedFormat", "MarkupFeed", "MarkupItem"]

MAX_FIELD = 1 << 16
"""The most characters of a field."""

# A hostile feed could have a new name for each element.
MAX_NAMES = 1000

MAX_BEFORE = 200
"""The most tags before the root element: a server's warnings in HTML may come first."""

MARKED_UP = "title"
"""The field whose text may contain tags."""

DECLARATIONS = ("<?xml ", "<?xml\t", "<?xml\n", "<?xml\r")

# Looking up a member of an enumeration takes longer than comparing it.
_NONE, _TEXT, _NOTED, _, _TRANSPARENT, _ITEM, _ROOT = Role


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
        self._head = OpenItem()
        self._item: OpenItem | None = None
        self._field = ""
        self._depth = 0
        self._is_base64 = False
        self._pieces: list[str] = []
        self._length = 0
        self._known: dict[str, tuple[str, Role]] = {}
        self._prefixes: dict[str, str] = {}
        self._namespace = ""
        self._language = ""

    @property
    def head(self) -> MarkupItem:
        """The fields of the feed itself."""
        return self._head.item

    def has(self, prefix: str) -> bool:
        """Whether any element of a namespace was found."""
        return any(name.startswith(f"{prefix}:") for name, _ in self._known.values())

    def items(self, pieces: Iterable[str]) -> Iterator[MarkupItem]:
        """The items of a text in pieces, one after the other."""
        found = simple_elements(pieces)
        for part in found:
            if self._is_root(part):
                yield from self._in_root(found)
            if len(self.before) > MAX_BEFORE:
                return
        self._head.settle()
        if self._item is not None:
            self._item.item.whole = False
            yield self._item.item

    def _is_root(self, part: SimpleElement) -> bool:
        _, slash, raw, attributes, *_, other = part
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
        self._head.add(0, "root", found)
        self._namespace = found.get(f"xmlns:{prefix}" if prefix else "xmlns", "")
        self._language = found.get("xml:lang", "")
        self._declare(found)
        self._prefixes[prefix] = ""
        return True

    def _in_root(self, found: Iterator[SimpleElement]) -> Iterator[MarkupItem]:
        known = self._known
        for text, slash, raw, attributes, before, section, after, end, other in found:
            if self._field:
                self._read(text, other)
            if not raw:
                continue
            name, role = known.get(raw) or self._learn(raw, attributes)
            # Most elements hold only text: those that are not read have no effect outside of a
            # field, and the texts of fields need no search for their ends.
            if end and not self._field and role < _ITEM:
                if role and role is not _TRANSPARENT:
                    self._whole(name, role, attributes, (before, section, after))
                continue
            if (ended := self._tag(slash, raw, attributes)) is not None:
                yield ended
            if end:
                if self._field:
                    self._read(before, section)
                    self._read(after, "")
                if (ended := self._tag("/", raw, "")) is not None:
                    yield ended

    def _tag(self, slash: str, raw: str, attributes: str) -> MarkupItem | None:
        """Handle a tag; the item that it ends, if any."""
        name, role = self._known.get(raw) or self._learn(raw, attributes)
        if role >= _ITEM and not (slash and self._is_nested(name)):
            return self._outer(name, role, slash, attributes)
        if role is not _TRANSPARENT:
            if not role and self._field == MARKED_UP and name != "div":
                self._take(f"<{slash}{raw}{attributes}>")
            if slash:
                self._end(name)
            else:
                self._start(name, role, attributes)
        return None

    def _whole(self, name: str, role: Role, attributes: str, content: tuple[str, str, str]) -> None:
        """Handle an element that holds only text; no field is open."""
        before, section, after = content
        inside = self._item or self._head
        # The short way for nearly all fields: nothing in the tag can change their meaning.
        if role & _TEXT and not attributes:
            text = unescape(before)
            if section:
                text += cdata(section) + unescape(after)
            inside.add(inside.depth, name, text[:MAX_FIELD])
            return
        self._begin(inside, name, role, attributes)
        if self._field:
            self._read(before, section)
            self._read(after, "")
            self._keep()

    def _read(self, text: str, other: str) -> None:
        """Take the text of a field, and the section or stray `<` after it."""
        if text:
            self._take(unescape(text))
        if other.startswith(CDATA):
            self._take(cdata(other))
        elif other == "<":
            self._take(other)

    def _take(self, text: str) -> None:
        if piece := text[: MAX_FIELD - self._length]:
            self._length += len(piece)
            self._pieces.append(piece)

    def _is_nested(self, name: str) -> bool:
        """Whether an element with the name of an item or root is open in the item."""
        return self._item is not None and self._item.level(name) >= 0

    def _outer(self, name: str, role: Role, slash: str, attributes: str) -> MarkupItem | None:
        """Handle a tag of an item or of the root: an item also ends where the next one begins."""
        if role is _ROOT and not slash:
            if self._item is not None:
                self._start(name, _NONE, attributes)
            elif attributes:
                self._head.add(0, name, attributes_in(attributes))
            return None
        self._keep()
        ended, self._item = self._item, None
        (ended or self._head).settle()
        if not slash:
            self._item = OpenItem(self._language)
            if attributes:
                self._item.add(0, name, attributes_in(attributes))
        return ended.item if ended else None

    def _start(self, name: str, role: Role, attributes: str) -> None:
        inside = self._item or self._head
        if role:
            self._begin(inside, name, role, attributes)
        if not attributes.endswith("/"):
            inside.start(name)
        elif self._field and role:
            self._keep()

    def _begin(self, inside: OpenItem, name: str, role: Role, attributes: str) -> None:
        """Begin a field, which ends the one before it: fields are not nested in each other."""
        if self._field:
            self._keep()
        if "xmlns=" in attributes:
            name, role = self._redeclared(name, role, attributes)
        if role & _NOTED and attributes:
            inside.add(inside.depth, name, attributes_in(attributes))
        if role & _TEXT:
            self._field, self._depth = name, inside.depth
            self._is_base64 = "base64" in attributes and _is_base64(attributes)

    def _end(self, name: str) -> None:
        inside = self._item or self._head
        level = inside.level(name)
        if level < 0:
            return
        if self._field and level <= self._depth:
            self._keep()
        inside.end(level)

    def _keep(self) -> None:
        """End the field, if there is one."""
        if not (name := self._field):
            return
        text = "".join(self._pieces)
        if self._is_base64:
            text = _from_base64(text)
        (self._item or self._head).add(self._depth, name, text)
        self._field = ""
        self._pieces.clear()
        self._length = 0

    def _learn(self, raw: str, attributes: str) -> tuple[str, Role]:
        """The name of an element with this package's prefix, and its role."""
        if "xmlns:" in attributes:
            self._declare(attributes_in(attributes))
        prefix, _, local = raw.lower().rpartition(":")
        known = self._role(self._prefixes.get(prefix, prefix), local)
        if len(self._known) < MAX_NAMES:
            self._known[raw] = known
        return known

    def _role(self, prefix: str, local: str) -> tuple[str, Role]:
        name = f"{prefix}:{local}" if prefix else local
        return name, self.format.roles.get(name, _NONE) if self.format else _NONE

    def _redeclared(self, name: str, role: Role, attributes: str) -> tuple[str, Role]:
        """The name and role of an element with a default namespace of its own."""
        uri = attributes_in(attributes).get("xmlns", "")
        if ":" in name or not uri:
            return name, role
        prefix = self._prefix(uri)
        return (name, _NONE) if prefix is None else self._role(prefix, name)

    def _declare(self, found: dict[str, str]) -> None:
        for key, uri in found.items():
            if key.startswith("xmlns:") and (prefix := self._prefix(uri)) is not None:
                self._prefixes[key[6:]] = prefix

    def _prefix(self, uri: str) -> str | None:
        """The prefix of a namespace; elements of the feed's own have none."""
        prefix = prefix_of(uri)
        is_own = uri == self._namespace or (prefix == "atom" and self.format is ATOM)
        return "" if is_own else prefix


def _is_base64(attributes: str) -> bool:
    """Whether a text is encoded as Atom 0.3 allows."""
    return attributes_in(attributes).get("mode", "").strip().lower() == "base64"


def _from_base64(text: str) -> str:
    try:
        return base64.b64decode("".join(text.split()), validate=True).decode("utf-8", "replace")
    except ValueError:
        return text
