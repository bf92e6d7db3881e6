"""Answers of the APIs of forges: GitHub, Gitea and Gogs (spec 6.10, before its Trap)."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from indexer.software.compat.jsonld.compaction import FORGE_PREFIXES
from indexer.software.compat.jsonld.node import Value
from indexer.software.compat.keys.key_table import KeyTable, Reader
from indexer.software.compat.keys.values import Values, dates, licence, links, texts
from indexer.software.compat.syntaxes.texts import read_json
from indexer.software.syntax.tree import Tree

_AS, _FORGE, _XSD = FORGE_PREFIXES["as"], FORGE_PREFIXES["forge"], FORGE_PREFIXES["xsd"]


def _count(kind: str) -> Reader:
    """The reader of a count: a collection of a kind, of which only the size is known."""

    def read(value: Tree) -> Iterator[Value]:
        if isinstance(value, int):
            total = {"@value": str(value).lower(), "@type": f"{_XSD}nonNegativeInteger"}
            yield {"@type": [_AS + kind], f"{_AS}totalItems": [total]}

    return read


def _forked_from(value: Tree) -> Iterator[Value]:
    match value:
        case {"html_url": str(url)}:
            yield {"@id": url}


def _spdx_id(value: Tree) -> Values:
    return licence(value.get("spdx_id") if isinstance(value, dict) else None)


def _issues(tree: dict[str, Tree]) -> Iterator[tuple[str, Value]]:
    if tree.get("has_issues"):
        for each in links(f"{tree['html_url']}/issues"):
            yield "codemeta:issueTracker", each


_KEYS: Final[Mapping[str, tuple[str, Callable[[Tree], Values]]]] = {
    "description": ("schema:description", texts),
    "language": ("schema:programmingLanguage", texts),
    "clone_url": ("schema:codeRepository", links),
    "created_at": ("schema:dateCreated", dates),
    "updated_at": ("schema:dateModified", dates),
    "parent": (f"{_FORGE}forkedFrom", _forked_from),
    "forks_count": (f"{_FORGE}forks", _count("OrderedCollection")),
}
"""The keys that both forges have."""

_GITHUB: Final[Mapping[str, tuple[str, Callable[[Tree], Values]]]] = {
    **_KEYS,
    "full_name": ("schema:name", texts),
    "topics": ("schema:keywords", texts),
    "license": ("schema:license", _spdx_id),
    "stargazers_count": (f"{_AS}likes", _count("Collection")),
    "subscribers_count": (f"{_AS}followers", _count("Collection")),
}

_GITEA: Final[Mapping[str, tuple[str, Callable[[Tree], Values]]]] = {
    **_KEYS,
    "name": ("schema:name", texts),
    "website": ("schema:url", links),
    "stars_count": (f"{_AS}likes", _count("Collection")),
    "watchers_count": (f"{_AS}followers", _count("Collection")),
}


GITHUB = KeyTable(
    read_json,
    terms={key: term for key, (term, _) in _GITHUB.items()},
    readers={key: read for key, (_, read) in _GITHUB.items()},
    whole=_issues,
    whole_terms=("codemeta:issueTracker",),
    type=f"{_FORGE}Repository",
    id_key="html_url",
    prefixes=FORGE_PREFIXES,
)

GITEA = KeyTable(
    read_json,
    terms={key: term for key, (term, _) in _GITEA.items()},
    readers={key: read for key, (_, read) in _GITEA.items()},
    type=f"{_FORGE}Repository",
    id_key="html_url",
    prefixes=FORGE_PREFIXES,
)
