"""The choice of the sitemaps of an index to fetch."""

import gzip

from indexer.feeds.reading.sitemap_index import children
from tests.each_row import each_row
from tests.feeds.documents import SITEMAP, atom, entry, item, page, rss, sitemap

URL = "https://www.example.co.uk/sitemap.xml"


def listed(loc: str, lastmod: str = "") -> str:
    """A sitemap of an index."""
    return f"<sitemap><loc>{loc}</loc><lastmod>{lastmod}</lastmod></sitemap>"


def index(*inner: str) -> bytes:
    """An index."""
    return f"<?xml version='1.0'?><sitemapindex {SITEMAP}>{''.join(inner)}</sitemapindex>".encode()


def test_the_newest_come_first_and_those_without_a_date_last() -> None:
    body = index(
        listed("https://example.co.uk/undated.xml"),
        listed("https://example.co.uk/may.xml", "2024-05-01"),
        listed("https://example.co.uk/june.xml", "2024-06-01T00:00:00+02:00"),
        listed("https://example.co.uk/none.xml", "soon"),
    )
    names = [url.rpartition("/")[2] for url in children(body, URL)]
    assert names == ["june.xml", "may.xml", "undated.xml", "none.xml"]


def test_there_are_five_at_most() -> None:
    body = index(*(listed(f"/{number}", f"2024-05-{number:02}") for number in range(1, 21)))
    assert children(body, URL) == [
        f"https://www.example.co.uk/{number}" for number in (20, 19, 18, 17, 16)
    ]


@each_row(
    ("loc", "found"),
    [
        ("https://news.example.co.uk/a.xml.gz", True),
        ("http://example.co.uk/a.xml?b=1&amp;c=2", True),
        ("  https://example.co.uk/a.xml\n", True),
        ("<![CDATA[https://example.co.uk/a.xml]]>", True),
        ("/a.xml", True),
        ("//example.co.uk/a.xml", True),
        ("https://other.co.uk/a.xml", False),
        ("https://example.co.uk.evil.test/a.xml", False),
        ("ftp://example.co.uk/a.xml", False),
        ("file:///etc/passwd", False),
        ("javascript:alert(1)", False),
        ("https://[", False),
        ("https://example.co.uk/" + "x" * 3000, False),
        (URL, False),
        ("", False),
    ],
)
def test_only_pages_of_the_same_domain(loc: str, found: bool) -> None:
    assert len(children(index(listed(loc)), URL)) == found


def test_a_host_of_no_public_domain_is_its_own() -> None:
    body = index(listed("http://127.0.0.1:81/a"), listed("http://127.0.0.2/a"))
    assert children(body, "http://127.0.0.1:80/index") == ["http://127.0.0.1:81/a"]


def test_the_same_sitemap_counts_once() -> None:
    assert children(index(*[listed("/a")] * 9), URL) == ["https://www.example.co.uk/a"]


@each_row(
    "body",
    [
        gzip.compress(index(listed("/a"))),
        b"\n \n" + index(listed("/a")),
        index(listed("/a")).decode().encode("utf-16"),
        index(listed("/a")).replace(b"sitemapindex", b"SitemapIndex"),
        index(listed("/a")).removesuffix(b"</sitemapindex>") + b"<sitemap><loc>/b",
    ],
)
def test_an_index_of_any_form(body: bytes) -> None:
    assert children(body, URL) == ["https://www.example.co.uk/a"]


@each_row(
    "body",
    [
        b"",
        b"\0",
        b"\xff" * 5000,
        b"<html><body>sitemapindex</body></html>",
        rss(item(1)).encode(),
        atom(entry(1)).encode(),
        sitemap(page(1)).encode(),
        index(),
        index("<sitemap/>"),
        b"<sitemapindex",
        b"\x1f\x8b",
        gzip.compress(index(listed("/a")))[:-9],
        b"<!-- sitemapindex -->" + sitemap(page(1)).encode(),
    ],
)
def test_anything_else_has_none(body: bytes) -> None:
    assert children(body, URL) == []


def test_no_url_is_too_odd() -> None:
    assert children(index(listed("/a")), "http://[") == []
