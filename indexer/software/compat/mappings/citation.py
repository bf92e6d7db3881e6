"""CITATION.cff, and codemeta.json itself."""

from collections.abc import Iterable

from indexer.errors import UnreadableManifest
from indexer.software.compat.jsonld.compaction import compact
from indexer.software.compat.jsonld.expansion import expand
from indexer.software.compat.jsonld.node import Document, Value, add
from indexer.software.compat.keys.key_table import KeyTable
from indexer.software.compat.keys.values import (
    Values,
    dates,
    licence,
    link,
    links,
    ordered,
    person,
    texts,
)
from indexer.software.compat.syntaxes.texts import read_json, read_yaml
from indexer.software.syntax.tree import Tree
from indexer.software.vocabulary.contexts import iri_of

_DOI = "https://doi.org/"


def _cited(content: bytes) -> Tree:
    """The preferred citation, if there is one; else the software (spec 6.6, before its Trap)."""
    tree = read_yaml(content)
    preferred = tree.get("preferred-citation") if isinstance(tree, dict) else None
    return preferred if isinstance(preferred, dict) else tree


def _identifier(value: Tree) -> Values:
    return link(f"{_DOI}{value.removeprefix(_DOI)}") if isinstance(value, str) else ()


def _authors(value: Tree) -> Values:
    if not isinstance(value, list | str):
        return ()
    # A text is a list of characters, each an author of whom nothing is known.
    people = [_author(each if isinstance(each, dict) else {}) for each in value if each is not None]
    return ordered(_united(people))


def _author(value: dict[str, Tree]) -> Value:
    node = person(familyName=value.get("family-names"), givenName=value.get("given-names"))
    affiliation, orcid = value.get("affiliation"), value.get("orcid")
    if isinstance(affiliation, str):
        name = {iri_of("schema:name"): list(texts(affiliation))}
        node[iri_of("schema:affiliation")] = [{"@type": [iri_of("schema:Organization")], **name}]
    if isinstance(orcid, str) and "://" in orcid:
        node["@id"] = orcid.strip()
    return node


def _united(people: Iterable[Value]) -> list[Value]:
    """The people, where the first of those with one ORCID has the values of all of them."""
    first: dict[str, Value] = {}
    result: list[Value] = []
    for each in people:
        known = first.setdefault(each["@id"], each) if "@id" in each else each
        result.append(each if known is each else {"@id": each["@id"]})
        for iri, values in each.items() if known is not each else ():
            for value in values if iri not in ("@id", "@type") else ():
                add(known, iri, value)
    return result


CFF = KeyTable(
    _cited,
    column="Citation File Format Core (CFF-Core) 1.0.2",
    readers={
        **dict.fromkeys(("title", "abstract", "version", "keywords"), texts),
        **dict.fromkeys(("url", "repository-code"), links),
        "date-released": dates,
        "doi": _identifier,
        "license": licence,
        "authors": _authors,
    },
)


def translate_codemeta(content: bytes) -> Document:
    """Return a document of any known context in CodeMeta 2.0. Raises UnreadableManifest."""
    tree = read_json(content)
    if tree is None or isinstance(tree, str):
        raise UnreadableManifest("no object at the top")
    return compact(expand(tree))
