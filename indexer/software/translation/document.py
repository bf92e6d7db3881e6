"""Documents: properties → one CodeMeta document of a version, canonical and deterministic."""

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache

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
    for term, value, _, _ in properties:
        name, name_of_literals = _names(term, version)
        if isinstance(value, dict) and "@value" in value and len(value) == 1:
            values.setdefault(name_of_literals, []).append(value["@value"])
        else:
            values.setdefault(name, []).append(value)
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


@lru_cache(maxsize=1000)
def _names(term: str, version: str) -> tuple[str, str]:
    """The name of a term in a version, and the name under which its literals are written."""
    known = contexts.terms(version)
    name = RENAMED[version].get(term, term)
    if name not in known:
        newest = contexts.terms(NEWEST).get(term)
        name = newest.name if newest else term
    definition = known.get(name)
    is_typed = definition is not None and (definition.is_iri or definition.type)
    return name, definition.name if definition is not None and is_typed else name


def _one_or_all(name: str, values: list[Tree], version: str) -> Tree:
    if len(values) > 1:
        values = _distinct(values)
    definition = contexts.terms(version).get(name)
    if len(values) == 1 and not (definition and definition.is_list):
        return values[0]
    return values


def _distinct(values: list[Tree]) -> list[Tree]:
    # Comparing each object with all others would take long for thousands of requirements.
    forms: dict[str | bytes, Tree] = {}
    for value in values:
        form = value if isinstance(value, str) else msgspec.json.encode(value, order="sorted")
        forms.setdefault(form, value)
    return [*forms.values()]


@cache
def _order(version: str) -> Mapping[str, int]:
    return {
        **{"@id": -3, "id": -2, "type": -1},
        **{name: number for number, name in enumerate(contexts.terms(version))},
    }
