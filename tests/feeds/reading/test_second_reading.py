"""Documents of which our reader finds no item with a link: feedparser gets its turn."""

from datetime import datetime

import pytest

from indexer.errors import BadFeed
from indexer.feeds.attempt import DocumentPart
from indexer.feeds.reading.document_kinds import EMPTY, HTML, NO_VERSION
from indexer.feeds.reading.entry import DocumentReading
from indexer.feeds.reading.reading import read
from indexer.news.syndication.second_reader import SecondReader
from tests.each_row import each_row
from tests.feeds.documents import NOW, URL, atom, entry, item, json_feed, rss, sitemap
from tests.feeds.reading.test_reading_brokenness import NO_FEEDS
from tests.news.syndication.in_process import BrokenReader, HereReader
from tests.news.syndication.wild_feeds import WILD, wild

PIE = (
    "<feed version='0.1' xmlns='http://purl.org/pie/'><entry><title>T1</title>"
    "<link>https://s.example/1</link></entry></feed>"
)


def again(body: str, second: SecondReader) -> DocumentReading:
    """Read a document with a second reader. Raises BadFeed."""
    data = body.encode()
    return read([DocumentPart(URL, len(data))], [data], URL, NOW, second=second)


def test_a_channel_of_1997_is_read_by_the_rules_of_all_feeds() -> None:
    found = again(wild("channel.cdf"), HereReader())
    assert (found.format, found.title) == ("feedparser", "Channel")
    assert [(each.link, each.title, each.published_at) for each in found.entries] == [
        ("https://cdf.example/news/1.html", "First story", datetime(2024, 5, 1, 10)),
        ("https://cdf.example/news/2.html", "Second story", datetime(2024, 5, 2, 10)),
    ]


@each_row(
    ("body", "why"),
    [
        (wild("channel.cdf"), "our reader does not know the format of <channel>"),
        (f"<channel>{item(1)}</channel>", "our reader does not know the format of <channel>"),
        (f"<?xml version='1.0'?>{entry(1)}", "our reader does not know the format of <entry>"),
        (PIE, "our reader finds no item with a link"),
    ],
)
def test_a_note_says_who_read_it_and_why(body: str, why: str) -> None:
    found = again(body, HereReader())
    assert found.warnings == [f"read by feedparser: {why}"]
    assert all(each.link.startswith("https://") for each in found.entries)


def test_links_are_relative_to_the_document() -> None:
    body = '<CHANNEL><ITEM HREF="b.html"><TITLE>T</TITLE></ITEM></CHANNEL>'
    (found,) = again(body, HereReader()).entries
    assert found.link == "https://site.example/dir/b.html"


@each_row(
    "body",
    [
        *(wild(name) for name in WILD),
        rss(item(1)),
        atom(entry(1)),
        json_feed('{"url": "https://s.example/1"}'),
        json_feed(""),
        sitemap(),
    ],
)
def test_what_our_reader_reads_is_not_read_again(body: str) -> None:
    second = HereReader()
    again(body, second)
    assert second.texts == []


READ_AGAIN = {
    "channels of 1997",
    "a channel alone",
    "an item alone",
    "a feed in something else",
}
"""Documents that are no feeds for our reader, and in which feedparser finds items with links."""


TEXTS = {kind: text for kind, (text, _) in NO_FEEDS.items() if isinstance(text, str)}


@each_row("kind", READ_AGAIN)
def test_a_document_is_a_feed_if_feedparser_finds_links_in_it(kind: str) -> None:
    assert again(TEXTS[kind], HereReader()).entries


@each_row("kind", [kind for kind in TEXTS if kind not in READ_AGAIN])
def test_a_document_that_neither_can_read_is_no_feed(kind: str) -> None:
    second, detail = HereReader(), NO_FEEDS[kind][1]
    with pytest.raises(BadFeed) as raised:
        again(TEXTS[kind], second)
    assert raised.value.detail == detail
    assert not (detail in (HTML, EMPTY) and second.texts)


def test_a_feed_without_links_stays_as_our_reader_reads_it() -> None:
    body = rss("<item><title>a</title></item>")
    found = again(body, HereReader())
    assert (found.format, found.entries[0].title, found.warnings) == ("rss 2.0", "a", [])


def test_where_feedparser_gives_no_answer_our_reading_stays() -> None:
    body = rss("<item><title>a</title></item>")
    assert again(body, BrokenReader()).entries[0].title == "a"
    with pytest.raises(BadFeed) as raised:
        again(wild("channel.cdf"), BrokenReader())
    assert raised.value.detail == NO_VERSION
