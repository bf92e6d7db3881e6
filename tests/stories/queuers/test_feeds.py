"""Feeds and sitemaps of all kinds, and what is none."""

import io

import feedparser
import pytest

from indexer.errors import InputError
from indexer.inputs.queuers import Named
from indexer.messages.worker import Skipped
from indexer.stories.queuers.feeds import Found, read_feed
from indexer.stories.story import RSSEntry
from tests import paths
from tests.each_row import each_row
from tests.news.syndication.in_process import BrokenReader, HereReader
from tests.news.syndication.wild_feeds import wild

DATA = paths.DATA / "feeds"
BASE = "https://base.example/dir/feed"


def read(data: bytes | str, name: str = BASE) -> list[Found]:
    """All that a feed announces."""
    return list(read_feed(name, io.BytesIO(data.encode() if isinstance(data, str) else data)))


def entries(data: bytes | str, name: str = BASE) -> list[RSSEntry]:
    """Only what has a link."""
    return [found for found in read(data, name) if isinstance(found, RSSEntry)]


def sample(name: str) -> bytes:
    """A file."""
    return (DATA / name).read_bytes()


def rss(*items: str) -> str:
    """RSS around items."""
    return f"<rss version='2.0'><channel>{''.join(items)}</channel></rss>"


SAMPLES: dict[str, list[tuple[str, str | None, str | None]]] = {
    "rss-2.0.xml": [
        (
            "https://post.example/2024/01/31/ferry?ref=a&copy=2",
            "Ferry & bridge: “both” closed",
            "Wed, 31 Jan 2024 12:00:00 +0000",
        ),
        (
            "https://post.example/2024/01/31/storm",
            "Storm warning for 1 < 2",
            "Wed, 31 Jan 2024 09:00:00 -0500",
        ),
        (
            "https://post.example/2024/01/30/guid",
            "A guid is a permalink",
            "Tue, 30 Jan 2024 10:00:00 +0100",
        ),
        ("https://base.example/2024/01/29/relative", "Relative", "some day last week"),
        ("https://post.example/2024/01/28/atom", "Atom's link in RSS", None),
    ],
    "rss-0.91.xml": [("http://old.example/cafe.html", "Café opens", None)],
    "rdf.xml": [
        ("https://rdf.example/1?utm=rdf", "Le premier", "Wed, 31 Jan 2024 08:00:00 +0000"),
        ("https://rdf.example/2", "Named by its address", "Tue, 30 Jan 2024 00:00:00 +0000"),
    ],
    "atom.xml": [
        (
            "https://atom.example/news/2024/snow",
            "Snow & ice everywhere",
            "Wed, 31 Jan 2024 18:30:02 +0000",
        ),
        ("https://other.example/a/b", "A quiet day", "Tue, 30 Jan 2024 05:00:00 -0330"),
        ("https://atom.example/by-id", "Known by its id", None),
    ],
    "atom-prefixed.xml": [
        (
            "https://prefix.example/1",
            "Everything has a prefix",
            "Wed, 31 Jan 2024 00:00:00 +0000",
        )
    ],
    "feed.json": [
        ("https://json.example/1", "Eins", "Wed, 31 Jan 2024 10:00:00 -0500"),
        ("https://json.example/2", None, None),
        ("https://json.example/3", "Drei", None),
        ("https://base.example/6", None, None),
    ],
    "news-sitemap.xml": [
        (
            "https://map.example/2024/01/31/market?a=1&b=2",
            "Market opens",
            "Wed, 31 Jan 2024 06:15:00 +0200",
        ),
        ("https://map.example/about", None, None),
    ],
    "synthetic.rss": [
        (
            "https://a.example/1?x=1&y=2",
            "First with controls",
            "Tue, 30 Jan 2024 08:00:00 +0000",
        ),
        ("https://b.example/2", None, None),
    ],
    "windows-1251.xml": [("https://ru.example/новости", "Новости дня", None)],
    "undeclared.xml": [("https://fr.example/1", "L'été à Genève, où les cafés sont fermés", None)],
    "utf-16.xml": [("https://jp.example/1", "日本語の見出し", None)],
    "warnings.xml": [("https://php.example/1", "After a warning", None)],
    "empty.xml": [],
    # Every item that is not the broken one comes through.
    "broken.xml": [
        ("https://broken.example/1?a=1&b=2&copy=3", "a < b & c", None),
        ("https://broken.example/2", "not closed", None),
        ("https://broken.example/3", "no end of the one before", None),
        ("https://broken.example/5", "nul яю bytes", None),
        ("https://broken.example/7", None, None),
        ("https://broken.example/8", None, None),
        ("https://broken.example/9", "the file ends here", None),
    ],
}


