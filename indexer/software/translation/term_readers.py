"""The reader of each term: how a value is read when a rule doesn't say it."""

from collections.abc import Mapping

from indexer.software.readings.dates import dates
from indexer.software.readings.licences import licences
from indexer.software.readings.links import links, links_of_objects, links_or_texts
from indexer.software.readings.people import organizations, people
from indexer.software.readings.repositories import repositories
from indexer.software.readings.requirements import platforms, requirements
from indexer.software.readings.texts import keywords, texts
from indexer.software.rules.key_rule import ValueReader
from indexer.software.vocabulary import contexts

READERS: Mapping[str, ValueReader] = {
    "keywords": keywords,
    "license": licences,
    "issueTracker": links_of_objects,
    **dict.fromkeys(("dateCreated", "dateModified", "datePublished", "embargoEndDate"), dates),
    "codeRepository": repositories,
    "softwareRequirements": requirements(),
    "softwareSuggestions": requirements(),
    "runtimePlatform": platforms,
    **dict.fromkeys(("author", "contributor", "maintainer", "editor", "copyrightHolder"), people),
    **dict.fromkeys(("identifier", "readme", "developmentStatus", "fileFormat"), links_or_texts),
    **dict.fromkeys(("applicationCategory", "applicationSubCategory"), links_or_texts),
    **dict.fromkeys(("memoryRequirements", "storageRequirements"), links_or_texts),
    **dict.fromkeys(("buildInstructions", "referencePublication"), links_or_texts),
    **dict.fromkeys(("funder", "sponsor", "publisher", "provider", "producer"), organizations),
}
"""Readers by term of CodeMeta 3.0; other terms are links or texts, as the context says."""


def reader_of(term: str) -> ValueReader:
    """Return the reader of a term's values."""
    if term in READERS:
        return READERS[term]
    definition = contexts.terms("3.0").get(term)
    return links if definition is not None and definition.is_iri else texts
