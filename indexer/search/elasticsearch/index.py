"""The search index on Elasticsearch.

`indexer.search.elasticsearch.setup` describes the URL. Requests are limited to documents, aliases,
templates and searches: no scripts, no by-query calls, no `GET /`, so few privileges are needed.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from typing import Self

from elasticsearch import Elasticsearch, NotFoundError

from indexer.errors import QueryError, SearchError
from indexer.search import Document, Erased, FacetValue, Hit, IndexAnswer
from indexer.search.documents import searchable, write_accepted
from indexer.search.elasticsearch.errors import search_errors
from indexer.search.elasticsearch.facets import counted, counts
from indexer.search.elasticsearch.mapping import document, slow_urls
from indexer.search.elasticsearch.points import hits, ids_at_once
from indexer.search.elasticsearch.query import compiled, order
from indexer.search.elasticsearch.setup import Settings, connect, settings
from indexer.search.elasticsearch.writing import DocumentWriter
from indexer.search.language.query import Query, check_facets, plan
from indexer.search.language.schema import Schema
from indexer.search.language.snippet import Snippets
from indexer.search.language.tree import Tree
from indexer.system.patience import Patience

# People who search see at once that the server is busy, and can search again.
ONCE = Patience(attempts=1)

# The program that reads an export may need seconds for each hit of a page.
KEEP_ALIVE = "30m"


class ElasticsearchIndex:
    """The indices behind an alias. Thread-safe."""

    def __init__(
        self,
        client: Elasticsearch,
        given: Settings,
        schema: Schema,
        patience: Patience,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._client = client
        self._alias = given.alias
        self._schema = schema
        self._hosts = ", ".join(given.hosts)
        self._patience = patience
        self._writer = DocumentWriter(client, given, schema, patience, clock)

    @classmethod
    def open(cls, url: str, schema: Schema) -> Self:
        """Return the index of a URL, without a request to the server. Raises ConfigurationError."""
        given = settings(url)
        return cls(connect(given), given, schema, Patience())

    def add(self, documents: Sequence[Document]) -> list[IndexAnswer]:
        """Create each document that no index has yet; create the first index if needed."""
        with self._explained():
            return write_accepted(documents, self._schema, self._writer.create)

    def update(self, documents: Sequence[Document]) -> list[IndexAnswer]:
        """Replace each document in every index that has it, or create it in the write index."""
        with self._explained():
            return write_accepted(documents, self._schema, self._writer.update, last=True)

    def get(self, id: str) -> Document | None:
        """Return the document with that id, as of the last refresh."""
        return self.find([id]).get(id)

    def find(self, ids: Iterable[str]) -> dict[str, Document]:
        """Return the existing documents of these ids, as of the last refresh."""
        found: dict[str, Document] = {}
        with self._explained():
            for some in ids_at_once(map(searchable, ids)):
                wanted = {"query": {"ids": {"values": some}}, "source_includes": self._schema.names}
                for hit in hits(self._client, self._alias, wanted, self._patience):
                    found[hit["_id"]] = document(hit, self._schema)
        return found

    def search(self, query: Query) -> Iterator[Hit]:
        """Yield hits, best first, of the index's present state: later changes do not show."""
        tree = plan(query, self._schema)
        return self._hits(tree, query)

    def count(self, query: Query) -> int:
        """Return the number of hits."""
        tree = compiled(plan(query, self._schema), self._schema)
        with self._explained(QueryError):
            return int(self._client.count(index=self._alias, query=tree)["count"])

    def facets(
        self, query: Query, fields: Sequence[str], size: int = 10
    ) -> dict[str, list[FacetValue]]:
        """Return the most common values of keyword fields among all hits."""
        tree = compiled(plan(query, self._schema), self._schema)
        check_facets(fields, self._schema)
        with self._explained(QueryError):
            answer = self._client.search(
                index=self._alias,
                query=tree,
                aggs=counts(fields, size),
                size=0,
                track_total_hits=False,
                allow_partial_search_results=False,
            )
        found = answer.get("aggregations", {})
        return {name: counted(found.get(name, {})) for name in fields}

    def delete(self, ids: Sequence[str]) -> list[Erased]:
        """Delete documents by id from every index that has a copy at this moment."""
        with self._explained():
            return self._writer.delete([searchable(id) for id in ids])

    def refresh(self) -> None:
        """Make all earlier changes visible to searches."""
        # Nothing was added yet if the index is missing.
        with self._explained(), suppress(NotFoundError):
            self._client.indices.refresh(index=self._alias)

    def limits(self) -> list[str]:
        """Return what searches can't do as URLs are keywords, a line for each index."""
        with self._explained(), suppress(NotFoundError):
            found = dict(self._client.indices.get_mapping(index=self._alias))
            return [
                line
                for name in sorted(found)
                for line in slow_urls(
                    self._schema, name, found[name]["mappings"].get("properties", {})
                )
            ]
        return []

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _hits(self, tree: Tree, query: Query) -> Iterator[Hit]:
        field = self._schema.snippet
        snippets = Snippets(tree, field)
        wanted = {
            "query": compiled(tree, self._schema),
            "sort": order(tree, self._schema, query.sort),
            "source_includes": self._schema.names,
        }
        with self._explained(QueryError):
            for hit in hits(
                self._client, self._alias, wanted, ONCE, limit=query.limit, keep_alive=KEEP_ALIVE
            ):
                found = document(hit, self._schema)
                yield Hit(found, hit["_score"] or 0.0, snippets.of(found.text(field)))

    def _explained(self, refusal: type[SearchError] = SearchError) -> AbstractContextManager[None]:
        return search_errors(self._alias, self._hosts, refusal)
