"""Merging of documents, as the existing system does it: nothing has precedence (spec 7)."""

from collections.abc import Iterable

from indexer.errors import UnreadableManifest
from indexer.software.compat.jsonld.compaction import compact
from indexer.software.compat.jsonld.expansion import expand
from indexer.software.compat.jsonld.node import Document, Node, Value, add
from indexer.software.vocabulary.contexts import iri_of

_SAME_AS = iri_of("schema:sameAs")


def merge(documents: Iterable[Document]) -> Document:
    """Return one document with the distinct values of all, compacted to CodeMeta 2.0.

    The first `id` is kept, later ones are texts of `schema:sameAs`. Lists are put together. A
    document of an unknown context is left out; so are properties that the context doesn't know.
    """
    merged: Node = {}
    for document in documents:
        for node in _nodes(document):
            _add(merged, node)
    return compact([merged])


def _nodes(document: Document) -> list[Node]:
    try:
        return expand(document)
    except UnreadableManifest:
        return []


def _add(merged: Node, node: Node) -> None:
    for key, values in node.items():
        match key:
            case "@id" if merged.setdefault("@id", values) != values:
                add(merged, _SAME_AS, {"@value": values})
            case "@type":
                known = merged.setdefault("@type", [])
                known += [each for each in dict.fromkeys(values) if each not in known]
            case _ if key == "@graph" or not key.startswith("@"):
                for value in values:
                    _add_value(merged, key, value)


def _add_value(merged: Node, iri: str, value: Value) -> None:
    known = next((each for each in merged.get(iri, ()) if "@list" in each), None)
    if "@list" not in value:
        add(merged, iri, value)
        return
    if known is None:
        known = {"@list": []}
        merged.setdefault(iri, []).append(known)
    for each in value["@list"]:
        if each not in known["@list"]:
            known["@list"].append(each)
