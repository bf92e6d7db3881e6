"""The document of an origin: its intrinsic and its trusted extrinsic metadata, merged on read."""

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any, Final

from indexer.search import Document
from indexer.search.language.schema import Json
from indexer.search.language.words import normal, words
from indexer.software.searching.fields import FACETS, LABELS
from indexer.software.searching.folding import folded, label
from indexer.software.store.origins import OriginMetadata
from indexer.software.store.values import DESCRIBING, says_something

MAX_TEXT: Final = 100_000
"""The most characters of a text in the index."""

MAX_VALUE: Final = 1000
"""The most characters of a keyword."""

MAX_VALUES: Final = 100
"""The most values of a facet of one origin."""

UNITED: Final = ("keywords", "programmingLanguage")
"""Terms whose values are those of all sources; of other terms the first source counts."""

_SPDX = "https://spdx.org/licenses/"
_APART = frozenset({"name", "keywords", "description"})


def document_id(url: str) -> str:
    """Return the id of an origin's document: URLs may be longer than an id."""
    return hashlib.sha256(url.encode()).hexdigest()


def merged(found: OriginMetadata) -> dict[str, Any]:
    """Return one document of all that is known of an origin; empty without metadata.

    The origin's own files come first, then the authorities that are trusted, in their order.
    """
    rows = [found.intrinsic, *(row for row in found.extrinsic if row.trusted)]
    document: dict[str, Any] = {}
    for row in rows:
        if row and row.metadata and says_something(row.metadata):
            for term, value in row.metadata.items():
                united = term in UNITED and term in document
                known = [*_listed(document[term])] if united else []
                new = [each for each in _listed(value) if each not in known]
                if united:
                    document[term] = known + new
                else:
                    document.setdefault(term, value)
    return document


def origin_document(found: OriginMetadata) -> Document | None:
    """Return the document of an origin in the search index; None without metadata."""
    document = merged(found)
    if not document:
        return None
    facets = {
        "license": [*_texts(document.get("license"))],
        "language": [*_texts(document.get("programmingLanguage"))],
        "mapping": _mappings(found),
        "author": [*_texts(document.get("author"))],
    }
    cut = {name: _distinct(facets[name]) for name in FACETS}
    name = next(_texts(document.get("name")), "")
    values: dict[str, Json] = {
        "origin": found.url,
        **cut,
        "head": found.intrinsic.head if found.intrinsic else None,
        "exact": exact_name(name)[:MAX_VALUE],
        "shown": _shown(document, name),
        "name": _joined(_texts(document.get("name"))),
        "keywords": _joined(_texts(document.get("keywords"))),
        "description": _joined(_texts(document.get("description"))),
        "other": _joined(_others(document)),
        LABELS: " ".join(label(field, value) for field, each in cut.items() for value in each),
    }
    return Document(document_id(found.url), {key: each for key, each in values.items() if each})


def exact_name(text: str) -> str:
    """Return the words of a name, or of a query that may be one."""
    return " ".join(words(normal(folded(text))))


def _shown(document: Mapping[str, Any], name: str) -> Json:
    shown = {
        "name": name,
        "version": next(_texts(document.get("version")), ""),
        "description": next(_texts(document.get("description")), ""),
    }
    return {term: text[:MAX_VALUE] for term, text in shown.items() if text}


def _mappings(found: OriginMetadata) -> list[str]:
    rows = [found.intrinsic, *(row for row in found.extrinsic if row.trusted)]
    return [name for row in rows if row for name in row.mappings]


def _distinct(values: list[str]) -> list[str]:
    return [*dict.fromkeys(value[:MAX_VALUE] for value in values)][:MAX_VALUES]


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _texts(value: Any) -> Iterator[str]:
    """The texts of a value: of a person or another object, its name."""
    for each in _listed(value):
        if isinstance(each, dict):
            given = " ".join(filter(None, map(_text, map(each.get, ("givenName", "familyName")))))
            yield from _texts(each.get("name") or given or each.get("@value") or each.get("@list"))
        elif text := _text(each):
            yield text.removeprefix(_SPDX)


def _text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""


def _others(document: Mapping[str, Any]) -> Iterator[str]:
    """All texts but those that have fields of their own: values, not keys (spec 8.1)."""
    for term, value in document.items():
        if term not in _APART and term not in DESCRIBING:
            yield from _within(value)


def _within(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case list():
            for each in value:
                yield from _within(each)
        case dict():
            for term, each in value.items():
                # The id of a person is an ORCID, which people search; that of a type is no text.
                if term not in {"@context", "type", "@type"}:
                    yield from _within(each)


def _joined(texts: Iterator[str]) -> str:
    found, length = [], 0
    for text in texts:
        found.append(text[:MAX_TEXT])
        length += len(text) + 1
        if length > MAX_TEXT:
            break
    return folded("\n".join(found)[:MAX_TEXT])
