"""The feeds that pages link to, and the kinds of files: feed, list or page."""

from collections.abc import Sequence

from indexer.feeds.registry.feed_links import (
    MAX_FEEDS,
    Content,
    content_of,
    named_feeds,
    usual_places,
)
from indexer.feeds.registry.feed_spec import FeedSpec
from tests.each_row import each_row

PAGE = "https://site.example/news/index.html"
RSS = 'rel="alternate" type="application/rss+xml"'


def found(html: str, url: str = PAGE) -> list[str]:
    return [spec.url for spec in named_feeds(url, html)]


@each_row(
    ("head", "urls"),
    [
        (f'<link {RSS} href="/feed">', ["https://site.example/feed"]),
        (f"<LINK HREF='feed.xml' {RSS.upper()}>", ["https://site.example/news/feed.xml"]),
        ("<link href=//b.example/f rel=feed>", ["https://b.example/f"]),
        (f'<link {RSS} href="?a=1&amp;b=2">', [f"{PAGE}?a=1&b=2"]),
        (
            '<link rel="alternate home" type="application/atom+xml; x=y" href="/a">',
            ["https://site.example/a"],
        ),
        (
            '<link rel="alternate" type="application/feed+json" href="/j">',
            ["https://site.example/j"],
        ),
        (
            '<link rel="alternate" type="application/json" href="/feed.json?x">',
            ["https://site.example/feed.json?x"],
        ),
        (f'<link {RSS} href="/a"><link {RSS} href="/a">', ["https://site.example/a"]),
        (
            f'<base href="https://c.example/x/"><base href="/no"><link {RSS} href="f">',
            ["https://c.example/x/f"],
        ),
        (
            f'<link {RSS} href="/comments/feed/"><link {RSS} href="/feed/">',
            ["https://site.example/feed/"],
        ),
        (f'<link {RSS} href="/comments/feed/">', ["https://site.example/comments/feed/"]),
    ],
)
def test_feeds_are_named_in_the_head(head: str, urls: Sequence[str]) -> None:
    assert found(f"<!doctype html><html><head><title>x</title>{head}</head><body>") == urls


@each_row(
    "html",
    [
        '<link rel="alternate" hreflang="fr" href="/fr/">',
        '<link rel="alternate" type="application/json" href="/wp-json/wp/v2/pages/7">',
        '<link rel="alternate" type="application/json+oembed" href="/oembed">',
        '<link rel="stylesheet" type="text/css" href="/css">',
        f"<link {RSS}>",
        f'<link {RSS} href=" ">',
        f'<link {RSS} href="javascript:alert(1)">',
        f'<link {RSS} href="file:///etc/passwd">',
        f'<!-- <link {RSS} href="/feed"> -->',
        f"<script>document.write('<link {RSS} href=\"/feed\">')</script>",
        f'<noscript><link {RSS} href="/feed"></noscript>',
        f'<body><link {RSS} href="/feed">',
        "",
    ],
)
def test_other_links_are_no_feeds(html: str) -> None:
    assert found(html) == []


def test_feeds_have_the_titles_that_pages_give_them() -> None:
    html = f'<link {RSS} title=" A &amp;\n B " href="/f">'
    assert named_feeds(PAGE, html) == [FeedSpec("https://site.example/f", "A & B")]


def test_without_a_url_only_whole_ones_are_known() -> None:
    html = f'<link {RSS} href="/a"><link {RSS} href="https://b.example/">'
    assert found(html, "") == ["https://b.example/"]


def test_so_many_feeds_and_no_more() -> None:
    assert len(found("".join(f'<link {RSS} href="/{n}">' for n in range(500)))) == MAX_FEEDS


@each_row(
    ("text", "content"),
    [
        ("<?xml version='1.0'?><rss version='2.0'>", Content.FEED),
        ("\ufeff\n <feed xmlns='http://www.w3.org/2005/Atom'>", Content.FEED),
        ("<rdf:RDF>", Content.FEED),
        ("<urlset>", Content.FEED),
        ("<sitemapindex>", Content.FEED),
        ('{"version": "https://jsonfeed.org/version/1"}', Content.FEED),
        ("<opml><body>", Content.LIST),
        ("https://a.example/feed\n", Content.LIST),
        ("id,url,sources_id,name\n", Content.LIST),
        ("<!doctype html><rss>", Content.PAGE),
        ("<HTML><head>", Content.PAGE),
        ("<script>x</script><body>", Content.PAGE),
        ('{"a": 1}', None),
        ("hello", None),
        ("\0\0\0", None),
        ("<svg>", None),
    ],
)
def test_what_a_file_is_shows_in_its_first_bytes(text: str, content: Content | None) -> None:
    assert content_of("name", text.encode()) == content


def test_the_usual_places_are_at_the_root_of_a_site() -> None:
    assert usual_places("https://site.example/a/b?c")[:2] == [
        "https://site.example/feed",
        "https://site.example/rss",
    ]
