"""An item, or the head of a feed, while its markup is read: only its direct children are fields.

A nested element describes another thing: the author's page in Atom's `author`, the feed that a
story came from in `source`, a picture in `media:group`. Its fields are dropped when it ends. Many
feeds also have elements without an end, such as `<img>`: the fields behind them are those of the
item, so they are kept aside until the item ends.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

MAX_ELEMENTS = 50
"""The most elements with attributes, repeated fields, and nested fields of an item."""

MAX_DEPTH = 100
"""The most elements that are open at once: the content of hostile items is nested deeper."""

REPEATED = "link"
"""The field of which all texts are kept, not only the first."""


@dataclass(slots=True)
class MarkupItem:
    """An item, or the head of the feed: texts by element, and the attributes of some elements.

    `language` is that of the feed, by its `xml:lang`. `whole`: the end of the item was found;
    otherwise its last text may be cut.
    """

    texts: dict[str, str] = field(default_factory=dict)
    elements: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    more: list[str] = field(default_factory=list)
    language: str = ""
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

    def add(self, name: str, found: str | dict[str, str]) -> None:
        """Add a text or attributes. Of several texts of a name the first that is not blank counts.

        Of REPEATED, the others are kept in `more`.
        """
        if isinstance(found, dict):
            if len(self.elements) < MAX_ELEMENTS:
                self.elements.append((name, found))
        elif not self.texts.get(name, "").strip():
            self.texts[name] = found
        elif name == REPEATED and len(self.more) < MAX_ELEMENTS:
            self.more.append(found)


class _Nested(NamedTuple):
    depth: int
    name: str
    found: str | dict[str, str]


class OpenItem:
    """An item whose end was not read. `depth` is the number of elements in it that are open."""

    __slots__ = ("_nested", "_open", "item")

    def __init__(self, language: str = "") -> None:
        self.item = MarkupItem(language=language)
        self._open: list[str] = []
        self._nested: list[_Nested] = []

    @property
    def depth(self) -> int:
        return len(self._open)

    def start(self, name: str) -> None:
        """Begin an element that does not close itself."""
        if len(self._open) < MAX_DEPTH:
            self._open.append(name)

    def level(self, name: str) -> int:
        """The depth of the innermost open element with a name; -1 for none."""
        opened, last = self._open, len(self._open) - 1
        # Nearly all elements end in the right order.
        if last >= 0 and opened[last] == name:
            return last
        return last - opened[::-1].index(name) if name in opened else -1

    def end(self, level: int) -> None:
        """End the element at a depth, and all in it: fields in it are not those of the item."""
        del self._open[level:]
        nested = self._nested
        while nested and nested[-1].depth > level:
            nested.pop()

    def add(self, depth: int, name: str, found: str | dict[str, str]) -> None:
        """Add a field that began at a depth: 0 for a direct child."""
        if depth == 0:
            self.item.add(name, found)
        elif len(self._nested) < MAX_ELEMENTS:
            self._nested.append(_Nested(depth, name, found))

    def settle(self) -> None:
        """Take the fields in elements without an end for fields of the item."""
        for _, name, found in self._nested:
            self.item.add(name, found)
        self._nested.clear()
