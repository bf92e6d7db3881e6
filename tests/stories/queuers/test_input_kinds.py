"""What kind of file an input is."""

import gzip
from pathlib import Path

from indexer.stories.queuers.input_kinds import InputKind, is_feed, kind_of
from indexer.text.unpacking import HEAD
from tests.each_row import each_row
from tests.paths import DATA

FEEDS = DATA / "feeds"

SAMPLES = {
    "page.html": InputKind.PAGE,
    "news-sitemap.xml": InputKind.SITEMAP,
    "sitemap-index.xml": InputKind.SITEMAP,
}


@each_row("path", sorted(FEEDS.iterdir()))
def test_the_samples(path: Path) -> None:
    assert kind_of("x", path.read_bytes()) is SAMPLES.get(path.name, InputKind.FEED)


@each_row(
    ("name", "head", "kind"),
    [
        ("x", b"", InputKind.EMPTY),
        ("x", b"\xef\xbb\xbf \n", InputKind.EMPTY),
        ("x", bytes(100), InputKind.EMPTY),
        ("x", b"<!doctype HTML><p>text", InputKind.PAGE),
        ("x", b"<html><body><rss>", InputKind.PAGE),
        ("x", b"<?xml version='1.0'?><!-- c --><html xmlns='x'>", InputKind.PAGE),
        ("x", b"<p>some text</p><title>x</title>", InputKind.PAGE),
        ("x.html", b"<rss version='2.0'>", InputKind.FEED),
        ("x", b"<!-- <html> --><RSS>", InputKind.FEED),
        ("x", b"<?xml version='1.0'?><opml><head>", InputKind.OPML),
        ("x", b"<?xml version='1.0'?><x:feed xmlns:x='y'>", InputKind.FEED),
        ("x", "<rss>".encode("utf-16"), InputKind.FEED),
        ("x", b'{"version": "https://jsonfeed.org/version/1"}', InputKind.FEED),
        ("x", b'{"version": 1}', InputKind.UNKNOWN),
        ("x", b"[1, 2]", InputKind.UNKNOWN),
        ("x", b"WARC/1.0\r\nWARC-Type: warcinfo", InputKind.WARC),
        ("x", b"http://a.example/1\nhttp://a.example/2", InputKind.URLS),
        ("x", b"# stories\r\n\r\nhttps://a.example/1\r\n", InputKind.URLS),
        ("x", b"https://a.example/only", InputKind.URLS),
        ("x.csv", b"https://a.example/1\nhttps://a.example/2\n", InputKind.CSV),
        ("x", b"id;Web Address\n1;https://a.example/1\n", InputKind.UNKNOWN),
        ("x", b"url,title\nhttps://a.example/1,<b>x</b>\n", InputKind.CSV),
        ("x", b"https://a.example/1,<html>\n", InputKind.CSV),
        ("x", b"collect_date,stories_id,url\n2020-01-01,1,http://a.example/\n", InputKind.CSV),
        ("x", b"just some words\n", InputKind.UNKNOWN),
        ("x", b"\x89PNG\r\n\x1a\n" + bytes(range(256)), InputKind.UNKNOWN),
        ("x", gzip.compress(b"<rss>"), InputKind.UNKNOWN),
        ("x", b"\x80\x04\x95", InputKind.UNKNOWN),
    ],
)
def test_by_its_first_bytes(name: str, head: bytes, kind: InputKind) -> None:
    assert kind_of(name, head) is kind


def test_a_url_that_the_head_cuts_is_no_url() -> None:
    url = b"https://a.example/" + b"x" * 2_000
    head = b"\n".join([url] * 40)[: HEAD - 2] + b"\nh"
    assert kind_of("x", head) is InputKind.URLS
    assert kind_of("x", head[1_000:]) is not InputKind.URLS


@each_row(
    ("text", "answer"),
    [
        ("<rss version='2.0'>", True),
        ("<RSS>", True),
        ('<?xml version="1.0"?>\n<!-- made by hand --><feed xmlns="x">', True),
        ('<?xml version="1.0"?><?xml-stylesheet href="a.xsl"?><rdf:RDF>', True),
        ("<urlset>", True),
        ("\n\n<sitemapindex\n>", True),
        ("<channel/>", True),
        ("<atom:feed>", True),
        ("<!DOCTYPE rss PUBLIC '-//Netscape//DTD RSS 0.91//EN'><rss>", True),
        ("<!-- <html> --><rss>", True),
        ("<html><body><rss></rss>", False),
        ("<!doctype html><rss>", False),
        ('<?xml version="1.0"?><!DOCTYPE html><feed>', False),
        ("<!-- <rss> --><html>", False),
        ("<!-- <rss>", False),
        ("no tags, 1 < 2", False),
        ("<", False),
        ("", False),
    ],
)
def test_a_feed_is_known_by_its_first_tag(text: str, answer: bool) -> None:
    assert is_feed(text) is answer
