"""Elasticsearch as an index: full-text search for many machines.

`indexer.search.elasticsearch_setup` says what the URL may be. The server is asked for no more than
documents, aliases, templates and searches: no scripts, no by-query calls, no `GET /`.
"""

import os
import socket
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Self

from elasticsearch import ApiError, Elasticsearch, NotFoundError, TransportError

from indexer.errors import QueryError, SearchError
from indexer.patience import Patience
from indexer.search import Added, Answer, Document, Hit, Query
from indexer.search.documents import FIELDS, Unacceptable, acceptable
from indexer.search.elasticsearch_bulk import Bulk, Line
from indexer.search.elasticsearch_errors import reason
from indexer.search.elasticsearch_indices import copies
from indexer.search.elasticsearch_query import compiled, order
from indexer.search.elasticsearch_setup import Settings, connect, settings
from indexer.search.elasticsearch_writing import Writer
from indexer.search.plan import plan
from indexer.search.snippet import Snippets
from indexer.search.tree import Tree

PAGE = 50
"""Hits that are in memory at once."""

KEEP_ALIVE = "5m"
"""How long the server waits for the next page to be asked for."""


class ElasticsearchIndex:
    """The indices behind an alias. For any number of threads."""

    def __init__(
        self,
        client: Elasticsearch,
        given: Settings,
        patience: Patience,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._client = client
        self._alias = given.alias
        self._hosts = ", ".join(given.hosts)
        self._bulk = Bulk(client, given.alias, patience)
        self._writer = Writer(client, given, patience, clock)

    @classmethod
    def open(cls, url: str) -> Self:
        """The index of a URL; nothing is asked or made yet. Raises ConfigurationError."""
        given = settings(url)
        return cls(connect(given, opaque_id()), given, Patience())

    def add(self, documents: Sequence[Document]) -> list[Answer]:
        """Create each document that is in none of the indices; makes the first one if needed."""
        first: dict[str, Document] = {}
        answers = [_admit(document, first) for document in documents]
        with self._explained():
            created = iter(self._writer.create(list(first.values())) if first else ())
        return [answer or next(created) for answer in answers]

    def get(self, id: str) -> Document | None:
        """The document with that id, as soon as searches can see it."""
        with self._explained():
            answer = self._client.search(
                index=self._alias,
                query={"ids": {"values": [_readable(id)]}},
                source_includes=FIELDS,
                size=1,
                allow_partial_search_results=False,
            )
        hits = answer["hits"]["hits"]
        return _document(hits[0]) if hits else None

    def search(self, query: Query) -> Iterator[Hit]:
        """Hits, best first, of the index as it is now: what is added meanwhile doesn't show."""
        tree = plan(query)
        return self._hits(tree, query.limit)

    def count(self, query: Query) -> int:
        """How many hits there are."""
        tree = plan(query)
        with self._explained(QueryError):
            return int(self._client.count(index=self._alias, query=compiled(tree))["count"])

    def delete(self, ids: Sequence[str]) -> list[bool]:
        """Delete documents by id, from each of the indices; for each, whether it was there."""
        wanted = [_readable(id) for id in ids]
        with self._explained():
            self._client.indices.refresh(index=self._alias)
            found = copies(self._client, self._alias, wanted)
            places = [copy for some in found.values() for copy in some]
            results = self._bulk.send([Line.delete(copy.index, copy.id) for copy in places])
        gone = {copy.id for copy, result in zip(places, results, strict=True) if result.done}
        self.refresh()
        if failed := [result.why for result in results if not result.done and not result.missing]:
            raise SearchError(f"{len(failed)} documents were not deleted: {failed[0]}")
        # An id that is named twice is there only once.
        return [id in gone and id not in wanted[:place] for place, id in enumerate(wanted)]

    def refresh(self) -> None:
        """Make all that was added visible to searches."""
        with self._explained(), suppress(NotFoundError):
            self._client.indices.refresh(index=self._alias)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _hits(self, tree: Tree, limit: int | None) -> Iterator[Hit]:
        snippets = Snippets(tree)
        for hit in self._pages(tree, limit):
            document = _document(hit)
            yield Hit(document, hit["_score"] or 0.0, snippets.of(document.text_content))

    def _pages(self, tree: Tree, limit: int | None) -> Iterator[dict[str, Any]]:
        """Hits, a page at a time, of one moment (a point in time)."""
        wanted: dict[str, Any] = {"query": compiled(tree), "sort": order(tree)}
        with self._explained():
            point = self._client.open_point_in_time(index=self._alias, keep_alive=KEEP_ALIVE)["id"]
        try:
            found = 0
            while limit is None or found < limit:
                size = PAGE if limit is None else min(PAGE, limit - found)
                with self._explained(QueryError):
                    answer = self._client.search(
                        **wanted,
                        pit={"id": point, "keep_alive": KEEP_ALIVE},
                        source_includes=FIELDS,
                        size=size,
                        track_total_hits=False,
                    )
                point = answer.get("pit_id", point)
                hits = answer["hits"]["hits"]
                yield from hits
                if len(hits) < size:
                    return
                found += len(hits)
                wanted["search_after"] = hits[-1]["sort"]
        finally:
            # It ends by itself too.
            with suppress(ApiError, TransportError):
                self._client.close_point_in_time(id=point)

    @contextmanager
    def _explained(self, refusal: type[SearchError] = SearchError) -> Iterator[None]:
        try:
            yield
        except ApiError as error:
            if error.error == "index_not_found_exception":
                why = (
                    f"no search index {self._alias} at {self._hosts}: `story-indexer run` makes one"
                )
                raise SearchError(why) from error
            why = f"Elasticsearch answered {error.status_code}: {reason(error.body)}"
            raise (refusal if error.status_code == 400 else SearchError)(why) from error
        except TransportError as error:
            raise SearchError(f"can't reach Elasticsearch at {self._hosts}: {error}") from error


def opaque_id() -> str:
    """How requests are marked in the server's logs (stories.md 7.2)."""
    program = Path(sys.argv[0]).stem or "python"
    return f"story-indexer.{program}.{socket.gethostname()}.{os.getpid()}"


def _admit(document: Document, first: dict[str, Document]) -> Answer | None:
    """Put a document among those to be created; else say why not."""
    try:
        accepted = acceptable(document)
    except Unacceptable as error:
        return Answer(Added.REFUSED, str(error))
    if accepted.id in first:
        return Answer(Added.DUPLICATE)
    first[accepted.id] = accepted
    return None


def _document(hit: dict[str, Any]) -> Document:
    """The document of a hit. What others have indexed may lack any field."""
    fields = {field: hit["_source"].get(field) for field in FIELDS}
    texts = {field: None if value is None else str(value) for field, value in fields.items()}
    for field in ("url", "text_content", "indexed_date"):
        texts[field] = texts[field] or ""
    return Document(id=hit["_id"], **texts)  # type: ignore[arg-type]  # those three are not None


def _readable(id: str) -> str:
    """An id that can be asked for: one with half a surrogate pair is no document's."""
    return id.encode(errors="replace").decode()
