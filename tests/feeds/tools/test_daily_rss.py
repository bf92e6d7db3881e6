"""The content of a daily file, read by a strict parser and by the stories family."""

import gzip
import io
from datetime import date, datetime, timedelta
from typing import Any
from xml.etree import ElementTree

import pytest
from lxml import etree

from indexer.database import Database
from indexer.feeds import models
from indexer.feeds.tools.daily_rss import write_day
from indexer.stories.queuers.feeds import read_feed
from indexer.stories.story import RSSEntry
from tests.feeds.stored import a_feed, a_story, put

DAY = date(2026, 1, 14)
START = datetime(2026, 1, 14)

LINKS = [
    "https://news1.example/1?a=1&sect=2",
    "https://news1.example/2?a=1&copy=2&reg=3&para=4&times=5&not=6&lt=7&curren=8",
    "https://news1.example/3?q=\"quoted\"&r='this'",
    "https://news1.example/4?x=<b>&y=]]>",
    "https://news1.example/путь/ü?q=%C3%BC#!/a",
    "https://news1.example/6?next=https%3A%2F%2Fa.example%2F%26amp%3B",
]


def written(database: Database, day: date = DAY) -> bytes:
    """The file of a day."""
    file = io.BytesIO()
    write_day(database, day, file)
    return file.getvalue()


def items(packed: bytes) -> list[ElementTree.Element]:
    """The items of a file, read by a strict parser."""
    text = gzip.decompress(packed)
    etree.fromstring(text)
    return ElementTree.fromstring(text).findall("channel/item")


def links(packed: bytes) -> list[str | None]:
    return [item.findtext("link") for item in items(packed)]


def entries(packed: bytes) -> list[RSSEntry]:
    """The entries that the rss-queuer reads from a file."""
    found = read_feed("mc-2026-01-14.rss.gz", io.BytesIO(gzip.decompress(packed)))
    return [each for each in found if isinstance(each, RSSEntry)]


def test_a_file_has_the_format_that_readers_know(feeds_db: Database) -> None:
    put(feeds_db, models.feeds, a_feed(1, url='https://news1.example/feed?a=1&b="2"'))
    story = {**a_story(7, START), "title": "Ferry & <b>bridge</b>", "published_at": None}
    put(feeds_db, models.stories, a_story(5, START), story)
    assert gzip.decompress(written(feeds_db)).decode().splitlines() == [
        "<?xml version='1.0' encoding='utf-8'?>",
        '<rss version="2.0">',
        "<channel>",
        "<title>Media Cloud URLs for 2026-01-14</title>",
        "<link>https://mediacloud.org/</link>",
        "<description>Stories that were found on 2026-01-14 (UTC)</description>",
        "<generator>story-indexer feeds/1</generator>",
        "<lastBuildDate>Wed, 14 Jan 2026 23:59:59 -0000</lastBuildDate>",
        "<item><link>https://news1.example/5</link>"
        "<pubDate>Tue, 13 Jan 2026 23:00:00 -0000</pubDate>"
        "<domain>news1.example</domain><title>Story 5</title>"
        '<source url="https://news1.example/feed?a=1&amp;b=&quot;2&quot;" mcFeedId="1" '
        'mcSourceId="100">news1.example</source></item>',
        "<item><link>https://news1.example/7</link><pubDate/>"
        "<domain>news1.example</domain><title>Ferry &amp; &lt;b&gt;bridge&lt;/b&gt;</title>"
        '<source url="https://news1.example/feed?a=1&amp;b=&quot;2&quot;" mcFeedId="1" '
        'mcSourceId="100">news1.example</source></item>',
        "</channel>",
        "</rss>",
    ]


def test_links_are_the_same_byte_for_byte(feeds_db: Database) -> None:
    # With an entity that a reader which unescapes twice would change.
    given = [*LINKS, "https://news1.example/7?a=1&amp;b=2", "https://news1.example/8?a=1&sect;b=2"]
    rows = [a_story(number, START, url=url) for number, url in enumerate(given)]
    put(feeds_db, models.stories, *rows)
    assert links(written(feeds_db)) == given


