"""Compaction: nodes → a document whose keys are terms of a context (JSON-LD 1.1, 5.2)."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from indexer.software.compat.jsonld.context import Context, TermDefinition, context_of
from indexer.software.compat.jsonld.node import Document, Node, Value
from indexer.software.vocabulary.contexts import URLS

CODEMETA_2 = URLS["2.0"]

FORGE_PREFIXES = {
    "as": "https://www.w3.org/ns/activitystreams#",
    "forge": "https://forgefed.org/ns#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
"""The second element of the `@context` of documents about repositories of forges (spec 5.2)."""

_ALIASES = {"@id": "id", "@type": "type"}


def compact(nodes: Sequence[Node], prefixes: dict[str, str] | None = None) -> Document:
    """Return the document of some nodes in CodeMeta 2.0, with some prefixes more."""
    terms = _terms(tuple((prefixes or {}).items()))
    head = {"@context": [CODEMETA_2, prefixes] if prefixes else CODEMETA_2}
    written = [terms.node(node) for node in nodes]
    if len(written) == 1:
        return {**head, **written[0]}
    return {**head, "@graph": written} if written else head


@lru_cache(8)
def _terms(prefixes: tuple[tuple[str, str], ...]) -> "_Terms":
    return _Terms(context_of([CODEMETA_2, dict(prefixes)]))


class _Terms:
    """The terms of a context by the IRIs that they stand for."""

    def __init__(self, context: Context) -> None:
        self._by_iri: dict[str, list[tuple[str, TermDefinition]]] = {}
        self._prefixes: list[tuple[str, str]] = []
        for name, definition in context.terms.items():
            if definition and definition.is_prefix:
                self._prefixes.append((name, definition.iri))
            elif definition:
                self._by_iri.setdefault(definition.iri, []).append((name, definition))

    def node(self, node: Node) -> dict[str, Any]:
        """The compact form of a node."""
        result: dict[str, Any] = {}
        for key, value in node.items():
            match key:
                case "@id":
                    result["id"] = self.iri(value)
                case "@type" if value:
                    result["type"] = _one_or_all([self._name(each, "") for each in value])
                case "@language" | "@index" | "@value":
                    result[key] = value
                case "@graph" | "@included":
                    result[key] = _graph(key, [self.node(each) for each in value])
                case "@list":
                    result[key] = [self._value(each, "") for each in value]
                case _ if not key.startswith("@"):
                    self._add_property(result, key, value)
        return result

    def iri(self, iri: str) -> str:
        """The form of an IRI with a prefix, if there is one."""
        for prefix, start in self._prefixes:
            if iri.startswith(start) and iri != start:
                return f"{prefix}:{iri[len(start) :]}"
        return iri

    def _add_property(self, result: dict[str, Any], iri: str, values: list[Value]) -> None:
        if not values:
            result.setdefault(self._name(iri, "@id"), [])
        for value in values:
            if "@list" in value and (name := self._list_name(iri)):
                result[name] = [self._item(each) for each in value["@list"]]
                continue
            kind = _kind(value)
            name = self._name(iri, kind)
            written = self._value(value, self._type_of(name, iri))
            result[name] = _joined(result[name], written) if name in result else written

    def _name(self, iri: str, kind: str) -> str:
        """The term for values of a kind; without one, the IRI with its prefix."""
        found = self._by_iri.get(iri, ())
        for wanted in dict.fromkeys((kind, "")):
            for name, definition in found:
                if definition.type == wanted and not definition.is_list:
                    return name
        return self.iri(iri)

    def _list_name(self, iri: str) -> str:
        return next((name for name, each in self._by_iri.get(iri, ()) if each.is_list), "")

    def _type_of(self, name: str, iri: str) -> str:
        return next((each.type for known, each in self._by_iri.get(iri, ()) if known == name), "")

    def _item(self, value: Value) -> Any:
        """The compact form of an item of a list; a list in it is a list of JSON."""
        if value.keys() == {"@list"}:
            return [self._item(each) for each in value["@list"]]
        return self._value(value, "")

    def _value(self, value: Value, kind: str) -> Any:
        """The compact form of a value under a term whose values are of a kind."""
        if value.keys() == {"@list"}:
            return {"@list": [self._value(each, kind) for each in value["@list"]]}
        if "@value" not in value:
            is_link = kind == "@id" and value.keys() == {"@id"}
            return self.iri(value["@id"]) if is_link else self.node(value)
        if value.keys() == {"@value"} or (
            value.keys() == {"@value", "@type"} and kind == _kind(value)
        ):
            return value["@value"]
        written = {key: each for key, each in value.items() if key != "@type"}
        return {"type": self._name(value["@type"], ""), **written} if "@type" in value else written


def _kind(value: Value) -> str:
    """The type that a term must have to hold a value as it is."""
    if "@value" in value:
        return str(value.get("@type", ""))
    return _kind(value["@list"][0]) if value.get("@list") else "@id"


def _joined(known: Any, value: Any) -> list[Any]:
    return [*(known if isinstance(known, list) else [known]), value]


def _one_or_all(values: list[Any]) -> Any:
    return values[0] if len(values) == 1 else values


def _graph(key: str, nodes: list[Any]) -> Any:
    return nodes if key == "@graph" else _one_or_all(nodes)
