"""Stories read from a WARC file: those of this system, and of the one before it.

    Record | Damage … → response, metadata that refers to it → ArchivedStory | Lost …

Reading is liberal (stories.md 0.1, 7.4): fields may be null or missing, unknown keys stay out of
the Story, values of a wrong type are null, and what can't be paired is told and left out.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

import msgspec
from msgspec.structs import FieldInfo

from indexer.search.language.dates import moment
from indexer.stories.story import ContentMetadata, HTTPMetadata, RawHTML, RSSEntry, Story
from indexer.text.cleaning import clean
from indexer.warc.members import Readable
from indexer.warc.reader import read
from indexer.warc.record import Damage, Record

_ENCODING = re.compile(
    rb"^content-type:[^\r\n]*;\s*(?:encoding|charset)=\"?([!-~]+?)\"?\s*$", re.I | re.M
)


@dataclass(frozen=True, slots=True)
class ArchivedStory:
    """A story, where it was in the file, and the metadata record's JSON as it was.

    `number` and `offset` are those of its response record.
    """

    story: Story
    number: int
    offset: int
    uri: str
    date: str
    metadata: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Lost:
    """What could not be made a story: a record without its partner, or damage."""

    number: int
    offset: int
    why: str

    def __str__(self) -> str:
        return f"record {self.number}, offset {self.offset}: {self.why}"


def read_stories(file: Readable) -> Iterator[ArchivedStory | Lost]:
    """The stories of an archive, in order, and what was lost between them. A stream is enough.

    Where a record is damaged, the other one of the same story is not told of once more.
    """
    page: Record | None = None
    damages = 0
    for item in read(file):
        if isinstance(item, Damage):
            damages += 1
            yield Lost(item.number, item.offset, item.why)
        elif item.kind == "response":
            if page and not damages:
                yield _orphan(page)
            page, damages = item, 0
        elif item.kind == "metadata":
            if page and _belongs(item, page):
                yield _story(page, item)
                page, damages = None, 0
            elif damages > bool(page):
                # One was its page, another the metadata of the page before.
                page, damages = None, 0
            else:
                yield _orphan(item)
    if page and not damages:
        yield _orphan(page)


def _orphan(record: Record) -> Lost:
    return Lost(record.number, record.offset, f"a {record.kind} record without its partner")


def _belongs(metadata: Record, page: Record) -> bool:
    """Whether a metadata record is that of a page; without WARC-Refers-To, by its URL."""
    if metadata.refers_to:
        return metadata.refers_to == page.id
    return metadata.uri == page.uri


def _story(page: Record, metadata: Record) -> ArchivedStory | Lost:
    try:
        values = json.loads(metadata.block)
    except (ValueError, RecursionError) as error:
        return Lost(metadata.number, metadata.offset, f"the metadata is not JSON: {error}")
    if not isinstance(values, dict):
        return Lost(metadata.number, metadata.offset, "the metadata is not a JSON object")
    story = make_story(values, page, metadata.date)
    return ArchivedStory(story, page.number, page.offset, page.uri, page.date, values)


def make_story(metadata: Mapping[str, Any], page: Record, written: str = "") -> Story:
    """The Story of a metadata object and a response; `written` is the metadata's WARC-Date.

    A parsed_date that is missing, or no date, is that date; the page's encoding is the declared
    one, or that of the archived HTTP header (stories.md 7.4).
    """
    head, html = page.http()
    http = _liberal(HTTPMetadata, metadata.get("http_metadata"))
    content = _liberal(ContentMetadata, metadata.get("content_metadata"))
    if not moment(content.parsed_date or ""):
        content.parsed_date = written.removesuffix("Z") or None
    return Story(
        rss_entry=_liberal(RSSEntry, metadata.get("rss_entry")),
        http_metadata=http,
        content_metadata=content,
        raw_html=RawHTML(html=html, encoding=http.encoding or _encoding(head)),
    )


def _encoding(head: bytes) -> str | None:
    found = _ENCODING.search(head)
    return found[1].decode("ascii") if found else None


T = TypeVar("T", RSSEntry, HTTPMetadata, ContentMetadata)


def _liberal(kind: type[T], values: object) -> T:
    """The object of what was archived of it: whatever can be used of whatever was there."""
    if not isinstance(values, dict):
        return kind()
    return kind(
        **{field.name: _value(values.get(field.name), field.type) for field in _fields(kind)}
    )


@cache
def _fields(kind: type[T]) -> Sequence[FieldInfo]:
    return msgspec.structs.fields(kind)


def _value(value: object, kind: Any) -> Any:
    """A field's value, converted where that loses nothing; None if it can't be one."""
    if value is None:
        return None
    try:
        value = msgspec.convert(value, kind, strict=False)
    except msgspec.ValidationError:
        return None
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        return None
    return _without_surrogates(value) if isinstance(value, str) else value


def _without_surrogates(text: str) -> str:
    """The text, if it can be sent; JSON may hold what Unicode can't."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return clean(text)
    return text
