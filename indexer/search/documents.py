"""Checks and normalises documents before indexing, in the same way for every backend."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from indexer.search import Added, Document, IndexAnswer
from indexer.search.language.dates import FIRST, LAST, moment
from indexer.search.language.words import normal

MAX_ID_BYTES = 512
"""Elasticsearch's limit."""

MAX_KEYWORD_LENGTH = 8191
"""Characters of a domain or language: Lucene's limit is 32,766 bytes, up to four a character."""

MAX_DOCUMENT_CHARACTERS = 20_000_000
"""Below 100 MB as JSON, Elasticsearch's default limit for one request."""

FIELDS = (
    "article_title",
    "canonical_domain",
    "indexed_date",
    "language",
    "publication_date",
    "text_content",
    "url",
)
"""The fields of the index (stories.md 8)."""


class Unacceptable(ValueError):
    """A document that no backend can store; the text is the reason."""


def acceptable(document: Document) -> Document:
    """Return the document in its indexed form. Raises Unacceptable.

    Title and text are in Unicode's composed form, like queries, so both spellings of é are found;
    `indexed_date` is in UTC with microseconds.
    """
    texts = [document.id] + [getattr(document, field) or "" for field in FIELDS]
    if flaw := _flaw(texts) or _misfit(document):
        raise Unacceptable(flaw)
    return replace(
        document,
        article_title=normal(document.article_title) if document.article_title else None,
        text_content=normal(document.text_content),
        indexed_date=moment(document.indexed_date) or "",
    )


def write_accepted(
    documents: Sequence[Document],
    write: Callable[[Sequence[Document]], Iterable[IndexAnswer]],
    *,
    last: bool = False,
) -> list[IndexAnswer]:
    """Call `write` with the indexed form of the acceptable documents; return one answer for each.

    Of several documents with one id the first is written, or the `last`; the others are duplicates.
    """
    refused: dict[int, IndexAnswer] = {}
    accepted: dict[str, Document] = {}
    places: dict[str, int] = {}
    for place, document in enumerate(documents):
        try:
            found = acceptable(document)
        except Unacceptable as error:
            refused[place] = IndexAnswer(Added.REFUSED, str(error))
            continue
        if last or document.id not in accepted:
            accepted[document.id], places[document.id] = found, place
    answers = dict(zip(accepted, write([*accepted.values()]) if accepted else (), strict=True))
    return [
        refused.get(place)
        or (answers[one.id] if places[one.id] == place else IndexAnswer(Added.DUPLICATE))
        for place, one in enumerate(documents)
    ]


def searchable(id: str) -> str:
    """Return an id that can be sent to a backend; ids with lone surrogates match no document."""
    return id.encode(errors="replace").decode()


def _flaw(texts: list[str]) -> str:
    """Return the fault in the characters of a document; empty if there is none."""
    if any("\x00" in text for text in texts):
        return "it has a NUL character"
    try:
        for text in texts:
            text.encode()
    except UnicodeEncodeError:
        return "it has a character that is half a surrogate pair"
    if sum(map(len, texts)) > MAX_DOCUMENT_CHARACTERS:
        return f"it has more than {MAX_DOCUMENT_CHARACTERS} characters"
    return ""


def _misfit(document: Document) -> str:
    """Return the fault in a field of a document; empty if there is none."""
    if not 0 < len(document.id.encode()) <= MAX_ID_BYTES:
        return f"its id is empty or longer than {MAX_ID_BYTES} bytes"
    for field in ("canonical_domain", "language"):
        if len(getattr(document, field) or "") > MAX_KEYWORD_LENGTH:
            return f"its {field} has more than {MAX_KEYWORD_LENGTH} characters"
    indexed = moment(document.indexed_date) or ""
    if not FIRST.isoformat() <= indexed < LAST.isoformat():
        return "its indexed_date is not a date-time of 1970 to 2261"
    return ""
