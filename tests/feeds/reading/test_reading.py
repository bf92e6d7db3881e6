"""Fields of documents and of their items, in all formats (feeds.md 7)."""

import gzip
from datetime import datetime

import pytest

from indexer.errors import BadFeed, InputError
from indexer.feeds.attempt import DocumentPart
from indexer.feeds.reading.entry import DocumentReading, FeedEntry
from indexer.feeds.reading.reading import document, first_bytes, read
from tests.each_row import each_row
from tests.feeds.documents import (
    NEWS,
    NOW,
    SITEMAP,
    URL,
    atom,
    entry,
    item,
    json_feed,
    news,
    numbered,
    page,
    reading,
    rss,
    sitemap,
)

RFC_822 = "Sat, 01 Jun 2024 12:00:00"
DC_DATE = "<dc:date>2024-06-01</dc:date>"
NAME = "Google News sitemap"
RDF = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="{}">{}</rdf:RDF>'
RSS_1 = "http://purl.org/rss/1.0/"


def only(found: DocumentReading) -> FeedEntry:
    """The one entry of a document."""
    (entry,) = found.entries
    return entry


@each_row(
    ("body", "format"),
    [
        (rss(item(1)), "rss 2.0"),
        (rss(item(1), version=' version="0.91"'), "rss 0.91"),
        (rss(item(1), version=""), "rss"),
        (rss(item(1), version=' version="\n2.0 \x01"'), "rss 2.0"),
        (RDF.format(RSS_1, item(1)), "rdf 1.0"),
        (RDF.format("http://my.netscape.com/rdf/simple/0.9/", item(1)), "rdf 0.90"),
        (RDF.format("urn:x", item(1)), "rdf"),
        (atom(entry(1)), "atom 1.0"),
        (atom(entry(1), attributes=' version="0.3" xmlns="http://purl.org/atom/ns#"'), "atom 0.3"),
        (json_feed(""), "json feed 1.1"),
        (json_feed("", "https://jsonfeed.org/version/1"), "json feed 1"),
        (json_feed("", "http://www.jsonfeed.org/version/1.0/"), "json feed 1.0"),
        (sitemap(page(1)), "news sitemap"),
    ],
)
def test_the_format_is_told(body: str, format: str) -> None:
    assert reading(body).format == format


@each_row(
    ("body", "title"),
    [
        ("<rss><channel><title> The\n  Daily\tX </title></channel></rss>", "The Daily X"),
        ("<rss><channel><title>a\0b\x01</title></channel></rss>", "ab"),
        ("<rss><title>&lt;b&gt;A&lt;/b&gt; &amp;amp; B</title></rss>", "<b>A</b> &amp; B"),
        ("<rss><channel><title/></channel></rss>", None),
        ("<rss><channel><image><title>I</title></image><title>F</title></channel></rss>", "F"),
        (f"<rss><channel>{item(1)}<title>F</title></channel></rss>", "F"),
        ("<rss><channel><title>" + "x" * 5000 + "</title></channel></rss>", "x" * 1000),
        ("<feed><title type='html'>F &amp;amp; G</title></feed>", "F &amp; G"),
        (json_feed(""), "F"),
        (sitemap(page(1, ""), page(2, news("x")), page(3, news("y", name="Z"))), f"Paper {NAME}"),
        (sitemap(page(1, "<news:title>x</news:title>")), NAME),
    ],
)  # fmt: skip
def test_the_feeds_title_is_one_line(body: str, title: str | None) -> None:
    assert reading(body).title == title


@each_row(
    ("inner", "title"),
    [
        ("<title> a </title>", "a"),
        ("<title>&lt;b&gt;a&lt;/b&gt; &amp;amp; b</title>", "<b>a</b> &amp; b"),
        ("<title><![CDATA[<b>a</b> &amp; b]]></title>", "<b>a</b> &amp; b"),
        ("<title>a <b>b</b></title>", "a <b>b</b>"),
        ("<title>a<![CDATA[ & ]]>b</title>", "a & b"),
        ("<title>a & b &nbsp;c &nosuch;</title>", "a & b \xa0c &nosuch;"),
        ("<title>a &#8220;b&#x201d;</title>", "a “b”"),
        ("<title>a &#xD800; b</title>", "a \ufffd b"),
        ("<title>a\0b\x0bc\x7f</title>", "abc"),
        ("<title>a &#0;&#1; b</title>", "a \ufffd b"),
        ("<title>1 < 2</title>", "1 < 2"),
        ("<title/>", None),
        ("<title> &#32; </title>", None),
        ("", None),
        ("<title/><title>second</title>", "second"),
        ("<media:title>x</media:title>", "x"),
        ("<dc:title>x</dc:title><media:title>y</media:title>", "x"),
        ("<dc:title>x</dc:title><title>y</title>", "y"),
        ("<media:group><media:title>x</media:title></media:group>", None),
        ("<title>" + "x" * 70_000 + "</title>", "x" * 65_536),
    ],
)
def test_a_title_is_trimmed_and_its_tags_and_entities_are_kept(
    inner: str, title: str | None
) -> None:
    assert only(reading(rss(f"<item>{inner}</item>"))).title == title


