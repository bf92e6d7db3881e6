"""The strategy of each term: which values count when several manifests state some."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType


class Strategy(StrEnum):
    """A way to choose among the values of a term."""

    UNION = "union"
    """The values of all manifests."""
    PREFER = "prefer"
    """The values of the most trusted manifest that has any; all others are conflicts."""
    NEWEST = "newest"
    """The latest date; all others are conflicts."""


SINGLE = (
    *("id", "type", "name", "version", "softwareVersion", "description", "license", "url"),
    *("codeRepository", "issueTracker", "readme", "releaseNotes", "developmentStatus"),
    *("dateCreated", "datePublished", "copyrightYear", "embargoEndDate"),
    *("isAccessibleForFree", "fileSize"),
)
"""Terms of which a project has one value, or one list that belongs together."""

STRATEGIES: Mapping[str, Strategy] = MappingProxyType(
    {**dict.fromkeys(SINGLE, Strategy.PREFER), "dateModified": Strategy.NEWEST}
)
"""Strategies by term of CodeMeta 3.0; that of all other terms is `UNION`: nothing is lost."""

AGENTS = frozenset(
    {
        *("author", "contributor", "maintainer", "copyrightHolder", "editor"),
        *("funder", "producer", "provider", "publisher", "sponsor"),
    }
)
"""Terms whose values are persons and organisations."""


def strategy_of(term: str) -> Strategy:
    """Return the strategy of a term."""
    return STRATEGIES.get(term, Strategy.UNION)
