"""The search index on Elasticsearch.

`indexer.search.elasticsearch.setup` describes the URL. Requests are limited to documents, aliases,
templates and searches: no scripts, no by-query calls, no `GET /`, so few privileges are needed.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from typing import Any, Self

from elasticsearch import Elasticsearch, NotFoundError

from indexer.errors import QueryError, SearchError
from indexer.search import Document, Erased, Hit, IndexAnswer
from indexer.search.documents import FIELDS, searchable, write_accepted
from indexer.search.elasticsearch.errors import search_errors
from indexer.search.elasticsearch.points import hits, ids_at_once
from indexer.search.elasticsearch.query import compiled, order
from indexer.search.elasticsearch.setup import Settings, connect, settings
from indexer.search.elasticsearch.writing import DocumentWriter
from indexer.search.language.query import Query, plan
from indexer.search.language.snippet import Snippets
from indexer.search.language.tree import Tree
from indexer.system.patience import Patience

# People who search see at once that the server is busy, and can search again.
ONCE = Patience(attempts=1)


class ElasticsearchIndex:
    """The indices behind an alias. Thread-safe."""

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
        """Return the index of a URL, without a request to the server. Raises ConfigurationError."""
        given = settings(url)
        return cls(connect(given), given, Patience())

    def add(self, documents: Sequence[Document]) -> list[IndexAnswer]:
        """Create each document that no index has yet; create the first index if needed."""
        with self._explained():
            return write_accepted(documents, self._writer.create)

    def update(self, documents: Sequence[Document]) -> list[IndexAnswer]:
        """Replace each document in every index that has it, or create it in the write index."""
        with self._explained():
            return write_accepted(documents, self._writer.update, last=True)

    def get(self, id: str) -> Document | None:
        """Return the document with that id, as of the last refresh."""
        return self.find([id]).get(id)

    def find(self, ids: Iterable[str]) -> dict[str, Document]:
        """Return the existing documents of these ids, as of the last refresh."""
        found: dict[str, Document] = {}
        with self._explained():
            for some in ids_at_once(map(searchable, ids)):
                wanted = {"query": {"ids": {"values": some}}, "source_includes": FIELDS}
                for hit in hits(self._client, self._alias, wanted, self._patience):
                    found[hit["_id"]] = _document(hit)
        return found

    def search(self, query: Query) -> Iterator[Hit]:
        """Yield hits, best first, of the index's present state: later changes do not show."""
        tree = plan(query)
        return self._hits(tree, query.limit)

    def count(self, query: Query) -> int:
        """Return the number of hits."""
        tree = plan(query)
        with self._explained(QueryError):
            return int(self._client.count(index=self._alias, query=compiled(tree))["count"])

    def delete(self, ids: Sequence[str]) -> list[Erased]:
        """Delete documents by id from every index that has a copy at this moment."""
        with self._explained():
            return self._writer.delete([searchable(id) for id in ids])

    def refresh(self) -> None:
        """Make all earlier changes visible to searches."""
        # Nothing was added yet if the index is missing.
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

    def _explained(self, refusal: type[SearchError] = SearchError) -> AbstractContextManager[None]:
        return search_errors(self._alias, self._hosts, refusal)


def _document(hit: dict[str, Any]) -> Document:
    """Return the document of a hit; those of other programs may lack any field."""
    stored = {field: hit["_source"].get(field) for field in FIELDS}
    texts = {field: str(value) for field, value in stored.items() if value is not None}
    required = {"url": "", "text_content": "", "indexed_date": ""}
    return Document(id=hit["_id"], **required | texts)