@each_row(
    ("inner", "guid"),
    [
        ("<guid>  a\n</guid>", "  a\n"),
        ("<guid>a\0b</guid>", "ab"),
        ("<guid isPermaLink='false'><![CDATA[a&amp;b]]></guid>", "a&amp;b"),
        ("<guid> </guid>", None),
        ("", None),
    ],
)
def test_a_guid_is_stored_as_it_is_given(inner: str, guid: str | None) -> None:
    assert only(reading(rss(f"<item>{inner}</item>"))).guid == guid


def test_rdf_names_an_item_by_its_address() -> None:
    body = RDF.format(RSS_1, '<item rdf:about="https://s.example/1"><title>T1</title></item>')
    found = only(reading(body))
    assert (found.link, found.guid) == ("https://s.example/1",) * 2


@each_row(
    ("inner", "text", "at", "source"),
    [
        (f"<pubDate>{RFC_822} +0200</pubDate>", f"{RFC_822} +0200", "2024-06-01T10:00", "pubDate"),
        (DC_DATE, "2024-06-01", "2024-06-01T00:00", "dc:date"),
        (f"{DC_DATE}<pubDate>{RFC_822}</pubDate>", RFC_822, "2024-06-01T12:00", "pubDate"),
        ("<pubDate>2099-01-01</pubDate>", "2099-01-01", None, "pubDate"),
        ("<pubDate>soon\n &#1;!</pubDate>", "soon !", None, "pubDate"),
        ("<pubDate> </pubDate>", None, None, None),
        ("", None, None, None),
    ],
)  # fmt: skip
def test_a_date_keeps_what_it_is_of(
    inner: str, text: str | None, at: str | None, source: str | None
) -> None:
    found = only(reading(rss(f"<item>{inner}</item>")))
    moment = datetime.fromisoformat(at) if at else None
    assert (found.published, found.published_at, found.date_source) == (text, moment, source)


def test_prefixes_are_those_of_the_namespaces() -> None:
    body = rss(
        "<item><d:date>2024-06-01</d:date><f:origLink>https://s.example/1</f:origLink></item>",
        version=' xmlns:d="http://purl.org/dc/elements/1.1/"'
        ' xmlns:f="http://rssnamespace.org/feedburner/ext/1.0"',
    )
    found = only(reading(body))
    assert (found.date_source, found.link) == ("dc:date", "https://s.example/1")


def test_a_prefix_may_be_declared_where_it_is_used() -> None:
    dated = '<q:date xmlns:q="http://purl.org/dc/elements/1.1/">2024-06-01</q:date>'
    assert only(reading(rss(f"<item>{dated}</item>"))).date_source == "dc:date"


def test_an_entry_of_atom() -> None:
    inner = (
        "<id>tag:1</id><updated>2024-06-02T08:00:00Z</updated>"
        "<published>2024-06-01T08:00:00Z</published>"
    )
    assert reading(atom(entry(1, inner))).entries == [
        FeedEntry(
            link="https://s.example/1",
            guid="tag:1",
            title="T1",
            published="2024-06-01T08:00:00Z",
            published_at=datetime(2024, 6, 1, 8),
            date_source="published",
        )
    ]


def test_an_item_of_a_json_feed() -> None:
    date = '"date_published": "2024-06-01T08:00:00+02:00"'
    inner = '{"id": 7, "url": "/a b", "title": " A\\u0000\\ud800 ", ' + date + "}"
    assert reading(json_feed(inner)).entries == [
        FeedEntry(
            link="https://site.example/a b",
            guid="7",
            title="A",
            published="2024-06-01T08:00:00+02:00",
            published_at=datetime(2024, 6, 1, 6),
            date_source="date_published",
        )
    ]


@each_row(
    ("inner", "link"),
    [
        ('{"url": "https://s.example/1"}', "https://s.example/1"),
        ('{"external_url": "https://s.example/1"}', "https://s.example/1"),
        ('{"url": "mailto:a", "external_url": "https://s.example/1"}', "https://s.example/1"),
        ('{"id": "https://s.example/1"}', "https://s.example/1"),
        ('{"id": "1"}', ""),
        ('{"url": null, "id": true}', ""),
        ('{"url": ["x"]}', ""),
        ("null", ""),
        ('"https://s.example/1"', ""),
        ("[[]]", ""),
    ],
)
def test_a_json_item_of_any_kind_costs_itself(inner: str, link: str) -> None:
    found = reading(json_feed(f'{inner}, {{"url": "https://s.example/2"}}')).entries
    assert [entry.link for entry in found] == [link, "https://s.example/2"]


