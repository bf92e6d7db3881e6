"""Checks and normalises documents before indexing, in the same way for every backend."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from indexer.search import Added, Document, IndexAnswer
from indexer.search.language.dates import FIRST, LAST, moment
from indexer.search.language.schema import Field, FieldType, Json, Schema
from indexer.search.language.values import MAX_INTEGER
from indexer.search.language.words import normal

MAX_ID_BYTES = 512
"""Elasticsearch's limit."""

MAX_KEYWORD_LENGTH = 8191
"""Characters of a keyword: Lucene's limit is 32,766 bytes, up to four a character."""

MAX_DOCUMENT_CHARACTERS = 20_000_000
"""Below 100 MB as JSON, Elasticsearch's default limit for one request."""


class Unacceptable(ValueError):
    """A document that no backend can store; the text is the reason."""


def acceptable(document: Document, schema: Schema) -> Document:
    """Return the document in its indexed form. Raises Unacceptable.

    Texts are in Unicode's composed form, like queries, so both spellings of é are found; timestamps
    are in UTC with microseconds; empty values are absent.
    """
    _characters(document.id)
    if not 0 < len(document.id.encode()) <= MAX_ID_BYTES:
        raise Unacceptable(f"its id is empty or longer than {MAX_ID_BYTES} bytes")
    if unknown := document.values.keys() - schema.by_name.keys():
        raise Unacceptable(f"the index has no field {', '.join(sorted(unknown))}")
    values: dict[str, Json] = {}
    for field in schema.fields:
        value = document.values.get(field.name)
        if value is not None and value not in ("", [], ()):
            values[field.name] = _indexed(field, value)
        elif field.required:
            raise Unacceptable(f"it has no {field.name}")
    if sum(map(text_length, values.values())) > MAX_DOCUMENT_CHARACTERS:
        raise Unacceptable(f"it has more than {MAX_DOCUMENT_CHARACTERS} characters")
    return Document(document.id, values)


def is_same(document: Document, stored: Mapping[str, Json], schema: Schema) -> bool:
    """Return whether the stored values are those of this very document: see `Schema.identity`."""
    # Documents of other programs may have other spellings of a timestamp.
    return all(
        document.get(name) == _comparable(schema.by_name[name], stored.get(name))
        for name in schema.identity
    )


def write_accepted(
    documents: Sequence[Document],
    schema: Schema,
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
            found = acceptable(document, schema)
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


def text_length(value: Json) -> int:
    """Return the number of characters of all texts in a value; other values count as one."""
    match value:
        case str():
            return len(value)
        case list():
            return sum(map(text_length, value))
        case Mapping():
            return sum(len(name) + text_length(each) for name, each in value.items())
        case _:
            return 1


def searchable(id: str) -> str:
    """Return an id that can be sent to a backend; ids with lone surrogates match no document."""
    return id.encode(errors="replace").decode()


def _indexed(field: Field, value: Json) -> Json:
    try:
        return _FORMS[field.type](value)
    except _Misfit as error:
        raise Unacceptable(f"its {field.name} {error}") from error


def _comparable(field: Field, value: Json) -> Json:
    try:
        return None if value is None else _indexed(field, value)
    except Unacceptable:
        return None


class _Misfit(ValueError):
    """A value that is not of its field's type."""


def _characters(text: str) -> None:
    if "\x00" in text:
        raise Unacceptable("it has a NUL character")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise Unacceptable("it has a character that is half a surrogate pair") from error


def _plain(value: Json) -> str:
    if not isinstance(value, str):
        raise _Misfit("is not a text")
    _characters(value)
    return value


def _text(value: Json) -> str:
    return normal(_plain(value))


def _keyword(value: Json) -> str:
    keyword = _plain(value)
    if len(keyword) > MAX_KEYWORD_LENGTH:
        raise _Misfit(f"has more than {MAX_KEYWORD_LENGTH} characters")
    return keyword


def _keywords(value: Json) -> list[str]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise _Misfit("is not a list of texts")
    return [_keyword(each) for each in value]


def _timestamp(value: Json) -> str:
    found = moment(_plain(value)) or ""
    if not FIRST.isoformat() <= found < LAST.isoformat():
        raise _Misfit("is not a date-time of 1970 to 2261")
    return found


def _integer(value: Json) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > MAX_INTEGER:
        raise _Misfit("is not a whole number of 64 bits")
    return value


def _float(value: Json) -> float:
    try:
        number = float(value) if isinstance(value, int | float) else math.nan
    except OverflowError:
        number = math.inf
    if not math.isfinite(number) or isinstance(value, bool):
        raise _Misfit("is not a number of 64 bits")
    return number


def _boolean(value: Json) -> bool:
    if not isinstance(value, bool):
        raise _Misfit("is not true or false")
    return value


def _stored(value: Json) -> Json:
    # Through JSON, so that both backends return the same: lists, and keys that are texts.
    try:
        decoded: Json = msgspec.json.decode(msgspec.json.encode(value))
    except (msgspec.MsgspecError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise _Misfit("is not a value of JSON") from error
    return decoded


_FORMS: dict[FieldType, Callable[[Json], Json]] = {
    FieldType.TEXT: _text,
    FieldType.KEYWORD: _keyword,
    FieldType.KEYWORDS: _keywords,
    FieldType.URL: _plain,
    FieldType.DATE: _plain,
    FieldType.TIMESTAMP: _timestamp,
    FieldType.INTEGER: _integer,
    FieldType.FLOAT: _float,
    FieldType.BOOLEAN: _boolean,
    FieldType.STORED: _stored,
}
"""Returns the indexed form of a value. Raises _Misfit, Unacceptable."""
