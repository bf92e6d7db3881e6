"""Datasets as documents of the search index, beside the stories.

The fields are those of stories, so one search finds both: DATASET_FIELDS names what a dataset has
of them. Words of its creators, its DOI and its files are in the text, each on a line of their kind.
"""

import hashlib
import html
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any, Final, Never

from indexer.errors import Discard, Disposition, Quarantine, Retry
from indexer.filesets.reading import request_of_result
from indexer.messages.worker import Done
from indexer.search import Added, Document, IndexAnswer, SearchIndex
from indexer.search.language.schema import Field, FieldType, Json, Schema, Sort
from indexer.text.cleaning import clean, one_line

MAX_TEXT: Final = 1_000_000
"""The most characters of the text of a dataset: paths may be long, and many."""

_LONGEST: Final = 8000
"""The most characters of a value."""

_TAG = re.compile(r"<[^<>]*>")
_BETWEEN = re.compile(r"[\W_]+")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")

Ending = Done[Never] | Disposition
Value = Callable[[Mapping[str, Any], datetime], Json]
"""Returns the value of a dataset by its result, indexed at a time; None if it has none."""


def dataset_document(result: Mapping[str, Any], now: datetime) -> Document:
    """The document of an archived dataset.

    Raises Discard("skip-hit") if it is not archived, Discard("no-platform") if its platform is not
    known: its landing page alone is no dataset.
    """
    if result.get("hit") is not True:
        raise Discard("skip-hit", f"its status is {result.get('status')!r:.100}")
    if not result.get("platform_name"):
        raise Discard("no-platform", "the result names no platform")
    values = {field.name: value(result, now) for field, value in TABLE.items()}
    id = "\n".join(_text(result, name) for name in _IDENTITY)
    return Document(
        hashlib.sha256(f"dataset\n{id}".encode()).hexdigest(),
        {name: value for name, value in values.items() if value},
    )


def write_datasets(index: SearchIndex, documents: Sequence[Document]) -> list[Ending]:
    """Create or replace the documents; one ending each. Raises SearchError."""
    return [_ending(answer) for answer in index.update(documents)]


def _ending(answer: IndexAnswer) -> Ending:
    if answer.added is not Added.REFUSED:
        return Done((), answer.added.value)
    return Retry("retry", answer.why) if answer.again else Quarantine("reqerr", answer.why)


_IDENTITY = ("platform_name", "platform_domain", "platform_id", "platform_version")


def _text(values: Mapping[str, Any], name: str) -> str:
    found = values.get(name)
    return one_line(found[:_LONGEST], _LONGEST) if isinstance(found, str) else ""


def _part(result: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = result.get(name)
    return found if isinstance(found, dict) else {}


def _told(result: Mapping[str, Any], ours: str, page: str) -> str:
    """A fact as the platform tells it, or else its landing page."""
    return _text(_part(result, "archiveorg_item_meta"), ours) or _text(
        _part(result, "html_biblio"), page
    )


def _title(result: Mapping[str, Any], _: datetime) -> str:
    return one_line(_plain(_told(result, "title", "title")), 2000)


def _date(result: Mapping[str, Any], _: datetime) -> str | None:
    found = _DAY.match(_told(result, "date", "release_date"))
    return found[0] if found else None


def _domain(result: Mapping[str, Any], now: datetime) -> str | None:
    # As for stories: `elastic-update-canonical-domain` computes it from the URL again.
    from indexer.news.canonical_domains import canonical_domain  # noqa: PLC0415 - loads the library

    with suppress(Discard):
        return canonical_domain(_url(result, now)) or None
    return None


def _url(result: Mapping[str, Any], _: datetime) -> str:
    page = _text(result, "platform_base_url") or _text(_part(result, "terminal"), "terminal_url")
    return page or _text(request_of_result(result), "base_url")


def _doi(result: Mapping[str, Any]) -> str:
    asked = _part(request_of_result(result), "ext_ids")
    return _told(result, "doi", "doi") or _text(asked, "doi")


def _content(result: Mapping[str, Any], _: datetime) -> str:
    found, length = [], 0
    for line in filter(None, _lines(result)):
        found.append(line)
        length += len(line) + 1
        if length > MAX_TEXT:
            break
    return "\n".join(found)[:MAX_TEXT]


def _lines(result: Mapping[str, Any]) -> Iterator[str]:
    meta = _part(result, "archiveorg_item_meta")
    page = _part(result, "html_biblio")
    yield _plain(clean(str(meta.get("description") or page.get("abstract") or "")))
    names = [_text(result, name) for name in ("platform_name", "platform_id", "platform_version")]
    yield f"Dataset: {' '.join(filter(None, names))}"
    if creators := meta.get("creator") or page.get("contrib_names"):
        listed = creators if isinstance(creators, list) else [creators]
        yield f"Creators: {'; '.join(one_line(str(each), 300) for each in listed)}"
    if doi := _doi(result):
        yield f"DOI: {doi}"
    for file in result.get("manifest") or ():
        if isinstance(file, dict) and (path := _text(file, "path")):
            # The words of `raw_values.csv` are found one by one, too.
            yield f"File: {path} ({_BETWEEN.sub(' ', path).strip()})"


def _plain(text: str) -> str:
    """A text without the tags that some platforms write into descriptions."""
    return html.unescape(_TAG.sub(" ", text)).strip()


T = FieldType
TABLE: dict[Field, Value] = {
    Field("publication_date", T.DATE, ("date",)): _date,
    Field("article_title", T.TEXT, ("title",), default=True, weight=3.0): _title,
    Field("canonical_domain", T.KEYWORD, ("domain",), lower=True, selective=True): _domain,
    Field("language", T.KEYWORD, ("lang",), lower=True): lambda *_: None,
    Field("url", T.URL, required=True): _url,
    Field("indexed_date", T.TIMESTAMP, ("indexed",), required=True): (
        lambda _, now: now.replace(tzinfo=None).isoformat(timespec="microseconds")
    ),
    Field("text_content", T.TEXT, ("text",), required=True, default=True, exported=False): _content,
}

DATASET_FIELDS = Schema(
    tuple(TABLE),
    order=(Sort("publication_date", descending=True), Sort("indexed_date", descending=True)),
    identity=("url", "indexed_date"),
    snippet="text_content",
)
"""The fields of stories that datasets have; a test compares them with those of stories."""
