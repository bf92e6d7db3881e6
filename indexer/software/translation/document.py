"""Documents: properties → one CodeMeta document of a version, canonical and deterministic."""

from collections.abc import Iterable, Mapping
from functools import cache

import msgspec

from indexer.software.rules.property import Property
from indexer.software.syntax.tree import Tree
from indexer.software.vocabulary import contexts

NEWEST = "3.0"

RENAMED = {
    "2.0": {"continuousIntegration": "contIntegration", "embargoEndDate": "embargoDate"},
    "3.0": {},
}
"""Terms of 3.0 that have another name in an older version (spec 12.3)."""


def document(
    properties: Iterable[Property], version: str = NEWEST, kind: str = "SoftwareSourceCode"
) -> dict[str, Tree]:
    """Return the CodeMeta document of some properties, its terms in the order of the context.

    Equal values of a term appear once, one value stands alone, several are a list; `author` is
    always a list. Without properties the document is empty.
    """
    values: dict[str, list[Tree]] = {}
    for each in properties:
        name, value = _written(each.term, each.value, version)
        known = values.setdefault(name, [])
        if value not in known:
            known.append(value)
    if not values:
        return {}
    order = _order(version)
    ordered = sorted(values, key=lambda name: (order.get(name, len(order)), name))
    return {
        "@context": contexts.URLS[version],
        **({} if "type" in values else {"type": kind}),
        **{name: _one_or_all(name, values[name], version) for name in ordered},
    }


def canonical(found: Mapping[str, Tree]) -> bytes:
    """Return a document as JSON: the same bytes for the same document."""
    return msgspec.json.encode(found)


def _written(term: str, value: Tree, version: str) -> tuple[str, Tree]:
    """The name under which a value of a term is written, and the value: literals get a prefix."""
    known = contexts.terms(version)
    name = RENAMED[version].get(term, term)
    if name not in known:
        newest = contexts.terms(NEWEST).get(term)
        name = newest.name if newest else term
    if isinstance(value, dict) and value.keys() == {"@value"}:
        definition = known.get(name)
        if definition is not None and (definition.is_iri or definition.type):
            return definition.name, value["@value"]
        return name, value["@value"]
    return name, value


def _one_or_all(name: str, values: list[Tree], version: str) -> Tree:
    definition = contexts.terms(version).get(name)
    if len(values) == 1 and not (definition and definition.is_list):
        return values[0]
    return values


@cache
def _order(version: str) -> Mapping[str, int]:
    return {
        **{"@id": -3, "id": -2, "type": -1},
        **{name: number for number, name in enumerate(contexts.terms(version))},
    }