@each_row("name", SAMPLES)
def test_link_title_and_date_of_every_kind_of_feed(name: str) -> None:
    found = [(entry.link, entry.title, entry.pub_date) for entry in entries(sample(name))]
    assert found == SAMPLES[name]


@each_row(
    "name", ["rss-2.0.xml", "rss-0.91.xml", "atom.xml", "atom-prefixed.xml", "windows-1251.xml"]
)
def test_sound_feeds_have_the_links_that_feedparser_finds(name: str) -> None:
    parsed = feedparser.parse(io.BytesIO(sample(name)), response_headers={"content-location": BASE})
    expected = [entry.link for entry in parsed.entries if "link" in entry]
    assert [entry.link for entry in entries(sample(name))] == expected


@each_row(
    ("name", "count"),
    [("rss-2.0.xml", 1), ("feed.json", 2), ("news-sitemap.xml", 1), ("broken.xml", 2)],
)
def test_an_item_without_a_link_is_told_and_costs_itself(name: str, count: int) -> None:
    skipped = [found for found in read(sample(name)) if isinstance(found, Skipped)]
    assert [found.status for found in skipped] == ["bad"] * count
    assert all(found.label and found.why for found in skipped)


def test_a_whole_day_file_tells_where_its_stories_are_from() -> None:
    first, second = entries(sample("synthetic.rss"), "/data/mc-2024-01-30.rss.gz")
    assert first == RSSEntry(
        link="https://a.example/1?x=1&y=2",
        title="First with controls",
        domain="a.example",
        pub_date="Tue, 30 Jan 2024 08:00:00 +0000",
        fetch_date="2024-01-31",
        source_url="https://a.example/feed",
        source_feed_id=123,
        source_source_id=45,
        via="/data/mc-2024-01-30.rss.gz",
    )
    assert (second.source_url, second.source_feed_id, second.source_source_id) == (None,) * 3


def test_the_source_of_a_story_is_the_feed_if_that_is_on_the_web() -> None:
    (entry,) = entries(rss("<item><link>/a</link></item>"), "https://a.example/feed?x")
    assert (entry.source_url, entry.via) == ("https://a.example/feed?x",) * 2
    assert entry.fetch_date is None


def test_links_of_a_local_file_are_relative_to_the_channel() -> None:
    data = rss("<link>https://a.example/b/</link>", "<item><link>c</link></item>")
    assert entries(data, "/data/feed.xml")[0].link == "https://a.example/b/c"


@each_row(
    ("link", "meant"),
    [
        ("https://a.example/?a=1&amp;amp;b=2", "https://a.example/?a=1&b=2"),
        ("https://a.example/?a=1&copy=2&lang=en", "https://a.example/?a=1&copy=2&lang=en"),
        ("<![CDATA[https://a.example/?a=1&b=2]]>", "https://a.example/?a=1&b=2"),
        ("https://a.example/&#233;&#xe9;", "https://a.example/éé"),
        ("https://a.example/\n  long", "https://a.example/  long"),
        ("//cdn.example/x", "https://cdn.example/x"),
        ("?page=2", "https://base.example/dir/feed?page=2"),
        ("mailto:a@b.example", "mailto:a@b.example"),
        ("http://[", "http://["),
        ("//[", "//["),
        ("https://a.example/&#0;&#xD800;&#1;", "https://a.example/\ufffd\ufffd"),
    ],
)
def test_what_a_link_means(link: str, meant: str) -> None:
    assert entries(rss(f"<item><link>{link}</link></item>"))[0].link == meant


@each_row(
    ("date", "kept"),
    [
        ("Mon, 06 Sep 2021 12:00:00 GMT", "Mon, 06 Sep 2021 12:00:00 +0000"),
        ("2021-09-06T12:00:00Z", "Mon, 06 Sep 2021 12:00:00 +0000"),
        ("2021-09-06", "Mon, 06 Sep 2021 00:00:00 +0000"),
        ("2021-13-45", "2021-13-45"),
        ("Mon, 99 Foo 2021", "Mon, 99 Foo 2021"),
        ("Mon, 06 Sep 2021 3:30 PM EST", "Mon, 06 Sep 2021 15:30:00 -0500"),
        ("Mon, 06 Sep 2021 12:00:00 XYZT", "Mon, 06 Sep 2021 12:00:00 XYZT"),
        ("\x00 last\n Tuesday \x1b[31m", "last Tuesday [31m"),
        ("9" * 5000, "9" * 100),
        ("", None),
    ],
)
def test_dates_are_written_as_rfc_2822_and_what_is_none_stays(date: str, kept: str | None) -> None:
    item = f"<item><link>/a</link><pubDate>{date}</pubDate></item>"
    assert entries(rss(item))[0].pub_date == kept


