"""The indices behind an alias: the write index, their ages, and the copies of documents."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from elasticsearch import Elasticsearch, NotFoundError

from indexer.errors import ConfigurationError
from indexer.search.elasticsearch.mapping import absent, slow_urls
from indexer.search.elasticsearch.points import IDS_AT_ONCE, ids_at_once
from indexer.search.elasticsearch.setup import Settings, create
from indexer.search.language.schema import Json, Schema

YOUNG_SECONDS = 120.0
"""How long after a rollover other processes may still write to the previous index."""


@dataclass(frozen=True, slots=True)
class Indices:
    """The indices behind an alias, each with its creation time in seconds since the epoch.

    `absent`: the fields that the write index stores, and can't find. `limits`: see `SearchIndex`.
    """

    write: str
    created: dict[str, float]
    absent: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()

    def may_have_missed(self, index: str, now: float) -> bool:
        """Return whether a document just created in `index` may also be in an older index.

        The search before may have missed it there: it was written later, or not refreshed yet.
        """
        if index != self.write:
            return True
        return len(self.created) > 1 and abs(now - self.created[index]) < YOUNG_SECONDS

    def older(self, index: str, copies: Iterable["Copy"]) -> list["Copy"]:
        """Return the copies that are in an index older than this one."""
        return [copy for copy in copies if self.created[copy.index] < self.created[index]]


@dataclass(frozen=True, slots=True)
class Copy:
    """A document in one index; `values` has the fields that were asked for."""

    index: str
    values: Mapping[str, Json]

    @classmethod
    def of(cls, hit: Mapping[str, Any]) -> "Copy":
        """Return the copy of a hit."""
        return cls(hit["_index"], hit.get("_source", {}))


def indices(client: Elasticsearch, given: Settings, schema: Schema) -> Indices:
    """Return the indices behind the alias, after creating them if needed.

    Raises ConfigurationError if no index can be written to.
    """
    found = _behind(client, given.alias)
    if not found:
        if not given.create:
            raise ConfigurationError(f"there is no index {given.alias}, and ?create=false is set")
        create(client, given, schema)
        found = _behind(client, given.alias)
    if given.alias in found:
        raise ConfigurationError(
            f"{given.alias} is an index, not an alias, so it can't roll over: rename the index "
            f"(_clone it to {given.first_index}, then delete it) and give the new one the alias "
            f"{given.alias} with is_write_index, or choose another alias in the URL"
        )
    write = _write_index(given, found)
    there = found[write].get("mappings", {}).get("properties", {})
    created = {name: _created(one) for name, one in found.items()}
    limits = slow_urls(schema, write, there)
    return Indices(write, created, tuple(absent(schema, there)), tuple(limits))


def _behind(client: Elasticsearch, alias: str) -> dict[str, Any]:
    wanted = "*.aliases,*.mappings.properties,*.settings.index.creation_date"
    try:
        return dict(
            client.indices.get(
                index=alias, filter_path=wanted, features="aliases,mappings,settings"
            )
        )
    except NotFoundError:
        return {}


def _write_index(given: Settings, found: dict[str, Any]) -> str:
    aliases = {name: one.get("aliases", {}).get(given.alias, {}) for name, one in found.items()}
    # The only index of an alias is the write index unless it says otherwise.
    default = len(found) == 1
    chosen = [name for name, alias in aliases.items() if alias.get("is_write_index", default)]
    if not chosen:
        raise ConfigurationError(
            f"the alias {given.alias} has no index to write to: set is_write_index on one of "
            f"{', '.join(sorted(found)) or 'none: is another index in the way?'}"
        )
    return chosen[0]


def _created(index: dict[str, Any]) -> float:
    return int(index["settings"]["index"]["creation_date"]) / 1000


def copies(
    client: Elasticsearch, alias: str, ids: Iterable[str], fields: Sequence[str] = ()
) -> dict[str, list[Copy]]:
    """Return the copies of documents behind the alias, by id, as of the last refresh.

    They have the values of these fields.
    """
    found: dict[str, list[Copy]] = {}
    for some in ids_at_once(ids):
        answer = client.search(
            index=alias,
            query={"ids": {"values": some}},
            source_includes=fields or None,
            source=bool(fields),
            # A rollover can leave copies of one document in several indices.
            size=10 * IDS_AT_ONCE,
            sort=["_doc"],
            track_total_hits=False,
            allow_partial_search_results=False,
        )
        for hit in answer["hits"]["hits"]:
            found.setdefault(hit["_id"], []).append(Copy.of(hit))
    return found
