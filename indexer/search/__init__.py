"""Search indexes of documents, whose fields a family declares as data. A URL chooses the backend.

sqlite:///data/index.sqlite3             one file, full-text search
http://user:password@host:9200/mc_search Elasticsearch: the path is the alias to write to
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Protocol

from indexer.errors import ConfigurationError
from indexer.search.language.query import Query
from indexer.search.language.schema import Json, Schema


@dataclass(frozen=True, slots=True)
class Document:
    """The values of one document by field; empty fields are absent."""

    id: str
    values: Mapping[str, Json]

    def get(self, field: str) -> Json:
        """Return the value of a field; None if it is empty."""
        return self.values.get(field)

    def text(self, field: str) -> str:
        """Return the text of a field; empty if it has none."""
        value = self.values.get(field)
        return value if isinstance(value, str) else ""

    def replace(self, **values: Json) -> "Document":
        """Return the document with other values of some fields; None empties a field."""
        changed = {**self.values, **values}
        return Document(self.id, {name: one for name, one in changed.items() if one is not None})


class Added(StrEnum):
    """The result of writing one document."""

    CREATED = "created"
    UPDATED = "updated"
    DUPLICATE = "dups"
    REFUSED = "refused"


class IndexAnswer(NamedTuple):
    """The index's answer for one document; `why` is the reason of a refusal.

    `again`: the server's state caused the refusal, not the document; a later attempt may succeed.
    `elsewhere`: the duplicate is in an older index behind the same alias. `same`: the duplicate is
    this very document (equal in the fields of `Schema.identity`), created by an earlier `add`; its
    message was redelivered after a crash, and its outputs may not be sent yet.
    """

    added: Added
    why: str = ""
    again: bool = False
    elsewhere: bool = False
    same: bool = False


class Erasure(StrEnum):
    """The result of deleting one document."""

    DELETED = "deleted"
    MISSING = "missing"
    FAILED = "failed"


class Erased(NamedTuple):
    """The index's answer for one id; `why` is the reason of a failure."""

    erasure: Erasure
    why: str = ""


@dataclass(frozen=True, slots=True)
class Hit:
    """One search result. `snippet` is plain text around a match; a higher `score` is better."""

    document: Document
    score: float
    snippet: str = ""


class FacetValue(NamedTuple):
    """A value of a field, and the number of hits that have it."""

    value: str
    hits: int


class SearchIndex(Protocol):
    """Documents that are found by id or by full-text search."""

    def add(self, documents: Sequence[Document]) -> list[IndexAnswer]:
        """Create each document that no index has yet; one answer each, in order.

        Raises SearchError if the index as a whole failed: any of the documents may exist then.
        """

    def update(self, documents: Sequence[Document]) -> list[IndexAnswer]:
        """Replace each document in every index that has it, or create it.

        There is one answer for each, in order: UPDATED, CREATED or REFUSED; or DUPLICATE if a later
        document of this call has the same id, as the last one is written. Absent fields are
        removed. A refused document stays unchanged. Raises SearchError as `add` does.
        """

    def get(self, id: str) -> Document | None:
        """Return the document with that id, from any of the indices. Raises SearchError."""

    def find(self, ids: Iterable[str]) -> dict[str, Document]:
        """Return the existing documents of these ids, by id. Raises SearchError.

        Like `get` and `search`, it may miss changes that were made after the last `refresh`.
        """

    def search(self, query: Query) -> Iterator[Hit]:
        """Yield hits, best first; a query without limit keeps only one page in memory.

        Raises QueryError, SearchError.
        """

    def count(self, query: Query) -> int:
        """Return the number of hits. Raises QueryError, SearchError."""

    def facets(
        self, query: Query, fields: Sequence[str], size: int = 10
    ) -> dict[str, list[FacetValue]]:
        """Return the most common values of keyword fields among all hits: most hits first, then by
        value. `query.limit` does not count. Raises QueryError, SearchError.
        """

    def delete(self, ids: Sequence[str]) -> list[Erased]:
        """Delete all copies of documents by id, as of one moment; one answer each, in order.

        The second mention of an id is MISSING. Ids that FAILED may be deleted again; the others
        are not affected. Raises SearchError if the index as a whole failed: any of the documents
        may be deleted then.
        """

    def refresh(self) -> None:
        """Make all earlier changes visible to searches."""

    def limits(self) -> list[str]:
        """Return what searches in this index can't do, or not well, a line each."""

    def close(self) -> None:
        """Close the connections."""


def open_index(url: str, schema: Schema) -> SearchIndex:
    """Open the search index of a URL, with these fields. Raises ConfigurationError, SearchError."""
    scheme = url.partition(":")[0].lower()
    if scheme == "sqlite":
        from indexer.search.sqlite.index import SQLiteIndex  # noqa: PLC0415 - loads one backend only

        return SQLiteIndex.open(url, schema)
    if scheme in ("http", "https"):
        from indexer.search.elasticsearch.index import ElasticsearchIndex  # noqa: PLC0415

        return ElasticsearchIndex.open(url, schema)
    raise ConfigurationError(
        f"no search index for {scheme!r}: URLs start with sqlite:///, http:// or https://"
    )


def check_there(index: SearchIndex) -> None:
    """Raise SearchError unless the index exists and answers."""
    # An empty list of ids sends no request, so look up an id that no document has.
    index.find(["0" * 64])