def test_an_index_of_sitemaps_names_them() -> None:
    assert read(sample("sitemap-index.xml")) == [
        Named("https://map.example/news.xml"),
        Named("https://map.example/2023.xml.gz"),
    ]


@each_row("data", [b"", b" \n\t", b"\xef\xbb\xbf", sample("empty.xml")])
def test_an_empty_feed_has_no_stories_and_is_no_error(data: bytes) -> None:
    assert read(data) == []


def test_a_page_is_an_error_that_names_the_feeds_of_the_page() -> None:
    with pytest.raises(InputError) as raised:
        read(sample("page.html"))
    assert str(raised.value) == (
        f"{BASE}: an HTML page, not a feed; it links to the feeds "
        "https://base.example/feed.xml, https://post.example/atom?a=1&b=2"
    )


@each_row(
    ("data", "message"),
    [
        ("https://a.example/1\nhttps://a.example/2\n", "csv-queuer"),
        ("url,title\nhttps://a.example/1,x\n", "csv-queuer"),
        ("<?xml version='1.0'?><Error><Code>AccessDenied</Code></Error>", "unknown"),
        ('{"version": "1"}', "unknown"),
        ('{"version": "https://jsonfeed.org/version/1.1", "items": {}}', "no items"),
        ('{"version": "https://jsonfeed.org/version/1.1", ', "not a JSON Feed"),
        ('{"a": "https://jsonfeed.org/version/1", "b": ' + "[" * 100_000, "not a JSON Feed"),
        (b"WARC/1.0\r\n", "WARC"),
        (bytes(range(256)) * 10, "unknown"),
        (b"\x80\x04\x95\x10\x00\x00\x00\x00\x00\x00\x00\x8c\x02os\x94", "unknown"),
    ],
)
def test_what_is_no_feed_is_an_error_that_says_what_it_is(data: bytes | str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(data)


def test_a_json_feed_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("indexer.news.syndication.json_feed.MAX_BYTES", 100)
    with pytest.raises(InputError, match="more than 100 bytes"):
        read(sample("feed.json"))


def test_nothing_is_expanded_or_fetched() -> None:
    (entry,) = entries(sample("laughs.xml"))
    assert entry.title == "&lol3;&file;"


@pytest.fixture
def second(monkeypatch: pytest.MonkeyPatch) -> HereReader:
    """feedparser without its process."""
    reader = HereReader()
    monkeypatch.setattr("indexer.stories.queuers.feeds.SecondReader", lambda: reader)
    return reader


@each_row(
    "data",
    [
        wild("channel.cdf"),
        "<?xml version='1.0'?><x><item><pubDate>2024-05-01T10:00:00Z</pubDate>"
        "<title>First story</title><link>https://cdf.example/news/1.html</link></item></x>",
    ],
)
def test_feedparser_reads_the_formats_that_our_reader_does_not_know(
    data: str, second: HereReader
) -> None:
    first = entries(data)[0]
    assert (first.link, first.title, first.source_url) == (
        "https://cdf.example/news/1.html",
        "First story",
        BASE,
    )
    assert first.pub_date == "Wed, 01 May 2024 10:00:00 +0000"
    assert [found for found in read(data) if isinstance(found, Skipped)] == []


def test_a_feed_with_a_link_is_not_read_again(second: HereReader) -> None:
    found = read(rss("<item/>", "<item><link>/a</link></item>", "<item/>"))
    assert [type(each) for each in found] == [Skipped, RSSEntry, Skipped]
    assert second.texts == []


def test_if_feedparser_finds_no_link_either_the_items_are_skipped(second: HereReader) -> None:
    found = read(rss("<item/>", "<item><title>x</title></item>"))
    assert [each.label for each in found if isinstance(each, Skipped)] == [BASE, "x"]
    assert len(second.texts) == 1


def test_if_feedparser_gives_no_answer_the_items_are_skipped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("indexer.stories.queuers.feeds.SecondReader", BrokenReader)
    assert [type(each) for each in read(rss("<item/>"))] == [Skipped]
