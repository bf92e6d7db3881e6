"""Search indexes: what was collected, to be found again. A URL chooses one.

sqlite:///data/index.sqlite3             one file, full-text search
http://user:password@host:9200/mc_search Elasticsearch: the path is the alias to write to
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Protocol

from indexer.errors import ConfigurationError
from indexer.search.language.plan import Query


@dataclass(frozen=True, slots=True)
class Document:
    """What the index holds of one story (stories.md 7.2, 8). Empty fields are None.

    `id` is the sha256 hex of the normalised URL. `publication_date` is YYYY-MM-DD;
    `indexed_date` a UTC date-time with microseconds.
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
    """What became of one document of a bulk request."""

    CREATED = "created"
    UPDATED = "updated"
    DUPLICATE = "dups"
    REFUSED = "refused"


class IndexAnswer(NamedTuple):
    """The index's answer for one document; `why` it was refused.

    `again` marks a refusal that was the server's state, not the document's fault: try it later.
    `elsewhere` marks a duplicate that is in an older index behind the same alias. `same` marks a
    duplicate that is this very document (its URL and `indexed_date` are equal), created by an
    earlier `add`: the message came again after a crash, and its story may be archived nowhere yet.
    """

    added: Added
    why: str = ""
    again: bool = False
    elsewhere: bool = False
    same: bool = False


class Erasure(StrEnum):
    """What became of one document that was to be deleted."""

    DELETED = "deleted"
    MISSING = "missing"
    FAILED = "failed"


class Erased(NamedTuple):
    """The index's answer for one id; `why` a document may still be there."""

    erasure: Erasure
    why: str = ""


@dataclass(frozen=True, slots=True)
class Hit:
    """One result. `snippet` is plain text around what matched; `score` is larger when better."""

    document: Document
    score: float
    snippet: str = ""


class SearchIndex(Protocol):
    """Documents by id, found by their text."""

    def add(self, documents: Sequence[Document]) -> list[IndexAnswer]:
        """Create each document that is in none of the indices; one answer each, in order.

        Raises SearchError when the index as a whole failed: then nothing is known of any.
        """

    def update(self, documents: Sequence[Document]) -> list[IndexAnswer]:
        """Replace each document wherever it is, or create it; one answer each, in order.

        UPDATED, CREATED or REFUSED; DUPLICATE if a later one of these has the same id, and is the
        one that was written. Fields that are None are no longer there. What is refused is as it
        was. Raises SearchError as `add` does.
        """

    def get(self, id: str) -> Document | None:
        """The document with that id, in whichever of the indices. Raises SearchError."""

    def find(self, ids: Iterable[str]) -> dict[str, Document]:
        """Those of the documents that are there, by id. Raises SearchError.

        Like `get` and searches, it may miss what was added or changed after the last `refresh`.
        """

    def search(self, query: Query) -> Iterator[Hit]:
        """Hits, best first; streamed, so a query without limit holds no more than a page.

        Raises QueryError, SearchError.
        """

    def count(self, query: Query) -> int:
        """How many hits there are. Raises QueryError, SearchError."""

    def delete(self, ids: Sequence[str]) -> list[Erased]:
        """Delete documents by id, all copies; one answer each, in order, as of one moment.

        An id that is named again is MISSING then. One that FAILED may be deleted again: nothing
        else is affected. Raises SearchError when the index as a whole failed: nothing is known.
        """

    def refresh(self) -> None:
        """Make all that was added visible to searches."""

    def close(self) -> None:
        """Let go of the index."""


def open_index(url: str) -> SearchIndex:
    """The search index of a URL. Raises ConfigurationError, SearchError."""
    scheme = url.partition(":")[0].lower()
    if scheme == "sqlite":
        from indexer.search.sqlite.index import SQLiteIndex  # noqa: PLC0415 - only the one in use

        return SQLiteIndex.open(url)
    if scheme in ("http", "https"):
        from indexer.search.elasticsearch.index import ElasticsearchIndex  # noqa: PLC0415

        return ElasticsearchIndex.open(url)
    raise ConfigurationError(
        f"no search index for {scheme!r}: URLs start with sqlite:///, http:// or https://"
    )


def check_there(index: SearchIndex) -> None:
    """Ask whether the index is there and answers. Raises SearchError if not."""
    # For no ids at all a server would not be asked.
    index.find(["0" * 64])
