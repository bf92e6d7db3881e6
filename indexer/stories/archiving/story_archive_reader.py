"""Reads stories from WARC files that this system or the previous one has written.

    Record | Damage … → response, metadata that refers to it → ArchivedStory | Fault …

Reading is liberal (stories.md 0.1, 7.4): fields may be null or missing, unknown ones are kept,
values of a wrong type become null, and texts lose the characters that are removed from pages, too.
Records without their partner are reported and skipped.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

import msgspec
from msgspec.structs import FieldInfo

from indexer.messages import wire
from indexer.stories.story import (
    DUMP_OBJECTS,
    ContentMetadata,
    HTTPMetadata,
    RawHTML,
    RSSEntry,
    Story,
)
from indexer.text.cleaning import clean, is_text
from indexer.warc.members import Readable
from indexer.warc.reader import read
from indexer.warc.record import Damage, Record

_ENCODING = re.compile(
    rb"^content-type:[^\r\n]*;\s*(?:encoding|charset)=\"?([!-~]+?)\"?\s*$", re.I | re.M
)

_URLS = {
    "link",
    "source_url",
    "final_url",
    "url",
    "original_url",
    "normalized_url",
    "canonical_url",
}


@dataclass(frozen=True, slots=True)
class ArchivedStory:
    """A story, the place of its response record, and the JSON of its metadata record."""

    story: Story
    number: int
    offset: int
    uri: str
    date: str
    metadata: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of an archive: the number of the record, from 1, and its offset in the file.

    The offset of a fault of the whole file is below 0.
    """

    number: int
    offset: int
    why: str

    def __str__(self) -> str:
        if self.offset < 0:
            return self.why
        return f"record {self.number}, offset {self.offset}: {self.why}"


def read_stories(file: Readable) -> Iterator[ArchivedStory | Fault]:
    """The stories of an archive, in order, and the faults between them. `file` may be a stream.

    A story with a damaged record is reported once, not once more for its other record.
    """
    page: Record | None = None
    damages = 0
    for item in read(file):
        if isinstance(item, Damage):
            damages += 1
            yield Fault(item.number, item.offset, item.why)
        elif item.kind == "response":
            if page and not damages:
                yield _orphan(page)
            page, damages = item, 0
        elif item.kind == "metadata":
            if page and _belongs(item, page):
                yield _story(page, item)
                page, damages = None, 0
            elif damages > bool(page):
                # The page of this metadata is among the damaged records. If a page waits as well,
                # its metadata is another one of them.
                page, damages = None, 0
            else:
                yield _orphan(item)
    if page and not damages:
        yield _orphan(page)


def _orphan(record: Record) -> Fault:
    return Fault(record.number, record.offset, f"a {record.kind} record without its partner")


def _belongs(metadata: Record, page: Record) -> bool:
    """Whether a metadata record refers to a page; without WARC-Refers-To, whether URLs match."""
    if metadata.refers_to:
        return metadata.refers_to == page.id
    return metadata.uri == page.uri


def _story(page: Record, metadata: Record) -> ArchivedStory | Fault:
    try:
        values = json.loads(metadata.block)
    except (ValueError, RecursionError) as error:
        return Fault(metadata.number, metadata.offset, f"the metadata is not JSON: {error}")
    if not isinstance(values, dict):
        return Fault(metadata.number, metadata.offset, "the metadata is not a JSON object")
    story = make_story(values, page, metadata.date)
    return ArchivedStory(story, page.number, page.offset, page.uri, page.date, values)


def make_story(metadata: Mapping[str, Any], page: Record, written: str = "") -> Story:
    """The Story of a metadata object and a response; `written` is the metadata's WARC-Date.

    `written` replaces a missing or invalid parsed_date. The encoding is the declared one, or else
    that of the archived HTTP header (stories.md 7.4).
    """
    # Most programs import this module, but few read archives: the search room is not for all.
    from indexer.search.language.dates import moment  # noqa: PLC0415

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
        unknown=_unknown(metadata),
    )


def _unknown(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """What this version doesn't know, see `Story.unknown`."""
    found = {}
    for name, values in metadata.items():
        if name in _KINDS:
            known = {field.name for field in _fields(_KINDS[name])}
            inner = values.items() if isinstance(values, dict) else ()
            if more := {key: each for key, each in inner if key not in known}:
                found[name] = wire.sendable(more)
        elif name not in DUMP_OBJECTS:
            found[name] = wire.sendable(values)
    return found


def _encoding(head: bytes) -> str | None:
    found = _ENCODING.search(head)
    return found[1].decode("ascii") if found else None


T = TypeVar("T", RSSEntry, HTTPMetadata, ContentMetadata)

_KINDS: dict[str, type[RSSEntry | HTTPMetadata | ContentMetadata]] = {
    "rss_entry": RSSEntry,
    "http_metadata": HTTPMetadata,
    "content_metadata": ContentMetadata,
}


def _liberal(kind: type[T], values: object) -> T:
    """An object of the usable values; fields without one are None."""
    if not isinstance(values, dict):
        return kind()
    try:
        # All values have the right types, but in damaged or foreign archives.
        made = msgspec.convert(values, kind)
    except msgspec.ValidationError:
        made = kind(
            **{field.name: _typed(values.get(field.name), field) for field in _fields(kind)}
        )
    for field in _fields(kind):
        value = getattr(made, field.name)
        if isinstance(value, str | int):
            setattr(made, field.name, _sendable(field.name, value))
    return made


@cache
def _fields(kind: type[T]) -> Sequence[FieldInfo]:
    return msgspec.structs.fields(kind)


def _typed(value: object, field: FieldInfo) -> Any:
    """A value converted to the type of its field without loss, or else None."""
    try:
        return None if value is None else msgspec.convert(value, field.type, strict=False)
    except msgspec.ValidationError:
        return None


def _sendable(name: str, value: str | int) -> str | int | None:
    """A number that a message can hold, or else None; a text without the characters that the
    decoding of a page removes; a URL as it is.

    A URL with a NUL is not the URL without it. The checks of URLs refuse it.
    """
    if isinstance(value, int):
        return value if -(2**63) <= value < 2**63 else None
    # JSON can hold lone surrogates, which no message can.
    return value if name in _URLS and is_text(value) else clean(value)
