"""Stories in many languages and scripts, and functions that make others."""

from functools import cache

import msgspec

from indexer.search import Added, Document, IndexAnswer, SearchIndex
from indexer.search.language.query import Query
from tests.paths import DATA

FILE = DATA / "search" / "corpus.jsonl"


@cache
def corpus() -> tuple[Document, ...]:
    """Return a few dozen stories, whose ids begin with their language."""
    lines = FILE.read_bytes().splitlines()
    return tuple(msgspec.json.decode(line, type=Document) for line in lines)


def story(id: str = "one", text: str = "Some text.", **fields: str | None) -> Document:
    """Return a story with that id and default values for the other fields."""
    values = {
        "url": f"https://site.example/{id}",
        "indexed_date": "2024-01-02T03:04:05.000006",
        "article_title": "A title",
        "canonical_domain": "site.example",
        "language": "en",
        "publication_date": "2024-01-01",
    } | fields
    return Document(id=id, text_content=text, **values)  # type: ignore[arg-type]  # None only where it may


def fill(index: SearchIndex, *documents: Document) -> None:
    """Add new documents and make them visible."""
    answers = index.add(documents)
    assert {answer.added for answer in answers} <= {Added.CREATED}, answers
    index.refresh()


def found(index: SearchIndex, text: str = "*", **query: object) -> list[str]:
    """Return the ids of a query's hits, in order."""
    wanted = {"limit": None} | query
    return [hit.document.id for hit in index.search(Query(text, **wanted))]  # type: ignore[arg-type]


def kinds(answers: list[IndexAnswer]) -> list[str]:
    """Return the result of each document."""
    return [answer.added.name for answer in answers]
