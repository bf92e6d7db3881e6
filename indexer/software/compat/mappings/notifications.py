"""Notifications of COAR Notify: a publication tells that it mentions a software (spec 6.11)."""

from indexer.errors import UnreadableManifest
from indexer.software.compat.jsonld.node import Document
from indexer.software.compat.syntaxes.texts import read_json
from indexer.software.syntax.tree import Tree

CONTEXT = ("http://schema.org/", "https://w3id.org/codemeta/3.0")

_RELATION = "https://schema.datacite.org/linked-data/vocab/relationType/"

_INVERSE = {
    **{"Cites": "IsCitedBy", "IsSupplementTo": "IsSupplementedBy", "Continues": "IsContinuedBy"},
    **{"Describes": "IsDescribedBy", "References": "IsReferencedBy"},
    **{"Documents": "IsDocumentedBy", "Compiles": "IsCompiledBy", "Reviews": "IsReviewedBy"},
    **{"IsSourceOf": "IsDerivedFrom", "Requires": "IsRequiredBy", "Obsoletes": "IsObsoletedBy"},
    "Collects": "IsCollectedBy",
}

INVERSES = {
    "https://schema.org/citation": f"{_RELATION}IsCitedBy",
    **{_RELATION + name: _RELATION + inverse for name, inverse in _INVERSE.items()},
}
"""The relation from the software to the publication, by that from the publication."""


def translate_mention(content: bytes) -> Document:
    """Return the citation of a notification. Raises UnreadableManifest.

    The notification is read as it is written, in the terms of ActivityStreams: its contexts are
    not known offline.
    """
    match read_json(content):
        case {
            "@context": [_, *_],
            "id": str(identifier),
            "context": {"id": str()} as article,
            "object": {"object": str(), "relationship": relation}
            | [{"object": str(), "relationship": relation}],
        } if inverse := _inverse(relation):
            citation: Tree = {"id": identifier, "ScholarlyArticle": _cleaned(article)}
            return {"@context": list(CONTEXT), inverse: [citation]}
    raise UnreadableManifest("no mention: object, context, relationship or id is missing")


def _inverse(relation: Tree) -> str:
    match relation:
        case [one]:
            return _inverse(one)
        case {"id": str(iri)} | str(iri):
            return INVERSES.get(iri, "")
    return ""


def _cleaned(value: Tree) -> Tree:
    """A value without nulls, its keywords with the names of ActivityStreams."""
    if isinstance(value, list):
        return [_cleaned(each) for each in value if each is not None]
    if not isinstance(value, dict):
        return value
    kept = {key: _cleaned(each) for key, each in value.items() if each is not None}
    return {{"@id": "id", "@type": "type"}.get(key, key): each for key, each in kept.items()}
