"""The embedded index: full-text search in one SQLite file, shared by the processes of a machine.

sqlite:///data/index.sqlite3     relative to the working directory
sqlite:////srv/index.sqlite3     an absolute path

The first `add` creates the file. Its table `documents` stores the stories; the FTS5 table `words`
stores, without a copy of the text, the words of titles and texts, separated by spaces, as
`search.language.words` splits them.
"""

import json
import os
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple, Self

from indexer.errors import ConfigurationError, SearchError
from indexer.search import Added, Document, Erased, Erasure, Hit, IndexAnswer
from indexer.search.documents import searchable, write_accepted
from indexer.search.language.dates import day
from indexer.search.language.query import Query, plan
from indexer.search.language.snippet import Snippets
from indexer.search.language.tree import Tree
from indexer.search.language.words import words
from indexer.search.sqlite.query import statement

PREFIX = "sqlite:///"

FORMAT = 1
"""The version of the tables. A file of another version is refused."""

APPLICATION_ID = 0x53494449
"""SQLite's `application_id` of a search index: "SIDI"."""

BUSY_SECONDS = 60.0
"""How long to wait for other processes' transactions, each of which takes a second at most."""

# The words are split already, so the tokenizer must split at spaces only. `ascii` treats every
# character beyond ASCII as part of a word; the punctuation of ASCII has to be listed.
_TOKENIZER = """ascii tokenchars '!"#$%&''''()*+,-./:;<=>?@[\\]^_`{|}~'""".replace('"', '""')

# `published` is `publication_date` if that is a valid date, else NULL, which no range matches.
# AUTOINCREMENT: a deleted story's number is never reused, so no old row of `words` can match it.
_TABLES = f"""
CREATE TABLE documents (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    url TEXT NOT NULL,
    article_title TEXT,
    canonical_domain TEXT,
    language TEXT,
    publication_date TEXT,
    published TEXT,
    indexed_date TEXT NOT NULL,
    text_content TEXT NOT NULL
);
CREATE INDEX by_date ON documents (published, indexed_date);
CREATE INDEX by_domain ON documents (canonical_domain);
CREATE VIRTUAL TABLE words USING fts5(
    article_title, text_content, content='', tokenize="{_TOKENIZER}"
);
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {FORMAT};
"""

_INSERT = """
INSERT INTO documents (
    id, url, article_title, canonical_domain, language, publication_date, published,
    indexed_date, text_content
) VALUES (
    :id, :url, :article_title, :canonical_domain, :language, :publication_date, :published,
    :indexed_date, :text_content
) ON CONFLICT (id) DO NOTHING RETURNING number
"""

_SELECT = """
SELECT id, url, text_content, indexed_date, article_title, canonical_domain, language,
    publication_date
FROM documents
"""

_BY_IDS = _SELECT + "WHERE id IN (SELECT value FROM json_each(?))"  # noqa: S608 - constants only
_BY_NUMBER = _SELECT + "WHERE number = ?"


class _Row(NamedTuple):
    """A document, and the words of its title and text."""

    document: Document
    words: tuple[str, str]


