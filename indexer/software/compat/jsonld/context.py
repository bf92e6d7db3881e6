"""Contexts of JSON-LD: what a key of a document stands for."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

from indexer.errors import UnreadableManifest
from indexer.software.syntax.tree import Tree
from indexer.software.vocabulary.contexts import PREFIXES, URLS, data_file

KEYWORDS = frozenset(
    [
        "@id",
        "@type",
        "@value",
        "@list",
        "@set",
        "@graph",
        "@language",
        "@index",
        "@reverse",
        "@context",
        "@included",
    ]
)

_RAW = "https://raw.githubusercontent.com/codemeta/codemeta/"

VERSION_OF = {
    URLS["2.0"]: "2.0",
    "https://doi.org/doi:10.5063/schema/codemeta-2.0": "2.0",
    "http://purl.org/codemeta/2.0": "2.0",
    f"{_RAW}master/codemeta.jsonld": "2.0",
    f"{_RAW}2.0/codemeta.jsonld": "2.0",
    URLS["3.0"]: "3.0",
    f"{_RAW}3.0/codemeta.jsonld": "3.0",
    "http://schema.org": "schema.org",
    "https://schema.org": "schema.org",
}
"""The contexts that are known offline (spec 5.2); letter case and a trailing slash don't count."""

_LINKS = (
    "acquireLicensePage archivedAt codeRepository contentUrl discussionUrl downloadUrl embedUrl "
    "image installUrl isBasedOn isBasedOnUrl isPartOf license logo mainEntityOfPage relatedLink "
    "sameAs screenshot sdLicense targetUrl thumbnailUrl url usageInfo"
)
_DATES = (
    "birthDate dateCreated dateDeleted dateModified datePublished endDate expires foundingDate "
    "sdDatePublished startDate uploadDate"
)


class TermDefinition(NamedTuple):
    """The definition of a term: its IRI, the type of its values, and whether they are a list."""

    iri: str
    type: str = ""
    is_list: bool = False
    is_prefix: bool = False


@dataclass(frozen=True, slots=True)
class Context:
    """The definitions of a context; `vocabulary` is put before terms that have none."""

    terms: Mapping[str, TermDefinition | None]
    vocabulary: str = ""
    language: str = ""

    def iri(self, text: str, *, in_vocabulary: bool = False) -> str:
        """Return the IRI that a text stands for; a text without a meaning stays as it is."""
        if text in KEYWORDS:
            return text
        if in_vocabulary and text in self.terms:
            definition = self.terms[text]
            return definition.iri if definition else ""
        prefix, colon, rest = text.partition(":")
        if colon and not rest.startswith("//"):
            definition = self.terms.get(prefix)
            return definition.iri + rest if definition and definition.is_prefix else text
        return self.vocabulary + text if in_vocabulary and not colon else text


EMPTY = Context({})


def context_of(value: Tree, active: Context = EMPTY) -> Context:
    """Return the active context after the value of an `@context`. Raises UnreadableManifest.

    A context that is not known offline makes the document unreadable (spec 5.2, before its Trap).
    """
    match value:
        case None:
            return EMPTY
        case str():
            version = VERSION_OF.get(value.casefold().rstrip("/"))
            if version is None:
                raise UnreadableManifest(f"an unknown context: {value[:200]}")
            return _joined(active, known(version))
        case list():
            for each in value:
                active = context_of(each, active)
            return active
        case dict():
            return _inline(value, active)
        case _:
            raise UnreadableManifest("a context that is neither a text nor an object")


@cache
def known(version: str) -> Context:
    """Return the context of CodeMeta "2.0" or "3.0", or that of "schema.org"."""
    if version == "schema.org":
        return _schema_org()
    document = json.loads(data_file(f"codemeta-{version}.jsonld"))
    return _inline(document["@context"], EMPTY)


def _schema_org() -> Context:
    schema = PREFIXES["schema"]
    links = {name: TermDefinition(schema + name, "@id") for name in _LINKS.split()}
    dates = {name: TermDefinition(schema + name, schema + "Date") for name in _DATES.split()}
    aliases = {"id": TermDefinition("@id"), "type": TermDefinition("@type")}
    prefix = {"schema": TermDefinition(schema, is_prefix=True)}
    return Context({**aliases, **prefix, **links, **dates}, vocabulary=schema)


def _joined(active: Context, more: Context) -> Context:
    return Context(
        {**active.terms, **more.terms},
        more.vocabulary or active.vocabulary,
        more.language or active.language,
    )


def _inline(definitions: dict[str, Tree], active: Context) -> Context:
    vocabulary, language = (
        definitions.get("@vocab", active.vocabulary),
        definitions.get("@language"),
    )
    result = replace(
        active,
        vocabulary=vocabulary if isinstance(vocabulary, str) else "",
        language=language if isinstance(language, str) else active.language,
    )
    # Prefixes come first: other terms of the same context are written with them.
    ordered = sorted(definitions, key=lambda name: not isinstance(definitions[name], str))
    terms = dict(active.terms)
    for name in ordered:
        if not name.startswith("@"):
            terms[name] = _definition(definitions[name], replace(result, terms=terms), name)
    return replace(result, terms=terms)


def _definition(value: Tree, context: Context, name: str) -> TermDefinition | None:
    if isinstance(value, str):
        iri = context.iri(value, in_vocabulary=True)
        return TermDefinition(iri, is_prefix=iri.endswith(tuple(":/?#[]@")))
    if not isinstance(value, dict):
        return None
    found, kind = value.get("@id", name), value.get("@type", "")
    if not isinstance(found, str) or not isinstance(kind, str):
        raise UnreadableManifest(f"a context that defines {name[:200]} in an unknown way")
    return TermDefinition(
        context.iri(found, in_vocabulary=found != name),
        context.iri(kind, in_vocabulary=True) if kind else "",
        is_list=value.get("@container") == "@list",
        is_prefix=value.get("@prefix") is True,
    )
