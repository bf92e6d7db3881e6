"""The crosswalk of CodeMeta, as mappings of the seed's contract use it (spec 9.3)."""

import re
from collections.abc import Mapping
from types import MappingProxyType

from indexer.software.vocabulary import contexts, crosswalk

EXCLUDED = frozenset({"softwareRequirements", "softwareSuggestions", "creator"})
"""Terms that no mapping of the existing system yields (spec 5.1)."""


def _iris(column: str) -> Mapping[str, str]:
    """The IRI of the term of each key of a column; a key of several terms has the last one."""
    terms = contexts.terms("2.0")
    return MappingProxyType(
        {
            key.strip(): contexts.iri_of(terms[term].name)
            for cell, term in crosswalk.cells("2", column)
            for key in re.split(r"[,/]", cell)
            if term in terms and term not in EXCLUDED
        }
    )


CROSSWALK_TABLE: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {column: _iris(column) for column in crosswalk.columns("2")}
)
"""By name of a column of the published crosswalk 2.x: the IRI of the term of each key."""