def test_the_rss_queuer_reads_what_was_written(feeds_db: Database) -> None:
    put(feeds_db, models.feeds, a_feed(1))
    rows = [a_story(number, START, url=url) for number, url in enumerate(LINKS)]
    put(feeds_db, models.stories, *rows)
    found = entries(written(feeds_db))
    assert [entry.link for entry in found] == LINKS
    assert {(entry.source_feed_id, entry.source_source_id) for entry in found} == {(1, 100)}
    assert {entry.source_url for entry in found} == {"https://news1.example/feed"}
    assert [entry.title for entry in found] == [f"Story {number}" for number in range(len(LINKS))]
    assert {entry.pub_date for entry in found} == {"Tue, 13 Jan 2026 23:00:00 +0000"}
    assert {(entry.domain, entry.fetch_date) for entry in found} == {("news1.example", str(DAY))}


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        (None, ""),
        ("", ""),
        ("a\x0bb\x1f\x07c", "abc"),
        ("two\r\n lines\nhere", "two lines here"),
        ("\ufffe\uffffend", "end"),
        ("𝕏 Ünïcode 日本", "𝕏 Ünïcode 日本"),
        ("]]> & &amp; <![CDATA[", "]]> & &amp; <![CDATA["),
    ],
)
def test_titles_stay_on_their_line_and_are_legal(
    feeds_db: Database, title: str | None, expected: str
) -> None:
    put(feeds_db, models.stories, a_story(1, START, title=title))
    assert items(written(feeds_db))[0].findtext("title") == expected


def test_illegal_characters_are_removed_from_every_field(feeds_db: Database) -> None:
    put(feeds_db, models.feeds, a_feed(1, url="https://a.example/\x01f\x7fe\x85ed"))
    story = a_story(1, START, url="https://a.example/\x02x\x7f", domain="a\x03.example")
    put(feeds_db, models.stories, story)
    (item,) = items(written(feeds_db))
    source = item.find("source")
    assert source is not None
    assert item.findtext("link") == "https://a.example/x\x7f"
    assert (item.findtext("domain"), source.text) == ("a.example", "a.example")
    assert source.get("url") == "https://a.example/f\x7fe\x85ed"


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ({}, {"url": "", "mcFeedId": "1", "mcSourceId": "100"}),
        ({"sources_id": None}, {"url": "", "mcFeedId": "1", "mcSourceId": ""}),
        (
            {"feed_id": None, "sources_id": None},
            {"url": "", "mcFeedId": "", "mcSourceId": ""},
        ),
    ],
)
def test_a_story_of_a_deleted_feed_is_written(
    feeds_db: Database, columns: dict[str, Any], expected: dict[str, str]
) -> None:
    put(feeds_db, models.stories, a_story(1, START, **columns))
    packed = written(feeds_db)
    source = items(packed)[0].find("source")
    assert source is not None
    assert source.attrib == expected
    assert entries(packed)[0].link == "https://news1.example/1"


def test_a_day_has_its_stories_by_id_and_no_others(feeds_db: Database) -> None:
    end = START + timedelta(days=1)
    moment = timedelta(microseconds=1)
    rows = [
        a_story(9, START),
        a_story(3, end - moment),
        a_story(4, end),
        a_story(5, START - moment),
        a_story(6, START + timedelta(hours=3)),
        a_story(12, START, url=None),
    ]
    put(feeds_db, models.stories, *rows)
    assert links(written(feeds_db)) == [f"https://news1.example/{number}" for number in (3, 6, 9)]


def test_a_day_without_stories_has_a_file_without_items(feeds_db: Database) -> None:
    packed = written(feeds_db)
    assert (items(packed), entries(packed)) == ([], [])


def test_days_are_read_a_page_at_a_time(
    feeds_db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("indexer.feeds.tools.daily_rss.PAGE", 7)
    # Whole pages contain only stories of another day.
    other = START - timedelta(days=1)
    days = [START if number < 20 or number > 50 else other for number in range(100)]
    put(feeds_db, models.stories, *(a_story(number, day) for number, day in enumerate(days)))
    told: list[int] = []
    file = io.BytesIO()
    assert write_day(feeds_db, DAY, file, told.append) == 69
    assert len(items(file.getvalue())) == 69
    assert (told[-1], told) == (69, sorted(told))


def test_the_same_stories_give_the_same_bytes(
    feeds_db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(feeds_db, models.feeds, a_feed(1))
    put(feeds_db, models.stories, *(a_story(number, START) for number in range(50)))
    first = written(feeds_db)
    monkeypatch.setattr("time.time", lambda: 2e9)
    monkeypatch.setattr("indexer.feeds.tools.daily_rss.PAGE", 3)
    assert written(feeds_db) == first