class SQLiteIndex:
    """A full-text index in an SQLite file. Thread-safe."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._writer: sqlite3.Connection | None = None

    @classmethod
    def open(cls, url: str) -> Self:
        """Open the index of a URL. Raises ConfigurationError."""
        path = url[len(PREFIX) :]
        if not url.lower().startswith(PREFIX) or not path or "\x00" in path:
            raise ConfigurationError(f"not {PREFIX}PATH, with three slashes: {url!r}")
        return cls(Path(path).absolute())

    def add(self, documents: Sequence[Document]) -> list[IndexAnswer]:
        """Create each document that does not exist yet, all in one transaction."""
        return write_accepted(documents, lambda accepted: self._write(accepted, _insert))

    def update(self, documents: Sequence[Document]) -> list[IndexAnswer]:
        """Replace each document that exists and create the others, all in one transaction."""
        return write_accepted(
            documents, lambda accepted: self._write(accepted, _replace), last=True
        )

    def get(self, id: str) -> Document | None:
        """Return the document with that id."""
        return self.find([id]).get(id)

    def find(self, ids: Iterable[str]) -> dict[str, Document]:
        """Return the existing documents of these ids, as of one moment."""
        # One parameter for all ids: SQLite limits the number of parameters.
        wanted = json.dumps(sorted({searchable(id) for id in ids}))
        with self._reading() as connection:
            return {row[0]: Document(*row) for row in connection.execute(_BY_IDS, [wanted])}

    def search(self, query: Query) -> Iterator[Hit]:
        """Yield hits, best first, of the index's present state: later changes do not show."""
        tree = plan(query)
        # Errors come from this call; those of the generator only when it is first read.
        self._check()
        return self._hits(tree, query.limit)

    def count(self, query: Query) -> int:
        """Return the number of hits."""
        found = statement(plan(query))
        with self._reading() as connection:
            return int(connection.execute(found.counted, found.values).fetchone()[0])

    def delete(self, ids: Sequence[str]) -> list[Erased]:
        """Delete documents by id, all in one transaction."""
        self._check()
        with self._writing() as connection:
            deleted = [_delete(connection, searchable(id)) for id in ids]
        return [Erased(Erasure.DELETED if one else Erasure.MISSING) for one in deleted]

    def refresh(self) -> None:
        """Do nothing: changes are visible at once."""

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            if self._writer:
                self._writer.close()
                self._writer = None

    def _write(
        self,
        documents: Sequence[Document],
        write: Callable[[sqlite3.Connection, "_Row"], IndexAnswer],
    ) -> list[IndexAnswer]:
        # Splitting texts takes most of the time, so it comes before the lock.
        rows = [_Row(one, _word_columns(one.article_title, one.text_content)) for one in documents]
        with self._writing() as connection:
            return [write(connection, row) for row in rows]

    def _hits(self, tree: Tree, limit: int | None) -> Iterator[Hit]:
        snippets = Snippets(tree)
        with self._reading() as connection:
            search = statement(tree)
            # The search selects numbers only: sorting whole documents would need their memory.
            for number, score in connection.execute(search.limited(limit), search.values):
                document = Document(*connection.execute(_BY_NUMBER, [number]).fetchone())
                yield Hit(document, score, snippets.of(document.text_content))

    def _check(self) -> None:
        if not self._path.exists():
            raise SearchError(f"no search index at {self._path}: `story-indexer run` makes one")

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """Open a connection whose transaction sees the index's present state."""
        self._check()
        with self._explained(), closing(_connect(self._path)) as connection:
            connection.execute("PRAGMA query_only = 1")
            connection.execute("BEGIN")
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Run the only writing transaction of all threads and processes."""
        with self._lock, self._explained():
            if not self._writer:
                _make(self._path)
                self._writer = _connect(self._path)
            # Taking the write lock at once can wait; upgrading a read lock would fail instead.
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                yield self._writer
                self._writer.execute("COMMIT")
            except BaseException:
                if self._writer.in_transaction:
                    self._writer.execute("ROLLBACK")
                raise

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise SearchError(f"the search index {self._path}: {error}") from error
        except OSError as error:
            raise SearchError(f"can't use {self._path} as a search index: {error}") from error


def _make(path: Path) -> None:
    """Create the file if it does not exist."""
    # Written aside, then linked: other processes never see it half made, and none is overwritten.
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f".{path.name}-{os.getpid()}-{threading.get_ident()}")
    try:
        with closing(sqlite3.connect(aside, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.executescript(_TABLES)
        with suppress(FileExistsError):
            path.hardlink_to(aside)
    finally:
        aside.unlink(missing_ok=True)


def _connect(path: Path) -> sqlite3.Connection:
    """Connect to an existing search index."""
    connection = sqlite3.connect(
        f"{path.as_uri()}?mode=rw",
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )
    try:
        _check_format(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _check_format(connection: sqlite3.Connection, path: Path) -> None:
    try:
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
    except sqlite3.DatabaseError as error:
        raise SearchError(f"{path} can't be read as a search index: {error}") from error
    if application != APPLICATION_ID:
        raise ConfigurationError(f"{path} is not a search index: give another file")
    if version != FORMAT:
        raise ConfigurationError(
            f"{path} is a search index of format {version}, this program has {FORMAT}: "
            "use the program that made it, or import the stories again"
        )


def _word_columns(title: str | None, text: str) -> tuple[str, str]:
    return " ".join(words(title or "")), " ".join(words(text))


def _insert(connection: sqlite3.Connection, row: _Row) -> IndexAnswer:
    """Create a document unless its id exists."""
    document = row.document
    values = asdict(document) | {"published": day(document.publication_date)}
    inserted = connection.execute(_INSERT, values).fetchone()
    if not inserted:
        return IndexAnswer(Added.DUPLICATE, same=_is_same(connection, document))
    connection.execute(
        "INSERT INTO words (rowid, article_title, text_content) VALUES (?, ?, ?)",
        (*inserted, *row.words),
    )
    return IndexAnswer(Added.CREATED)


def _replace(connection: sqlite3.Connection, row: _Row) -> IndexAnswer:
    """Write a document, instead of the one with its id if that exists."""
    existed = _delete(connection, row.document.id)
    _insert(connection, row)
    return IndexAnswer(Added.UPDATED if existed else Added.CREATED)


def _is_same(connection: sqlite3.Connection, document: Document) -> bool:
    """Return whether an earlier `add` has created this very document."""
    found = connection.execute(
        "SELECT 1 FROM documents WHERE id = ? AND url = ? AND indexed_date = ?",
        (document.id, document.url, document.indexed_date),
    )
    return found.fetchone() is not None


def _delete(connection: sqlite3.Connection, id: str) -> bool:
    row = connection.execute(
        "DELETE FROM documents WHERE id = ? RETURNING number, article_title, text_content", [id]
    ).fetchone()
    if not row:
        return False
    number, title, text = row
    # FTS5 without content does not know the words of a row: to remove them it has to be given them.
    connection.execute(
        "INSERT INTO words (words, rowid, article_title, text_content) VALUES ('delete', ?, ?, ?)",
        (number, *_word_columns(title, text)),
    )
    return True
