"""Elasticsearch as an index: full-text search for many machines.

`indexer.search.elasticsearch.setup` says what the URL may be. The server is asked for no more than
documents, aliases, templates and searches: no scripts, no by-query calls, no `GET /`.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from typing import Any, Self

from elasticsearch import Elasticsearch, NotFoundError

from indexer.errors import QueryError, SearchError
from indexer.search import Document, Erased, Hit, IndexAnswer
from indexer.search.documents import FIELDS, admitted
from indexer.search.elasticsearch.erasing import erase
from indexer.search.elasticsearch.errors import explained
from indexer.search.elasticsearch.points import hits, ids_at_once
from indexer.search.elasticsearch.query import compiled, order
from indexer.search.elasticsearch.setup import Settings, connect, settings
from indexer.search.elasticsearch.writing import DocumentWriter
from indexer.search.language.plan import Query, plan
from indexer.search.language.snippet import Snippets
from indexer.search.language.tree import Tree
from indexer.system.patience import Patience

ONCE = Patience(attempts=1)
"""A person who searches is told at once that the server is busy."""


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
        self._patience = patience
        self._writer = DocumentWriter(client, given, patience, clock)

    @classmethod
    def open(cls, url: str) -> Self:
        """The index of a URL; nothing is asked or made yet. Raises ConfigurationError."""
        given = settings(url)
        return cls(connect(given), given, Patience())

    def add(self, documents: Sequence[Document]) -> list[IndexAnswer]:
        """Create each document that is in none of the indices; makes the first one if needed."""
        return self._write(self._writer.create, admitted(documents))

    def update(self, documents: Sequence[Document]) -> list[IndexAnswer]:
        """Replace each document in every index that has it, or create it in the newest one."""
        return self._write(self._writer.update, admitted(documents, last=True))

    def get(self, id: str) -> Document | None:
        """The document with that id, as soon as searches can see it."""
        with self._explained():
            answer = self._client.search(
                index=self._alias,
                query={"ids": {"values": [_readable(id)] if id else []}},
                source_includes=FIELDS,
                size=1,
                allow_partial_search_results=False,
            )
        hits = answer["hits"]["hits"]
        return _document(hits[0]) if hits else None

    def find(self, ids: Iterable[str]) -> dict[str, Document]:
        """Those of the documents that are there, as far as searches can see."""
        found: dict[str, Document] = {}
        with self._explained():
            for some in ids_at_once(map(_readable, ids)):
                wanted = {"query": {"ids": {"values": some}}, "source_includes": FIELDS}
                for hit in hits(self._client, self._alias, wanted, self._patience):
                    found[hit["_id"]] = _document(hit)
        return found

    def search(self, query: Query) -> Iterator[Hit]:
        """Hits, best first, of the index as it is now: what is added meanwhile doesn't show."""
        tree = plan(query)
        return self._hits(tree, query.limit)

    def count(self, query: Query) -> int:
        """How many hits there are."""
        tree = plan(query)
        with self._explained(QueryError):
            return int(self._client.count(index=self._alias, query=compiled(tree))["count"])

    def delete(self, ids: Sequence[str]) -> list[Erased]:
        """Delete documents by id, from each of the indices that has one in this moment."""
        wanted = [_readable(id) for id in ids]
        with self._explained():
            return erase(self._client, self._alias, wanted, self._patience)

    def refresh(self) -> None:
        """Make all that was added visible to searches."""
        with self._explained(), suppress(NotFoundError):
            self._client.indices.refresh(index=self._alias)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _hits(self, tree: Tree, limit: int | None) -> Iterator[Hit]:
        snippets = Snippets(tree)
        wanted = {"query": compiled(tree), "sort": order(tree), "source_includes": FIELDS}
        with self._explained(QueryError):
            for hit in hits(self._client, self._alias, wanted, ONCE, limit=limit):
                document = _document(hit)
                yield Hit(document, hit["_score"] or 0.0, snippets.of(document.text_content))

    def _write(
        self,
        write: Callable[[Sequence[Document]], list[IndexAnswer]],
        documents: Sequence[Document | IndexAnswer],
    ) -> list[IndexAnswer]:
        """Write the documents; their answers, and those that are answers already."""
        accepted = [one for one in documents if isinstance(one, Document)]
        with self._explained():
            written = iter(write(accepted) if accepted else ())
        return [one if isinstance(one, IndexAnswer) else next(written) for one in documents]

    def _explained(self, refusal: type[SearchError] = SearchError) -> AbstractContextManager[None]:
        return explained(self._alias, self._hosts, refusal)


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
