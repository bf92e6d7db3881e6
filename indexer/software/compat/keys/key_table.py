"""Tables of keys: which term the values of a key belong to, and how they are read."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from indexer.errors import UnreadableManifest
from indexer.software.codemeta import CROSSWALK_TABLE
from indexer.software.compat.jsonld.compaction import compact
from indexer.software.compat.jsonld.node import Document, Node, Value, add
from indexer.software.compat.keys.values import Values
from indexer.software.syntax.tree import Tree
from indexer.software.vocabulary.contexts import iri_of as full

Reader: TypeAlias = Callable[[Tree], Values]
"""Reads the value of a key, of any shape. It never raises."""

WholeTable: TypeAlias = Callable[[dict[str, Tree]], Iterable[tuple[str, Value]]]
"""Reads several keys together: pairs of a prefixed term and a value."""


@dataclass(frozen=True, slots=True)
class KeyTable:
    """A mapping of keys, as data.

    `read`: bytes to a tree; it raises UnreadableManifest. `column`: of the crosswalk 2.x; `terms`:
    keys of our own, or other terms for keys of the column. `readers`: how the value of each key is
    read; a key without a reader is ignored. `whole`: reads several keys together, and yields
    `whole_terms`. `type`: of the software. `id_key`: the key of its IRI. `prefixes`: of the
    document.
    """

    read: Callable[[bytes], Tree]
    readers: Mapping[str, Reader]
    column: str = ""
    terms: Mapping[str, str] = field(default_factory=dict)
    whole: WholeTable | None = None
    whole_terms: tuple[str, ...] = ()
    type: str = "schema:SoftwareSourceCode"
    id_key: str = ""
    prefixes: dict[str, str] | None = None

    def translate(self, content: bytes) -> Document:
        """Return the document of a file. Raises UnreadableManifest."""
        tree = self.read(content)
        if not isinstance(tree, dict):
            raise UnreadableManifest("no object at the top")
        return compact([self.node(tree)], self.prefixes)

    def node(self, tree: dict[str, Tree]) -> Node:
        """Return the software as expanded JSON-LD."""
        node: Node = {**self._identity(tree), "@type": [full(self.type)]}
        for key, value in tree.items():
            if (reader := self.readers.get(key)) and (term := self.term(key)):
                add_values(node, term, reader(value))
        for name, each in self.whole(tree) if self.whole else ():
            add_values(node, full(name), [each])
        return node

    def term(self, key: str) -> str:
        """Return the IRI of the term of a key, or ""."""
        if key in self.terms:
            return full(self.terms[key])
        return CROSSWALK_TABLE[self.column].get(key, "") if self.column else ""

    def yields(self) -> frozenset[str]:
        """Return the IRI of each term that a document may have."""
        found = {self.term(key) for key in self.readers} | {full(each) for each in self.whole_terms}
        return frozenset(found - {""})

    def _identity(self, tree: dict[str, Tree]) -> Node:
        if not self.id_key:
            return {}
        found = tree.get(self.id_key)
        if not isinstance(found, str) or not found or " " in found:
            raise UnreadableManifest(f"no {self.id_key}, which identifies the software")
        return {"@id": found}


def add_values(node: Node, iri: str, values: Values) -> None:
    """Add values to a property: a list replaces an earlier list, and links have no blank."""
    for value in values:
        if "@list" in value:
            node[iri] = [value]
        else:
            add(node, iri, value)
