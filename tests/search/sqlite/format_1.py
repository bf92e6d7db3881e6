"""A file of format 1, as programs before the table of fields have made it."""

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from indexer.search import Document
from indexer.search.language.dates import day
from indexer.search.language.words import words

_TOKENIZER = """ascii tokenchars '!"#$%&''''()*+,-./:;<=>?@[\\]^_`{|}~'""".replace('"', '""')

DEFINITIONS = f"""
PRAGMA journal_mode = WAL;
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
PRAGMA application_id = {0x53494449};
PRAGMA user_version = 1;
"""

COLUMNS = "id url article_title canonical_domain language publication_date published indexed_date"


def make(path: Path, documents: Iterable[Document]) -> None:
    """Make a file with these stories."""
    columns = [*COLUMNS.split(), "text_content"]
    insert = f"INSERT INTO documents ({', '.join(columns)}) VALUES ({', '.join('?' * 9)})"  # noqa: S608 - constants only
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(DEFINITIONS)
        for document in documents:
            facts = {"id": document.id, "published": day(document.text("publication_date"))}
            values = {**document.values, **facts}
            number = connection.execute(insert, [values.get(each) for each in columns]).lastrowid
            texts = (document.text("article_title"), document.text("text_content"))
            connection.execute(
                "INSERT INTO words (rowid, article_title, text_content) VALUES (?, ?, ?)",
                (number, *(" ".join(words(text)) for text in texts)),
            )
        connection.commit()
