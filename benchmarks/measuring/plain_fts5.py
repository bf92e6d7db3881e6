"""What a script does without us: all fields in one FTS5 table, whose rows are neither checked nor
found by an id."""

import sqlite3
from collections.abc import Iterable
from itertools import chain
from pathlib import Path

from indexer.search import Document
from indexer.text.chunks import chunks

COLUMNS = ("article_title", "text_content", "canonical_domain", "publication_date", "url")
_CREATE = (
    "CREATE VIRTUAL TABLE stories USING fts5(article_title, text_content, "
    "canonical_domain UNINDEXED, publication_date UNINDEXED, url UNINDEXED)"
)


def write(path: Path, documents: Iterable[Document], batch: int) -> None:
    """Write the documents into a new file, a transaction for each batch."""
    connection = sqlite3.connect(path, isolation_level=None)
    for statement in ("PRAGMA journal_mode = WAL", _CREATE):
        connection.execute(statement)
    for some in chunks(documents, batch):
        rows = ([document.text(name) for name in COLUMNS] for document in some)
        connection.execute("BEGIN")
        connection.executemany("INSERT INTO stories VALUES (?, ?, ?, ?, ?)", rows)
        connection.execute("COMMIT")
    connection.close()


def search(path: Path, word: str, domain: str) -> list[str]:
    """The URLs of the 20 best hits with a word, of a domain."""
    connection = sqlite3.connect(path)
    found = connection.execute(
        "SELECT url FROM stories WHERE stories MATCH ? AND canonical_domain = ? "
        "ORDER BY rank LIMIT 20",
        (f'"{word}"', domain),
    ).fetchall()
    connection.close()
    return list(chain.from_iterable(found))
