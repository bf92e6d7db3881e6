"""Documents as the indexes take them: one form on every index, and the reasons to refuse one."""

from collections.abc import Sequence
from dataclasses import replace

from indexer.search import Added, Document, IndexAnswer
from indexer.search.language.dates import FIRST, LAST, moment
from indexer.search.language.words import normal

MAX_ID_BYTES = 512
"""Elasticsearch's limit."""

MAX_KEYWORD_LENGTH = 8191
"""Of a domain or language: Lucene takes 32,766 bytes, four of which may be one character."""

MAX_DOCUMENT_CHARACTERS = 20_000_000
"""Below 100 MB as JSON, the most that Elasticsearch takes at once by default."""

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
    """A document that no index can hold; the text is the reason."""


def acceptable(document: Document) -> Document:
    """The document as it is indexed. Raises Unacceptable.

    Title and text are in composed form, as queries are, so that é is found however it is spelt;
    `indexed_date` is in UTC with six digits of a second.
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


def admitted(documents: Sequence[Document], *, last: bool = False) -> list[Document | IndexAnswer]:
    """Each document as it is indexed, or the answer to one that isn't.

    Of several with one id the first is taken, or the `last`; the others are duplicates.
    """
    found = [_admitted(document) for document in documents]
    places: dict[str, int] = {}
    for place, one in enumerate(found):
        if isinstance(one, Document) and (last or one.id not in places):
            places[one.id] = place
    return [
        one
        if isinstance(one, IndexAnswer) or places[one.id] == place
        else IndexAnswer(Added.DUPLICATE)
        for place, one in enumerate(found)
    ]


def _admitted(document: Document) -> Document | IndexAnswer:
    try:
        return acceptable(document)
    except Unacceptable as error:
        return IndexAnswer(Added.REFUSED, str(error))


def _flaw(texts: list[str]) -> str:
    """What is wrong with the characters of a document."""
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
    """What is wrong with a field of a document."""
    if not 0 < len(document.id.encode()) <= MAX_ID_BYTES:
        return f"its id is empty or longer than {MAX_ID_BYTES} bytes"
    for field in ("canonical_domain", "language"):
        if len(getattr(document, field) or "") > MAX_KEYWORD_LENGTH:
            return f"its {field} has more than {MAX_KEYWORD_LENGTH} characters"
    indexed = moment(document.indexed_date) or ""
    if not FIRST.isoformat() <= indexed < LAST.isoformat():
        return "its indexed_date is not a date-time of 1970 to 2261"
    return ""
