"""Reads hits page by page from a point in time: the state of an index at one moment."""

import sys
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from elasticsearch import ApiError, Elasticsearch, TransportError

from indexer.search.elasticsearch.errors import ask
from indexer.system.patience import Patience
from indexer.text.chunks import chunks

PAGE = 50
"""Hits that are in memory at once."""

KEEP_ALIVE = "5m"
"""How long the server keeps the point in time after each request."""

IDS_AT_ONCE = 1000

ANY_ORDER: list[dict[str, Any]] = [{"_shard_doc": "asc"}]
"""The cheapest order for the server."""

# Without `allow_partial_search_results` the server would leave out a failed shard in silence.
_WHOLE = {"track_total_hits": False, "allow_partial_search_results": False}


def hits(
    client: Elasticsearch,
    index: str,
    wanted: Mapping[str, Any],
    patience: Patience,
    *,
    limit: int | None = None,
    size: int = PAGE,
    keep_alive: str = KEEP_ALIVE,
) -> Generator[dict[str, Any], None, None]:
    """Yield the hits of a search, as of the moment when the first one is read.

    `wanted` has the search's `query`, and optionally `sort` and other parameters. Each request has
    the same `patience`; an answer without one of the shards is an error. Raises ApiError,
    TransportError.
    """
    opened = ask(patience, lambda: client.open_point_in_time(index=index, keep_alive=keep_alive))
    point = {"id": opened["id"], "keep_alive": keep_alive}
    request = {"sort": ANY_ORDER, **wanted, **_WHOLE, "pit": point}
    left = sys.maxsize if limit is None else limit
    try:
        while left > 0:
            request["size"] = min(size, left)
            answer = ask(patience, partial(client.search, **request))
            # Each answer may give the point in time another id.
            point["id"] = answer.get("pit_id", point["id"])
            page = answer["hits"]["hits"]
            yield from page
            if len(page) < request["size"]:
                return
            left -= len(page)
            request["search_after"] = page[-1]["sort"]
    finally:
        # If this fails, the point in time still ends after KEEP_ALIVE.
        with suppress(ApiError, TransportError):
            client.close_point_in_time(id=point["id"])


def ids_at_once(ids: Iterable[str]) -> Iterator[Sequence[str]]:
    """Split the ids, without repeated and empty ones, into lists that each fit into one search."""
    return chunks(dict.fromkeys(id for id in ids if id), IDS_AT_ONCE)
