"""One daily file: the stories of a UTC day as gzipped RSS 2.0, with identical bytes each time.

    ids of the day → pages by id → one line per item → gzip without a timestamp

The file does not contain the time of writing: `lastBuildDate` is the last second of the day, and
`generator` is the version of the format. Only one page of stories is in memory.
"""

import gzip
import re
from collections.abc import Callable, Iterator
from datetime import date, datetime, time, timedelta
from email.utils import format_datetime
from typing import Any, BinaryIO

from lxml import etree
from sqlalchemy import Connection, Row, bindparam, func, select

from indexer.database import Database
from indexer.feeds.models import feeds, stories

GENERATOR = "story-indexer feeds/1"
"""The version of the format: change it when the bytes of a file would change."""

LINK = "https://mediacloud.org/"

PAGE = 2000
"""Stories read by one query."""

_LEVEL = 6
_ILLEGAL = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 does not allow, not even escaped."""

_BREAKS = re.compile(r"\s*[\r\n]+\s*")


def write_day(
    database: Database,
    day: date,
    file: BinaryIO,
    progress: Callable[[int], None] = lambda _: None,
) -> int:
    """Write the stories fetched on a day, ordered by id. Returns their number.

    They are read in one transaction, as of one moment. Raises StorageError.
    """
    count = 0
    with (
        # Neither name nor time in the header: the same stories must give the same bytes.
        gzip.GzipFile("", "wb", _LEVEL, file, mtime=0) as packed,
        etree.xmlfile(packed, encoding="utf-8") as xml,
        database.reading() as connection,
    ):
        xml.write_declaration()
        with xml.element("rss", version="2.0"):
            _break(xml)
            with xml.element("channel"):
                _head(xml, day)
                for page in _pages(connection, day):
                    for row in page:
                        xml.write(_item(row))
                        _break(xml)
                    count += len(page)
                    progress(count)
            _break(xml)
    return count


def bounds(day: date) -> tuple[datetime, datetime]:
    """The first moment of a day, and the first after it."""
    start = datetime.combine(day, time.min)
    return start, start + timedelta(days=1)


# `+ 0` makes PostgreSQL use the index of `fetched_at`: for min(id) alone it would scan all ids.
_IDS = select(func.min(stories.c.id + 0), func.max(stories.c.id + 0)).where(
    stories.c.fetched_at >= bindparam("start"), stories.c.fetched_at < bindparam("end")
)

_PAGE = (
    select(
        stories.c.id,
        stories.c.url,
        stories.c.published_at,
        stories.c.fetched_at,
        stories.c.domain,
        stories.c.title,
        stories.c.feed_id,
        stories.c.sources_id,
        feeds.c.url.label("feed_url"),
    )
    .outerjoin_from(stories, feeds, feeds.c.id == stories.c.feed_id)
    # By id alone, so that PostgreSQL uses the index of ids; few ids in between are of other days.
    .where(stories.c.id > bindparam("after"), stories.c.id <= bindparam("last"))
    .order_by(stories.c.id)
    .limit(bindparam("page"))
)


def _pages(connection: Connection, day: date) -> Iterator[list[Row[*tuple[Any, ...]]]]:
    """The stories of a day, in the order of their ids."""
    start, end = bounds(day)
    first, last = connection.execute(_IDS, {"start": start, "end": end}).one()
    after = first - 1 if first is not None else None
    while after is not None and after < last:
        rows = connection.execute(_PAGE, {"after": after, "last": last, "page": PAGE}).all()
        yield [row for row in rows if row.url and row.fetched_at and start <= row.fetched_at < end]
        after = rows[-1].id if rows else None


def _head(xml: Any, day: date) -> None:
    """Write the description of the channel."""
    _, end = bounds(day)
    for name, text in (
        ("title", f"Media Cloud URLs for {day}"),
        ("link", LINK),
        ("description", f"Stories that were found on {day} (UTC)"),
        ("generator", GENERATOR),
        ("lastBuildDate", format_datetime(end - timedelta(seconds=1))),
    ):
        _break(xml)
        with xml.element(name):
            xml.write(text)
    _break(xml)


def _item(row: Row[*tuple[Any, ...]]) -> etree._Element:
    """One story, as readers of the files know it (feeds.md 10)."""
    item = etree.Element("item")
    published = format_datetime(row.published_at) if row.published_at else ""
    domain = _line(row.domain)
    _add(item, "link", _legal(row.url))
    _add(item, "pubDate", published)
    _add(item, "domain", domain)
    _add(item, "title", _line(row.title))
    source = _add(item, "source", domain)
    source.set("url", _legal(row.feed_url or ""))
    source.set("mcFeedId", _number(row.feed_id))
    source.set("mcSourceId", _number(row.sources_id))
    return item


def _add(item: etree._Element, name: str, text: str) -> etree._Element:
    element = etree.SubElement(item, name)
    # None makes an empty element, `<title/>`.
    element.text = text or None
    return element


def _break(xml: Any) -> None:
    xml.write("\n")


def _legal(text: str) -> str:
    return _ILLEGAL.sub("", text)


def _line(text: str | None) -> str:
    """The text without line breaks, as readers expect one item per line."""
    return _BREAKS.sub(" ", _legal(text or "")).strip()


def _number(number: int | None) -> str:
    return "" if number is None else str(number)
