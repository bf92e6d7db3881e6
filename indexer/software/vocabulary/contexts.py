"""The contexts of CodeMeta 2.0 and 3.0: which IRI and which type each term stands for."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType

PREFIXES = MappingProxyType(
    {"schema": "http://schema.org/", "codemeta": "https://codemeta.github.io/terms/"}
)
"""The prefixes of both contexts."""

URLS = MappingProxyType(
    {
        "2.0": "https://doi.org/10.5063/schema/codemeta-2.0",
        "3.0": "https://w3id.org/codemeta/3.0",
    }
)
"""The `@context` of documents that we write, by version."""


@dataclass(frozen=True, slots=True)
class Term:
    """A term of a context: its prefixed name, such as `schema:name`, and the type of its values.

    `is_iri`: its values are IRIs; another text is written as a literal under the prefixed name.
    `is_list`: the order of its values counts. `type`: the prefixed type of its literals, or "".
    """

    name: str
    is_iri: bool = False
    is_list: bool = False
    type: str = ""


@cache
def terms(version: str) -> Mapping[str, Term]:
    """Return the terms of CodeMeta "2.0" or "3.0" by their short names."""
    document = json.loads(data_file(f"codemeta-{version}.jsonld"))
    return MappingProxyType(
        {
            short: _term(definition)
            for short, definition in document["@context"].items()
            if isinstance(definition, dict)
        }
    )


@cache
def short_names(version: str) -> Mapping[str, str]:
    """Return the short name of each prefixed name of a version."""
    return MappingProxyType({term.name: short for short, term in terms(version).items()})


def iri_of(name: str) -> str:
    """Return the IRI of a prefixed name such as `schema:name`; another text stays as it is."""
    prefix, colon, rest = name.partition(":")
    return PREFIXES[prefix] + rest if colon and prefix in PREFIXES else name


def data_file(name: str) -> str:
    """Return the text of a published file of CodeMeta, without a byte order mark."""
    return (files(__package__) / "data" / name).read_text("utf-8-sig")


def _term(definition: Mapping[str, str]) -> Term:
    kind = definition.get("@type", "")
    return Term(
        definition["@id"],
        is_iri=kind == "@id",
        is_list=definition.get("@container") == "@list",
        type="" if kind == "@id" else kind,
    )
