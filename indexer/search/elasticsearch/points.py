"""What an index had at one moment (a point in time), page after page."""

import sys
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from elasticsearch import ApiError, Elasticsearch, TransportError

from indexer.search.elasticsearch.patience import ask
from indexer.system.patience import Patience
from indexer.text.chunks import chunks

PAGE = 50
"""Hits that are in memory at once."""

KEEP_ALIVE = "5m"
"""How long the server waits for the next page to be asked for."""

IDS_AT_ONCE = 1000

ANY_ORDER: list[dict[str, Any]] = [{"_shard_doc": "asc"}]
"""The order that costs the server nothing."""


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
    """The hits of a search, as the index is when the first of them is asked for.

    `wanted` is the search's `query`, `sort`, and what else it has. Each request is as patient as
    `patience`; an answer that lacks a shard is an error. Raises ApiError, TransportError.
    """
    opened = ask(patience, lambda: client.open_point_in_time(index=index, keep_alive=keep_alive))
    point = {"id": opened["id"], "keep_alive": keep_alive}
    request = {"sort": ANY_ORDER, **wanted, **_WHOLE}
    try:
        for page in _pages(client, request, point, patience, limit, size):
            yield from page
    finally:
        # It ends by itself too.
        with suppress(ApiError, TransportError):
            client.close_point_in_time(id=point["id"])


def _pages(
    client: Elasticsearch,
    wanted: dict[str, Any],
    point: dict[str, str],
    patience: Patience,
    limit: int | None,
    size: int,
) -> Iterator[list[dict[str, Any]]]:
    left = sys.maxsize if limit is None else limit
    while left > 0:
        wanted |= {"pit": point, "size": min(size, left)}
        answer = ask(patience, partial(client.search, **wanted))
        point["id"] = answer.get("pit_id", point["id"])
        page: list[dict[str, Any]] = answer["hits"]["hits"]
        yield page
        if len(page) < wanted["size"]:
            return
        left -= len(page)
        wanted["search_after"] = page[-1]["sort"]


def ids_at_once(ids: Iterable[str]) -> Iterator[Sequence[str]]:
    """The ids, each once, in lists that are short enough for one search; no document's is empty."""
    return chunks(dict.fromkeys(id for id in ids if id), IDS_AT_ONCE)
