"""The indices behind an alias: which is written to, which has a document, and since when."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from elasticsearch import Elasticsearch, NotFoundError

from indexer.errors import ConfigurationError
from indexer.search.elasticsearch.points import IDS_AT_ONCE, ids_at_once
from indexer.search.elasticsearch.setup import Settings, create

YOUNG_SECONDS = 120.0
"""For so long after a rollover another process may still write to the index before."""


@dataclass(frozen=True, slots=True)
class Indices:
    """The indices behind an alias: when each was created, in seconds since the epoch."""

    write: str
    created: dict[str, float]

    def may_have_missed(self, index: str, now: float) -> bool:
        """Whether a document written to `index` now may be in an older one, unseen before."""
        if index != self.write:
            return True
        return len(self.created) > 1 and abs(now - self.created[index]) < YOUNG_SECONDS

    def older(self, index: str, copies: Iterable["Copy"]) -> list["Copy"]:
        """Those of the copies that are in an index older than this one."""
        return [copy for copy in copies if self.created[copy.index] < self.created[index]]


@dataclass(frozen=True, slots=True)
class Copy:
    """A document that is in an index."""

    id: str
    index: str
    url: str
    indexed_date: str

    @classmethod
    def of(cls, hit: Mapping[str, Any]) -> "Copy":
        """The copy that a search or a look-up has found."""
        fields = hit.get("_source", {})
        url, date = str(fields.get("url")), str(fields.get("indexed_date"))
        return cls(hit["_id"], hit["_index"], url, date)


def indices(client: Elasticsearch, given: Settings) -> Indices:
    """The indices behind the alias. Raises ConfigurationError if it can't be written to."""
    found = _behind(client, given.alias)
    if not found:
        if not given.create:
            raise ConfigurationError(f"there is no index {given.alias}, and ?create=false")
        create(client, given)
        found = _behind(client, given.alias)
    if given.alias in found:
        raise ConfigurationError(
            f"{given.alias} is an index, not an alias, so it can't roll over: rename it "
            f"(_clone to {given.first_index}, delete it) and give the new one the alias "
            f"{given.alias} with is_write_index, or choose another alias in the URL"
        )
    return Indices(_write_index(given, found), {name: _created(one) for name, one in found.items()})


def _behind(client: Elasticsearch, alias: str) -> dict[str, Any]:
    wanted = "*.aliases,*.settings.index.creation_date"
    try:
        return dict(
            client.indices.get(index=alias, filter_path=wanted, features="aliases,settings")
        )
    except NotFoundError:
        return {}


def _write_index(given: Settings, found: dict[str, Any]) -> str:
    aliases = {name: one.get("aliases", {}).get(given.alias, {}) for name, one in found.items()}
    chosen = [name for name, alias in aliases.items() if alias.get("is_write_index")]
    if not chosen and len(found) == 1:
        chosen = [
            name for name, alias in aliases.items() if alias.get("is_write_index") is not False
        ]
    if not chosen:
        raise ConfigurationError(
            f"the alias {given.alias} has no index to write to: set is_write_index on one of "
            f"{', '.join(sorted(found)) or 'none: is another index in the way?'}"
        )
    return chosen[0]


def _created(index: dict[str, Any]) -> float:
    return int(index["settings"]["index"]["creation_date"]) / 1000


def copies(client: Elasticsearch, alias: str, ids: Iterable[str]) -> dict[str, list[Copy]]:
    """Where behind the alias the documents are, by id, as far as searches can see."""
    found: dict[str, list[Copy]] = {}
    for some in ids_at_once(ids):
        answer = client.search(
            index=alias,
            query={"ids": {"values": some}},
            source_includes=["url", "indexed_date"],
            # An id may be in several indices.
            size=10 * IDS_AT_ONCE,
            sort=["_doc"],
            track_total_hits=False,
            allow_partial_search_results=False,
        )
        for hit in answer["hits"]["hits"]:
            found.setdefault(hit["_id"], []).append(Copy.of(hit))
    return found
