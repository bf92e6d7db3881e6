"""What kind of file an input is."""

import gzip
from pathlib import Path

import pytest

from indexer.stories.queuers.recognise import Kind, kind_of
from tests.paths import DATA

FEEDS = DATA / "feeds"

SAMPLES = {
    "page.html": Kind.PAGE,
    "news-sitemap.xml": Kind.SITEMAP,
    "sitemap-index.xml": Kind.SITEMAP,
}


@pytest.mark.parametrize("path", sorted(FEEDS.iterdir()), ids=lambda path: path.name)
def test_the_samples(path: Path) -> None:
    assert kind_of("x", path.read_bytes()) is SAMPLES.get(path.name, Kind.FEED)


@pytest.mark.parametrize(
    ("name", "head", "kind"),
    [
        ("x", b"", Kind.EMPTY),
        ("x", b"\xef\xbb\xbf \n", Kind.EMPTY),
        ("x", bytes(100), Kind.EMPTY),
        ("x", b"<!doctype HTML><p>text", Kind.PAGE),
        ("x", b"<html><body><rss>", Kind.PAGE),
        ("x", b"<?xml version='1.0'?><!-- c --><html xmlns='x'>", Kind.PAGE),
        ("x", b"<p>some text</p><title>x</title>", Kind.PAGE),
        ("x.html", b"<rss version='2.0'>", Kind.FEED),
        ("x", b"<!-- <html> --><RSS>", Kind.FEED),
        ("x", b"<?xml version='1.0'?><opml><head>", Kind.UNKNOWN),
        ("x", b"<?xml version='1.0'?><x:feed xmlns:x='y'>", Kind.FEED),
        ("x", "<rss>".encode("utf-16"), Kind.FEED),
        ("x", b'{"version": "https://jsonfeed.org/version/1"}', Kind.FEED),
        ("x", b'{"version": 1}', Kind.UNKNOWN),
        ("x", b"[1, 2]", Kind.UNKNOWN),
        ("x", b"WARC/1.0\r\nWARC-Type: warcinfo", Kind.WARC),
        ("x", b"http://a.example/1\nhttp://a.example/2", Kind.URLS),
        ("x", b"# stories\r\n\r\nhttps://a.example/1\r\n", Kind.URLS),
        ("x", b"https://a.example/only", Kind.URLS),
        ("x.csv", b"https://a.example/1\nhttps://a.example/2\n", Kind.CSV),
        ("x", b"url,title\nhttps://a.example/1,<b>x</b>\n", Kind.CSV),
        ("x", b"https://a.example/1,<html>\n", Kind.CSV),
        ("x", b"collect_date,stories_id,url\n2020-01-01,1,http://a.example/\n", Kind.CSV),
        ("x", b"just some words\n", Kind.UNKNOWN),
        ("x", b"\x89PNG\r\n\x1a\n" + bytes(range(256)), Kind.UNKNOWN),
        ("x", gzip.compress(b"<rss>"), Kind.UNKNOWN),
        ("x", b"\x80\x04\x95", Kind.UNKNOWN),
    ],
)
def test_by_its_first_bytes(name: str, head: bytes, kind: Kind) -> None:
    assert kind_of(name, head) is kind


def test_a_url_that_the_head_cuts_is_no_url() -> None:
    head = b"https://a.example/1\nhttps://a.example/2\nht"
    assert kind_of("x", head) is Kind.URLS
