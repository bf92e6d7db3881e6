"""Nodes of expanded JSON-LD: IRIs of properties, each with its list of values."""

from typing import Any, TypeAlias

Value: TypeAlias = dict[str, Any]
"""A value of a property: `{"@value": …}`, `{"@list": […]}`, or a node."""

Node: TypeAlias = dict[str, Any]
"""An object: `@id`, `@type` (a list), and for each IRI of a property the list of its values."""

Document: TypeAlias = dict[str, Any]
"""A compact document of JSON-LD, with its `@context`."""


def add(node: Node, iri: str, value: Value) -> None:
    """Add a value to a property, unless the property has the same value."""
    known = node.setdefault(iri, [])
    if value not in known:
        known.append(value)