def test_a_page_of_a_news_sitemap() -> None:
    body = sitemap(page(1, news(" A &amp; B ", "2024-06-01T08:00:00.123456789+02:00")))
    assert reading(body).entries == [
        FeedEntry(
            link="https://s.example/1",
            title="A & B",
            published="2024-06-01T08:00:00.123456789+02:00",
            published_at=datetime(2024, 6, 1, 6, 0, 0, 123456),
            date_source="news:publication_date",
        )
    ]


INDEX = (
    f"<sitemapindex {SITEMAP}><sitemap><loc>https://s.example/a.xml</loc></sitemap></sitemapindex>"
)
PLAIN = f"<urlset {SITEMAP}><url><loc>https://s.example/9</loc></url></urlset>"


def together(*bodies: str) -> DocumentReading:
    """Read several documents that were fetched together."""
    parts = [body.encode() for body in bodies]
    pages = [DocumentPart(f"{URL}?{number}", len(part)) for number, part in enumerate(parts)]
    return read(pages, parts, URL, NOW)


def test_the_sitemaps_of_an_index_are_one_document() -> None:
    found = together(INDEX, sitemap(page(1)), sitemap(page(2, news("x"))))
    assert [entry.link for entry in found.entries] == [link for link, _ in numbered(1, 2)]
    assert (found.format, found.title) == ("news sitemap", "Google News sitemap")
    assert found.warnings == []


def test_a_sitemap_of_an_index_that_is_none_costs_itself() -> None:
    found = together(INDEX, PLAIN, "<html></html>", sitemap(page(1)))
    assert len(found.entries) == 1
    assert found.warnings == [
        f"{URL}?1: Exception('urlset without google news tags'): urlset",
        f"{URL}?2: Exception('html?'): html",
    ]


@each_row(
    ("bodies", "detail"),
    [
        ([INDEX], "Exception('index')"),
        ([INDEX, PLAIN], "Exception('urlset without google news tags')"),
        ([INDEX, INDEX], "Exception('index')"),
        ([], "Exception('empty')"),
    ],
)
def test_an_index_without_news_says_why(bodies: list[str], detail: str) -> None:
    with pytest.raises(BadFeed) as raised:
        together(*bodies)
    assert raised.value.detail == detail


def test_the_root_is_told_besides_the_note() -> None:
    with pytest.raises(InputError) as raised:
        reading("<?xml version='1.0'?><Error/>")
    assert isinstance(raised.value, BadFeed)
    assert (raised.value.detail, raised.value.root) == ("Exception('no version')", "error")


def test_a_repeated_page_is_read_again() -> None:
    # The saver recognises and counts duplicates.
    assert len(reading(sitemap(*[page(1)] * 3)).entries) == 3


def test_what_is_cut_off_is_told() -> None:
    assert reading(f"<rss><channel>{item(1)}<item><title>x").warnings == ["cut off in mid item"]


@each_row(
    ("head", "minutes"),
    [
        ("<sy:updatePeriod>hourly</sy:updatePeriod><sy:updateFrequency>2</sy:updateFrequency>", 30),
        ("<sy:updatePeriod/>", 1440),
        # MAXIMUM_INTERVAL_MINS limits it later, when it is stored.
        ("<sy:updatePeriod>weekly</sy:updatePeriod>", 7 * 1440),
        ("<ttl>15</ttl>", 15),
        (f"<s:updatePeriod xmlns:s='{RSS_1}modules/syndication/'>daily</s:updatePeriod>", 1440),
        ("", None),
    ],
)  # fmt: skip
def test_update_minutes_are_those_of_the_head(head: str, minutes: int | None) -> None:
    assert reading(rss(head, item(1, "<ttl>99</ttl>"))).update_minutes == minutes
    assert reading(atom(head, entry(1))).update_minutes == minutes


def test_news_prefixes_of_the_root_need_no_pages() -> None:
    assert reading(f"<urlset {SITEMAP} {NEWS}/>").entries == []


BODY = b"<rss>" + b"x" * 100_000 + b"</rss>"


def test_what_is_no_gzip_is_as_it_is() -> None:
    assert document(BODY) is BODY
    assert document(b"") == b""


def test_gzip_is_told_by_its_first_bytes() -> None:
    assert document(gzip.compress(BODY)) == BODY


def test_the_limit_is_of_the_document() -> None:
    packed = gzip.compress(BODY)
    assert document(packed, len(BODY)) == BODY
    with pytest.raises(BadFeed, match="larger than the limit"):
        document(packed, len(BODY) - 1)


@each_row("size", [0, 1, 3, 10, 100])
def test_the_first_bytes_of_a_document(size: int) -> None:
    assert first_bytes(BODY, size) == BODY[:size]
    assert first_bytes(gzip.compress(BODY), size) == BODY[:size]


@pytest.mark.parametrize("body", [b"\x1f\x8b", b"\x1f\x8bno gzip"])
def test_of_what_is_damaged_there_are_none(body: bytes) -> None:
    assert first_bytes(body, 100) == b""
