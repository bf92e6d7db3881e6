"""Search indexes of the collected stories. A URL chooses the backend.

sqlite:///data/index.sqlite3             one file, full-text search
http://user:password@host:9200/mc_search Elasticsearch: the path is the alias to write to
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Protocol

from indexer.errors import ConfigurationError
from indexer.search.language.query import Query


@dataclass(frozen=True, slots=True)
class Document:
    """The indexed fields of one story (stories.md 7.2, 8). Empty fields are None.

    `id` is the sha256 (hex) of the normalised URL. `publication_date` is YYYY-MM-DD;
    `indexed_date` is a UTC date-time with microseconds.
    """

    id: str
    url: str
    text_content: str
    indexed_date: str
    article_title: str | None = None
    canonical_domain: str | None = None
    language: str | None = None
    publication_date: str | None = None


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
    this very document (equal URL and `indexed_date`), created by an earlier `add`; its message was
    redelivered after a crash, and its story may not be archived yet.
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


class SearchIndex(Protocol):
    """Documents that are found by id or by full-text search."""

    def add(self, documents: Sequence[Document]) -> list[IndexAnswer]:
        """Create each document that no index has yet; one answer each, in order.

        Raises SearchError if the index as a whole failed: any of the documents may exist then.
        """

    def update(self, documents: Sequence[Document]) -> list[IndexAnswer]:
        """Replace each document in every index that has it, or create it.

        There is one answer for each, in order: UPDATED, CREATED or REFUSED; or DUPLICATE if a later
        document of this call has the same id, as the last one is written. Fields that are None are
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

    def delete(self, ids: Sequence[str]) -> list[Erased]:
        """Delete all copies of documents by id, as of one moment; one answer each, in order.

        The second mention of an id is MISSING. Ids that FAILED may be deleted again; the others
        are not affected. Raises SearchError if the index as a whole failed: any of the documents
        may be deleted then.
        """

    def refresh(self) -> None:
        """Make all earlier changes visible to searches."""

    def close(self) -> None:
        """Close the connections."""


def open_index(url: str) -> SearchIndex:
    """Open the search index of a URL. Raises ConfigurationError, SearchError."""
    scheme = url.partition(":")[0].lower()
    if scheme == "sqlite":
        from indexer.search.sqlite.index import SQLiteIndex  # noqa: PLC0415 - loads one backend only

        return SQLiteIndex.open(url)
    if scheme in ("http", "https"):
        from indexer.search.elasticsearch.index import ElasticsearchIndex  # noqa: PLC0415

        return ElasticsearchIndex.open(url)
    raise ConfigurationError(
        f"no search index for {scheme!r}: URLs start with sqlite:///, http:// or https://"
    )


def check_there(index: SearchIndex) -> None:
    """Raise SearchError unless the index exists and answers."""
    # An empty list of ids sends no request, so look up an id that no document has.
    index.find(["0" * 64])
