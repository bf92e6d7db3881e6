"""Files for citing: CITATION.cff and .zenodo.json."""

from collections.abc import Iterator

from indexer.software.readings.identifiers import doi_iri, identifiers
from indexer.software.readings.links import links
from indexer.software.readings.people import people_and_entities, people_last_first
from indexer.software.rules.key_rule import KeyRule, ValueReader
from indexer.software.rules.manifest_format import ManifestFormat, SpecialRule
from indexer.software.rules.property import Diagnostics, Property
from indexer.software.syntax.json_file import read_json
from indexer.software.syntax.tree import Tree, below, kind
from indexer.software.syntax.yaml_file import read_yaml
from indexer.software.translation.term_readers import reader_of

_KINDS_OF_WORKS = {
    **{"article": "ScholarlyArticle", "conference-paper": "ScholarlyArticle", "book": "Book"},
    **{"software": "SoftwareSourceCode", "data": "Dataset", "dataset": "Dataset"},
    **{"thesis": "Thesis", "report": "Report", "website": "WebSite"},
}
"""The types of schema.org for types of references (CFF 1.2.0); other works are CreativeWork."""

_OF_WORKS = {
    **{"title": "name", "authors": "author", "url": "url", "abstract": "description"},
    **{"date-released": "datePublished", "date-published": "datePublished", "version": "version"},
    **{"year": "datePublished", "license": "license", "keywords": "keywords"},
}
"""Terms of a work by keys of its reference."""


def works(value: Tree, place: str, diagnostics: Diagnostics) -> Iterator[tuple[Tree, str]]:
    """Yield each work of a list of references of CFF, its DOI as its id."""
    if isinstance(value, list):
        for number, item in enumerate(value):
            yield from works(item, below(place, number), diagnostics)
    elif isinstance(value, dict):
        if work := _work(value, place, diagnostics):
            yield {"type": _type_of(value), **work}, place
    elif value is not None:
        diagnostics.add(place, f"{kind(value)}, where a reference belongs", value)


def numbered(value: Tree, place: str, diagnostics: Diagnostics) -> Iterator[tuple[Tree, str]]:
    """Yield the value of each item of `identifiers` in CFF: DOIs and SWHIDs as IRIs."""
    for item, where in _objects(value, place, diagnostics):
        yield from identifiers(item.get("value"), below(where, "value"), diagnostics)


def related(tree: Tree, diagnostics: Diagnostics) -> Iterator[Property]:
    """Yield the works that a deposit in Zenodo is related to, by their relation."""
    found = tree.get("related_identifiers") if isinstance(tree, dict) else None
    for item, where in _objects(found, "/related_identifiers", diagnostics):
        term = _RELATIONS.get(str(item.get("relation")), "relatedLink")
        rule = f"related_identifiers → {term} (own table)"
        for value, place in identifiers(
            item.get("identifier"), below(where, "identifier"), diagnostics
        ):
            yield Property(term, value, place, rule)


_RELATIONS = {
    **{"isSupplementTo": "codeRepository", "isIdenticalTo": "sameAs", "isPartOf": "isPartOf"},
    **{"cites": "citation", "references": "citation", "hasPart": "hasPart"},
    **{"isDocumentedBy": "referencePublication", "isDescribedBy": "referencePublication"},
}


def _objects(
    value: Tree, place: str, diagnostics: Diagnostics
) -> Iterator[tuple[dict[str, Tree], str]]:
    for number, item in enumerate(value if isinstance(value, list) else [value]):
        where = below(place, number) if isinstance(value, list) else place
        if isinstance(item, dict):
            yield item, where
        elif item is not None:
            diagnostics.add(where, f"{kind(item)}, where an object belongs", item)


def _reader(term: str) -> ValueReader:
    return people_and_entities if term == "author" else reader_of(term)


def _type_of(value: dict[str, Tree]) -> str:
    return _KINDS_OF_WORKS.get(str(value.get("type")), "CreativeWork")


def _work(value: dict[str, Tree], place: str, diagnostics: Diagnostics) -> dict[str, Tree]:
    found: dict[str, Tree] = {}
    doi = value.get("doi")
    if isinstance(doi, str) and (iri := doi_iri(doi)):
        found["id"] = iri
    elif doi is not None:
        diagnostics.add(below(place, "doi"), "no DOI", doi)
    for key, term in _OF_WORKS.items():
        values = [each for each, _ in _reader(term)(value.get(key), below(place, key), diagnostics)]
        if values and term not in found:
            found[term] = values if len(values) > 1 or term == "author" else values[0]
    return found


CFF = ManifestFormat(
    "cff",
    "CffMapping",
    ("CITATION.cff",),
    read_yaml,
    column="Citation File Format (1.2.0)",
    rules=(
        KeyRule("authors", "author", people_and_entities),
        KeyRule("doi", "identifier", identifiers),
        KeyRule("identifiers", "identifier", numbered),
        KeyRule("url", "url"),
        KeyRule("repository", "relatedLink"),
        KeyRule("repository-artifact", "downloadUrl", links),
        KeyRule("references", "citation", works),
        KeyRule("preferred-citation", "referencePublication", works),
    ),
    without=frozenset({"identifiers/url", "person/orcid"}),
    rank=2,
)

ZENODO = ManifestFormat(
    "zenodo",
    "ZenodoMapping",
    (".zenodo.json",),
    read_json,
    column="Zenodo",
    rules=(
        KeyRule("creators", "author", people_last_first),
        KeyRule("contributors", "contributor", people_last_first),
        KeyRule("doi", "identifier", identifiers),
        KeyRule("communities/identifier", "applicationCategory"),
        KeyRule("grants/id", "funding"),
        KeyRule("references", "citation"),
        KeyRule("language", "schema:inLanguage"),
    ),
    specials=(
        SpecialRule(related, ("relatedLink", *_RELATIONS.values()), ("related_identifiers",)),
    ),
    without=frozenset(
        {
            *("communities", "contributors/Funder", "grants", "id"),
            "related_identifiers/isSupplementTo",
            "related_identifiers/isSupplementedBy",
            "related_identifiers/isIdenticalTo",
        }
    ),
    rank=2,
)
