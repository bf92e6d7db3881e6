"""Reads hits page by page from a point in time: the state of an index at one moment."""

import sys
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from elasticsearch import ApiError, Elasticsearch, TransportError

from indexer.search.documents import text_length
from indexer.search.elasticsearch.errors import BUSY, ask
from indexer.system.patience import Patience
from indexer.text.chunks import chunks

FIRST_PAGE = 50
"""Hits of the first page of a search."""

PAGE_CHARACTERS = 2_000_000
"""The characters of a page, about: the memory of a search, here and in the server's heap."""

MAX_PAGE = 2000
"""Hits of a page at most: one page of very long documents must not fill the memory."""

GROWTH = 4
"""How many times as many hits a page may have as the one before: it may have longer ones."""

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
    size: int | None = None,
    keep_alive: str = KEEP_ALIVE,
) -> Generator[dict[str, Any], None, None]:
    """Yield the hits of a search, as of the moment when the first one is read.

    `wanted` has the search's `query`, and optionally `sort` and other parameters. A page has `size`
    hits, or as many as had PAGE_CHARACTERS in the page before. Each request has the same
    `patience`; an answer without one of the shards is an error. Raises ApiError, TransportError.
    """
    opened = ask(patience, lambda: client.open_point_in_time(index=index, keep_alive=keep_alive))
    point = {"id": opened["id"], "keep_alive": keep_alive}
    request = {"sort": ANY_ORDER, **wanted, **_WHOLE, "pit": point}
    left = sys.maxsize if limit is None else limit
    fitting = first = size or FIRST_PAGE
    try:
        while left > 0:
            request["size"] = min(fitting, left)
            answer = _answer(client, request, patience, first)
            # Each answer may give the point in time another id.
            point["id"] = answer.get("pit_id", point["id"])
            page = answer["hits"]["hits"]
            yield from page
            if len(page) < request["size"]:
                return
            left -= len(page)
            fitting = size or _next_size(page)
            request["search_after"] = page[-1]["sort"]
            # This page must not be in memory while the next one is read.
            del answer, page
    finally:
        # If this fails, the point in time still ends after KEEP_ALIVE.
        with suppress(ApiError, TransportError):
            client.close_point_in_time(id=point["id"])


def _answer(client: Elasticsearch, request: dict[str, Any], patience: Patience, first: int) -> Any:
    """Return a page; if one larger than the first is refused, make it as small as the first."""
    if request["size"] > first:
        try:
            return client.search(**request)
        except ApiError as error:
            if error.status_code not in BUSY:
                raise
            # The server's heap may have no room for so many hits.
            request["size"] = first
    return ask(patience, partial(client.search, **request))


def _next_size(page: Sequence[Mapping[str, Any]]) -> int:
    """Return how many such hits a page should have."""
    length = sum(text_length(hit.get("_source", {})) for hit in page)
    fitting = len(page) * PAGE_CHARACTERS // max(length, 1)
    return max(1, min(fitting, GROWTH * len(page), MAX_PAGE))


def ids_at_once(ids: Iterable[str]) -> Iterator[Sequence[str]]:
    """Split the ids, without repeated and empty ones, into lists that each fit into one search."""
    return chunks(dict.fromkeys(id for id in ids if id), IDS_AT_ONCE)
