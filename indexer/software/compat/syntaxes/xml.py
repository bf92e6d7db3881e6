"""XML, as the existing system reads it: as a tree of dictionaries, or as elements."""

from collections.abc import Callable
from typing import NamedTuple
from xml.parsers import expat

from indexer.errors import UnreadableManifest
from indexer.software.syntax.tree import Tree

MOST_LEVELS = 200
"""The deepest nesting of elements that is read."""


class Element(NamedTuple):
    """An element: the IRI of its namespace or "", its local name, its text, and its children."""

    namespace: str
    name: str
    attributes: dict[str, str]
    texts: list[str]
    children: "list[Element]"

    @property
    def text(self) -> str:
        """The text of the element itself, without blanks around it."""
        return "".join(self.texts).strip()


def read_element(content: bytes, *, namespaces: bool = True) -> Element:
    """Return the root of a document; without `namespaces`, names keep their prefixes.

    A document that defines entities is refused, also where the existing system would read it.
    """
    parser = expat.ParserCreate(namespace_separator=" " if namespaces else None)
    builder = _Builder()
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.text
    parser.EntityDeclHandler = _refuse_entities
    _parse(lambda: parser.Parse(content, True))
    return builder.roots[0]


def read_xml(content: bytes) -> Tree:
    """Return a document as a tree: attributes have `@` before their names, texts are `#text`."""
    root = read_element(content, namespaces=False)
    return {root.name: _tree(root)}


def _parse(parse: Callable[[], object]) -> None:
    try:
        parse()
    except (expat.ExpatError, ValueError, LookupError) as error:
        raise UnreadableManifest(f"not XML: {error}") from error


class _Builder:
    """Builds elements from the events of a parser."""

    def __init__(self) -> None:
        self.roots: list[Element] = []
        self._open: list[Element] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Open an element. Raises UnreadableManifest."""
        namespace, _, local = name.rpartition(" ")
        element = Element(namespace, local, attributes, [], [])
        (self._open[-1].children if self._open else self.roots).append(element)
        self._open.append(element)
        if len(self._open) > MOST_LEVELS:
            raise UnreadableManifest(f"more than {MOST_LEVELS} levels of elements")

    def end(self, _: str) -> None:
        """Close the element that was opened last."""
        self._open.pop()

    def text(self, text: str) -> None:
        """Add text to the element that is open."""
        self._open[-1].texts.append(text)


def _refuse_entities(*_: object) -> None:
    raise UnreadableManifest("it defines entities")


def _tree(element: Element) -> Tree:
    if not element.attributes and not element.children:
        return element.text or None
    tree: dict[str, Tree] = {f"@{name}": value for name, value in element.attributes.items()}
    for child in element.children:
        value = _tree(child)
        if child.name not in tree:
            tree[child.name] = value
        elif isinstance(known := tree[child.name], list):
            known.append(value)
        else:
            tree[child.name] = [known, value]
    if element.text:
        tree["#text"] = element.text
    return tree
