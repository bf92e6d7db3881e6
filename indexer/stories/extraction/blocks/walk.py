"""One walk over the tree of a page: its blocks, its containers, and the ranges to leave out.

A block is the text between two block elements, or between two line breaks in a row.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import msgspec
from lxml import etree

from indexer.stories.extraction.blocks.layout import BLOCKS, CELLS, collapsed
from indexer.stories.extraction.blocks.vocabulary import LONGEST_NAME, MEMORY, hint, is_noise

PARAGRAPH, QUOTE, LIST, HEADING, CELL, OTHER = (
    "paragraph", "quote", "list", "heading", "cell", "other",
)  # fmt: skip

LEAST_GOOD = {PARAGRAPH: 25, QUOTE: 25, LIST: 80, CELL: 80, OTHER: 80}
"""The least weight of good text, by the kind of its block. Headings are neither good nor junk."""

MOST_LINKS = 0.5
"""The most links in good text, as a share of its weight."""

_UNSEEN = frozenset(
    ("script", "style", "noscript", "template", "svg", "math", "iframe", "object", "canvas",
     "audio", "video", "select", "button", "textarea", "title", "map")
)  # fmt: skip
_METADATA = frozenset(("title", "meta", "link", "base", "style", "script", "noscript", "template"))
_ENDS_LINE = BLOCKS | {*CELLS, "body", "html", "tbody", "thead", "tfoot", "main", "noframes"}
_SAYING = frozenset(("itemprop", "role", "hidden", "aria-hidden", "style"))
_KINDS = {
    "p": PARAGRAPH, "pre": PARAGRAPH, "blockquote": QUOTE, "li": LIST, "dd": LIST, "td": CELL,
    "th": CELL, "h1": HEADING, "h2": HEADING, "h3": HEADING, "h4": HEADING, "h5": HEADING,
    "h6": HEADING, "dt": HEADING,
}  # fmt: skip
_LEFT_OUT = frozenset(("nav", "aside", "footer", "form", "figure"))
# Names of these elements list the topics of a story, or the features of its site.
_NEVER_NOISE = frozenset(("html", "body", "article", "main"))


class Block(msgspec.Struct, frozen=True, gc=False):
    """A text, its weight in UTF-8 bytes, that of its links, and its kind.

    `cell` is the number of the table cell that the text is in, `row` that of the row; or 0.
    `is_good`: it is text of a story, or of another one, by its length and its links.
    """

    text: str
    weight: int
    links: int
    kind: str
    tag: str
    row: int
    cell: int
    is_good: bool


class Container(msgspec.Struct, frozen=True, gc=False):
    """An element with good text: its blocks are those from `first` to before `end`.

    `hint`: see the vocabulary.
    """

    first: int
    end: int
    hint: int
    depth: int
    tag: str
    name: str

    @property
    def likeness(self) -> tuple[int, str, str]:
        """What the parts of a story have in common, between which other things stand."""
        return self.depth, self.tag, self.name


class LeftOut(msgspec.Struct, frozen=True, gc=False):
    """Blocks that are not part of a story, because of a tag, a name, or because they are hidden."""

    first: int
    end: int
    reason: str


@dataclass(slots=True)
class Page:
    """The page as a list of blocks."""

    blocks: list[Block] = field(default_factory=list)
    containers: list[Container] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)


class _Open(msgspec.Struct, frozen=True, gc=False):
    """An element whose end was not reached: its values as a container, and those of its blocks."""

    first: int
    good: int
    hint: int
    reason: str
    name: str
    kind: str
    kind_tag: str
    row: int
    cell: int
    is_verbatim: bool
    in_article: bool


_OUTERMOST = _Open(0, 0, 0, "", "", OTHER, "", 0, 0, is_verbatim=False, in_article=False)


def walk(tree: Any) -> Page:
    """The blocks, containers and ranges of a page. Does not change `tree`."""
    return _Walk().of(tree)


class _Walk:
    def __init__(self) -> None:
        self.page = Page()
        # The texts of the block so far, and those of them that are links.
        self._parts: list[str] = []
        self._links: list[str] = []
        self._in_link = self._breaks = self._number = self._good = 0
        self._open = [_OUTERMOST]

    def of(self, tree: Any) -> Page:
        walker = etree.iterwalk(tree, events=("start", "end", "comment"))
        for event, element in walker:
            tag = element.tag
            if event == "start":
                if tag in _ENDS_LINE:
                    self._begin(element, tag)
                elif tag in _UNSEEN or (tag == "head" and _is_metadata(element)):
                    walker.skip_subtree()
                    continue
                elif tag == "br":
                    self._break()
                elif tag == "a":
                    self._in_link += 1
                text = element.text
            else:
                if tag in _ENDS_LINE:
                    self._end(tag)
                elif tag == "a":
                    self._in_link -= 1
                text = element.tail
            # A block does not begin with white space: most texts between blocks are only that.
            if text and (self._parts or not text.isspace()):
                self._add(text)
        self._flush()
        return self.page

    def _add(self, text: str) -> None:
        self._parts.append(text)
        if self._breaks and not text.isspace():
            self._breaks = 0
        if self._in_link:
            self._links.append(text)

    def _break(self) -> None:
        self._breaks += 1
        if not self._parts:
            return
        if self._breaks == 2:
            self._flush()
        else:
            self._parts.append("\n" if self._open[-1].is_verbatim else _LINE)

    def _begin(self, element: Any, tag: str) -> None:
        if self._parts:
            self._flush()
        outer = self._open[-1]
        attributes = dict(element.items())
        name = attributes.get("class", "")[:LONGEST_NAME]
        rank, reason = _said(tag, name, attributes.get("id", "")[:LONGEST_NAME])
        if not _SAYING.isdisjoint(attributes):
            rank = _rank(attributes, rank)
            reason = _hidden(attributes) or reason
        if tag == "article" and outer.in_article:
            reason = "article in an article"
        row, cell = outer.row, outer.cell
        if tag == "tr" or tag in CELLS:
            self._number += 1
            row, cell = (self._number, cell) if tag == "tr" else (row, self._number)
        kind = _KINDS.get(tag)
        self._open.append(
            _Open(
                len(self.page.blocks),
                self._good,
                rank,
                reason,
                name,
                kind or outer.kind,
                tag if kind else outer.kind_tag,
                row,
                cell,
                outer.is_verbatim or tag == "pre",
                outer.in_article or tag == "article",
            )
        )

    def _end(self, tag: str) -> None:
        if self._parts:
            self._flush()
        opened = self._open.pop()
        end = len(self.page.blocks)
        if opened.reason and end > opened.first:
            self.page.left_out.append(LeftOut(opened.first, end, opened.reason))
        # Other containers can't be the story: menus have hundreds of them.
        if self._good > opened.good:
            self.page.containers.append(
                Container(opened.first, end, opened.hint, len(self._open), tag, opened.name)
            )

    def _flush(self) -> None:
        self._breaks = 0
        inner = self._open[-1]
        text = _text("".join(self._parts), verbatim=inner.is_verbatim)
        weight, linked, kind = _weight(text), 0, inner.kind
        if self._links:
            # The blocks of menus are links, and nothing else.
            is_all = self._links == self._parts and not inner.is_verbatim
            linked = weight if is_all else _weight(collapsed("".join(self._links).strip()))
            self._links.clear()
        self._parts.clear()
        if text:
            is_good = weight >= LEAST_GOOD.get(kind, weight + 1) and linked <= MOST_LINKS * weight
            self._good += is_good
            cell = inner.cell if inner.row else 0
            self.page.blocks.append(
                Block(text, weight, linked, kind, inner.kind_tag, inner.row, cell, is_good)
            )


# A line break within a block: a character that white space of the markup can't be.
_LINE = "\x0b"


def _text(text: str, *, verbatim: bool) -> str:
    text = text.strip()
    if verbatim:
        return text
    line = collapsed(text)
    if _LINE in line:
        return "\n".join(part.strip() for part in line.split(_LINE))
    return line


def _weight(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))


@lru_cache(MEMORY)
def _said(tag: str, class_: str, id: str) -> tuple[int, str]:
    """The hint of an element, and the reason to leave it out, by its tag and its names."""
    rank = hint(class_, id)
    if rank < 2:
        rank = 2 if tag == "article" else 1 if tag == "main" else 0
    if tag in _LEFT_OUT:
        return rank, tag
    if tag not in _NEVER_NOISE and is_noise(class_, id):
        return rank, f"named {class_ or id}"[:60]
    return rank, ""


def _rank(attributes: Mapping[str, str], rank: int) -> int:
    """The hint of an element whose tag and names have the hint `rank`."""
    if "articlebody" in attributes.get("itemprop", "").lower():
        return 4
    return rank or int(attributes.get("role") in ("main", "article"))


def _is_metadata(head: Any) -> bool:
    """Whether a head is one: without </head> and <body>, libxml2 puts an <article> into it."""
    return all(child.tag in _METADATA for child in head)


def _hidden(attributes: Mapping[str, str]) -> str:
    """The reason to leave out an element that no reader sees."""
    if "hidden" in attributes or attributes.get("aria-hidden") == "true":
        return "hidden"
    style = attributes.get("style", "")
    return "hidden" if style and "display:none" in style.replace(" ", "").lower() else ""
