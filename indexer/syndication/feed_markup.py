"""The items of a feed or sitemap that is written in XML, or in something like it.

    tokens → the root tells the format → within an item: the fields that the format has → Item

One item is in memory at a time. Elements that aren't closed, or closed in the wrong order, cost
the field they are in, or the item.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from indexer.syndication.markup import Kind, Token, attributes, unescape

MAX_FIELD = 1 << 16
MAX_ELEMENTS = 50
"""How much of a field's text, and how many elements with attributes, are kept of an item."""

MAX_NAMES = 1000

NAMESPACES = {
    "http://www.google.com/schemas/sitemap-news/0.9": "news",
    "http://purl.org/dc/elements/1.1": "dc",
    "http://www.w3.org/2005/atom": "atom",
    "http://purl.org/rss/1.0": "",
}
"""The prefixes by which fields are called here; a feed may choose others."""


class Format(NamedTuple):
    """What to look for: the element that is an item, those whose text is a field, those whose
    attributes matter, and those that hold something else with fields of the same names."""

    name: str
    item: str
    texts: frozenset[str]
    elements: frozenset[str] = frozenset()
    passed_over: frozenset[str] = frozenset()


_CONTENT = frozenset({"description", "content", "content:encoded", "summary", "image"})

RSS = Format(
    "RSS",
    "item",
    frozenset({"link", "guid", "title", "pubdate", "dc:date", "domain", "lastbuilddate"}),
    frozenset({"link", "atom:link", "guid", "source", "item"}),
    _CONTENT | {"textinput"},
)
ATOM = Format(
    "Atom",
    "entry",
    frozenset({"id", "title", "published", "issued", "updated", "created"}),
    frozenset({"link", "entry"}),
    _CONTENT | {"source"},
)
SITEMAP = Format("sitemap", "url", frozenset({"loc", "news:title", "news:publication_date"}))
SITEMAP_INDEX = Format("sitemap index", "sitemap", frozenset({"loc"}))

FORMATS = {
    "rss": RSS,
    "rdf": RSS,
    "channel": RSS,
    "feed": ATOM,
    "urlset": SITEMAP,
    "sitemapindex": SITEMAP_INDEX,
}
"""By the root's name, without its prefix."""


@dataclass(slots=True)
class Item:
    """One item, or the head of the feed: texts by element, and the attributes of some."""

    texts: dict[str, str] = field(default_factory=dict)
    elements: list[tuple[str, dict[str, str]]] = field(default_factory=list)

    def text(self, *names: str) -> str:
        """The first text there is."""
        return next((self.texts[name] for name in names if name in self.texts), "")

    def attributes(self, name: str) -> Iterator[dict[str, str]]:
        """The attributes of each element of that name."""
        return (found for element, found in self.elements if element == name)


class MarkupFeed:
    """A feed as it is read: `format` and `head` are known as far as `items` has come."""

    def __init__(self) -> None:
        self.format: Format | None = None
        self.head = Item()
        self._item: Item | None = None
        self._field = ""
        self._pieces: list[str] = []
        self._length = 0
        self._passing_over = ""
        self._names: dict[str, str] = {}
        self._prefixes: dict[str, str] = {}

    def items(self, tokens: Iterable[Token]) -> Iterator[Item]:
        """The items, one after the other."""
        for token in tokens:
            if token.kind is Kind.TEXT or token.kind is Kind.CDATA:
                if self._field:
                    self._take(token)
            elif self.format is None:
                self._root(token)
            elif (item := self._tag(self.format, token)) is not None:
                yield item
        if self._item is not None:
            yield self._item

    def _take(self, token: Token) -> None:
        piece = token.value[: MAX_FIELD - self._length]
        self._length += len(piece)
        self._pieces.append(unescape(piece) if token.kind is Kind.TEXT else piece)

    def _root(self, token: Token) -> None:
        prefix, _, name = token.value.rpartition(":")
        self.format = FORMATS.get(name) if token.kind is Kind.START else None
        if self.format is not None:
            found = attributes(token)
            self.head.elements.append(("root", found))
            for key, uri in found.items():
                if key.startswith("xmlns:") and (known := uri.lower().rstrip("/")) in NAMESPACES:
                    self._prefixes[key[6:]] = NAMESPACES[known]
            self._prefixes[prefix] = ""

    def _tag(self, format: Format, token: Token) -> Item | None:
        """Take a tag in; the item that it ends."""
        name = self._name(token.value)
        if name == format.item:
            return self._item_tag(format, token)
        if token.kind is Kind.END:
            self._end(name)
        elif not self._passing_over:
            self._start(format, name, token)
        return None

    def _item_tag(self, format: Format, token: Token) -> Item | None:
        """An item ends where it says so, or where the next begins."""
        self._keep()
        self._passing_over = ""
        ended, self._item = self._item, None
        if token.kind is Kind.START:
            self._item = Item()
            self._note(format, format.item, token)
        return ended

    def _start(self, format: Format, name: str, token: Token) -> None:
        if name in format.passed_over:
            self._keep()
            self._passing_over = name
            return
        if name in format.texts or name in format.elements:
            self._keep()
            self._note(format, name, token)
        if name in format.texts:
            self._field = name

    def _end(self, name: str) -> None:
        if self._passing_over:
            if name == self._passing_over:
                self._passing_over = ""
        elif name == self._field:
            self._keep()

    def _keep(self) -> None:
        """End the field: the first text of a name that isn't blank counts."""
        if self._field:
            text = "".join(self._pieces).strip()
            if text:
                self._current.texts.setdefault(self._field, text)
            self._field = ""
            self._pieces.clear()
            self._length = 0

    def _note(self, format: Format, name: str, token: Token) -> None:
        elements = self._current.elements
        if token.attributes and name in format.elements and len(elements) < MAX_ELEMENTS:
            elements.append((name, attributes(token)))

    @property
    def _current(self) -> Item:
        return self.head if self._item is None else self._item

    def _name(self, raw: str) -> str:
        """The name by which an element is called here."""
        name = self._names.get(raw)
        if name is None:
            prefix, _, local = raw.rpartition(":")
            prefix = self._prefixes.get(prefix, prefix)
            name = f"{prefix}:{local}" if prefix else local
            if len(self._names) < MAX_NAMES:
                self._names[raw] = name
        return name
