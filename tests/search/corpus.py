"""Stories in many languages and scripts, and functions that make others."""

from functools import cache

import msgspec

from indexer.search import Added, Document, IndexAnswer, SearchIndex
from indexer.search.language.query import Query
from indexer.search.language.schema import Json
from indexer.stories.indexing.filters import filters
from tests.paths import DATA

QUERY = {"limit", "sort"}
"""The parameters of a query that are no filters."""

FILE = DATA / "search" / "corpus.jsonl"


@cache
def corpus() -> tuple[Document, ...]:
    """Return a few dozen stories, whose ids begin with their language."""
    stories = map(msgspec.json.decode, FILE.read_bytes().splitlines())
    return tuple(document(**each) for each in stories)


def document(id: str, **fields: Json) -> Document:
    """Return a document without the fields that are None."""
    return Document(id, {}).replace(**fields)


def story(id: str = "one", text: str = "Some text.", **fields: Json) -> Document:
    """Return a story with that id and default values for the other fields."""
    values = {
        "url": f"https://site.example/{id}",
        "indexed_date": "2024-01-02T03:04:05.000006",
        "article_title": "A title",
        "canonical_domain": "site.example",
        "language": "en",
        "publication_date": "2024-01-01",
    } | fields
    return document(id, text_content=text, **values)


def fill(index: SearchIndex, *documents: Document) -> None:
    """Add new documents and make them visible."""
    answers = index.add(documents)
    assert {answer.added for answer in answers} <= {Added.CREATED}, answers
    index.refresh()


def found(index: SearchIndex, text: str = "*", **query: object) -> list[str]:
    """Return the ids of a query's hits, in order."""
    options = {"limit": None} | {name: query.pop(name) for name in QUERY & query.keys()}
    wanted = Query(text, filters(**query), **options)  # type: ignore[arg-type]  # as they are called
    return [hit.document.id for hit in index.search(wanted)]


def kinds(answers: list[IndexAnswer]) -> list[str]:
    """Return the result of each document."""
    return [answer.added.name for answer in answers]
