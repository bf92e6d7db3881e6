"""Deposits by SWORD: Atom entries with elements of CodeMeta, in XML, or as JSON (spec 6.11)."""

import re
from collections.abc import Iterator, Mapping

from indexer.errors import UnreadableManifest
from indexer.software.compat.jsonld.compaction import CODEMETA_2, compact
from indexer.software.compat.jsonld.expansion import expand
from indexer.software.compat.jsonld.node import Document
from indexer.software.compat.syntaxes.texts import read_json
from indexer.software.compat.syntaxes.xml import Element, read_element
from indexer.software.syntax.tree import Tree

_ATOM = "http://www.w3.org/2005/Atom"
_ATOM_TERMS = {"title": "name", "name": "name", "author": "author", "email": "email"}
_DATES = ("dateCreated", "dateModified", "datePublished")
_DATE = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")


def translate_entry(content: bytes) -> Document:
    """Return the document of an entry in XML. Raises UnreadableManifest."""
    return _document(read_element(content))


def translate_json_entry(content: bytes) -> Document:
    """Return the document of an entry that was turned into JSON. Raises UnreadableManifest."""
    tree = read_json(content)
    if not isinstance(tree, dict):
        raise UnreadableManifest("no object at the top")
    default = tree.get("@xmlns", _ATOM)
    if default != _ATOM and not isinstance(default, list):
        raise UnreadableManifest("a default namespace other than Atom's")
    names = {key.removeprefix("@xmlns:"): value for key, value in tree.items() if "@xmlns:" in key}
    # A list of namespaces is none: keys without a prefix belong to no vocabulary.
    namespaces = {"": "" if isinstance(default, list) else _ATOM, "codemeta": CODEMETA_2, **names}
    return _document(_element("", "entry", tree, namespaces))


def _element(namespace: str, name: str, value: Tree, namespaces: Mapping[str, Tree]) -> Element:
    """The element that a value of JSON was made of."""
    children: list[Element] = []
    text = value.get("#text") if isinstance(value, dict) else value
    for key, inner in value.items() if isinstance(value, dict) else ():
        prefix, _, local = key.rpartition(":")
        if key.startswith(("@", "#")):
            continue
        if prefix not in namespaces:
            raise UnreadableManifest(f"an unknown prefix: {prefix[:200]}")
        for each in inner if isinstance(inner, list) else [inner]:
            children.append(_element(str(namespaces[prefix]), local, each, namespaces))
    return Element(namespace, name, {}, [_printed(text)], children)


def _printed(value: Tree) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, str | int | float) else ""


def _document(root: Element) -> Document:
    return compact(expand({"@context": CODEMETA_2, **_fields(root)}))


def _fields(element: Element) -> dict[str, Tree]:
    fields: dict[str, Tree] = {}
    for name, child in _named(element):
        value: Tree = _text(name, child.text) or _fields(child)
        known = fields.setdefault(name, [])
        if isinstance(known, list):
            known.append(value)
    for keyword, is_one in (("id", True), ("type", False)):
        if keyword in fields:
            _keep_texts(fields, keyword, is_one=is_one)
    return fields


def _keep_texts(fields: dict[str, Tree], keyword: str, *, is_one: bool) -> None:
    """Keep the texts of a keyword, or the first one: JSON-LD has no objects there."""
    found = fields.pop(keyword)
    texts: list[Tree] = [each for each in found if isinstance(each, str)]  # type: ignore[union-attr]
    if texts:
        fields[keyword] = texts[0] if is_one else texts


def _named(element: Element) -> Iterator[tuple[str, Element]]:
    """Each child with the key that it has in JSON-LD; other elements of Atom are ignored."""
    for child in element.children:
        if child.namespace == _ATOM:
            if child.name in _ATOM_TERMS:
                yield _ATOM_TERMS[child.name], child
        elif child.namespace.casefold() == CODEMETA_2:
            yield child.name, child
        elif child.namespace:
            yield child.namespace + child.name, child


def _text(name: str, text: str) -> str:
    """A text; a date gets the zeros that it lacks, if there is such a month and day."""
    if name not in _DATES or not (found := _DATE.fullmatch(text)):
        return text
    return f"{found[1]}-{int(found[2]):02}-{int(found[3]):02}"
