"""newsroom/feeds.py: the feeds are what other people's software takes them for."""

import csv
import gzip
import io
import json
from collections.abc import Mapping
from dataclasses import replace

import feedparser
import pytest
from lxml import etree

from newsroom.feeds import KINDS, Item, published, render
from newsroom.host import Feed, Host
from newsroom.newspapers import newspapers
from newsroom.reply import Reply
from tests.each_row import each_row

ITEMS = [
    Item("http://paper.example/a?b=1&c=2", "Fish, chips & <peas>", published("2026-03-14")),
    Item("http://paper.example/два", 'Рыба "без" дат', None),
]
LOC = "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"


def feed(kind: str, path: str = "/feed", encoding: str = "utf-8") -> Mapping[str, Reply]:
    return render(_host(Feed(kind, path, encoding)), ITEMS)


def _host(feed: Feed) -> Host:
    return replace(newspapers().hosts[0], host="paper.example", feed=feed, gzip=False)


def body(replies: Mapping[str, Reply]) -> bytes:
    return replies["http://paper.example/feed"].body


@pytest.mark.parametrize(
    ("kind", "version", "encoding"),
    [("rss", "rss20", "utf-8"), ("rdf", "rss10", "windows-1251"), ("atom", "atom10", "utf-8")],
)
def test_a_feed_reader_finds_links_titles_and_dates(kind: str, version: str, encoding: str) -> None:
    found = feedparser.parse(body(feed(kind, encoding=encoding)))
    assert (found.bozo, found.version) == (False, version)
    assert [entry.link for entry in found.entries] == [item.link for item in ITEMS]
    assert [entry.title for entry in found.entries][1] == ITEMS[1].title
    parsed = found.entries[0].get("published_parsed") or found.entries[0].updated_parsed
    assert tuple(parsed)[:3] == (2026, 3, 14)
    assert "published" not in found.entries[1]


def test_a_json_feed_has_what_its_specification_requires() -> None:
    found = json.loads(body(feed("json")))
    assert found["version"] == "https://jsonfeed.org/version/1.1"
    assert [item["url"] for item in found["items"]] == [item.link for item in ITEMS]
    assert found["items"][0]["date_published"] == "2026-03-14T12:00:00+00:00"
    assert "date_published" not in found["items"][1]


def test_a_csv_has_the_link_in_its_first_column() -> None:
    rows = list(csv.reader(io.StringIO(body(feed("csv")).decode("utf-8-sig"))))
    assert rows == [[item.link, item.title] for item in ITEMS]


def test_a_list_of_urls_has_one_a_line() -> None:
    assert body(feed("urls")).decode().splitlines() == [item.link for item in ITEMS]


def test_a_sitemap_index_leads_to_all_links_through_a_gzipped_one_too() -> None:
    replies = feed("sitemap-index")
    maps = [location.text or "" for location in etree.fromstring(body(replies)).iter(LOC)]
    assert [url.endswith(".gz") for url in maps] == [False, True]
    found = [
        location.text
        for url in maps
        for location in etree.fromstring(_unpacked(url, replies[url].body)).iter(LOC)
    ]
    assert found == [item.link for item in ITEMS]


def test_a_feed_named_gz_is_gzipped() -> None:
    replies = feed("news-sitemap", "/feed.gz")
    packed = replies["http://paper.example/feed.gz"]
    assert packed.headers["Content-Type"] == "application/gzip"
    assert b"2026-03-14T12:00:00+00:00" in gzip.decompress(packed.body)


@each_row(
    ("day", "text", "written"),
    [
        ("2026-03-14", None, "Sat, 14 Mar 2026 12:00:00 GMT"),
        ("2026-03-14", "Sat, 14 Mar 2026 09:15:00 EST", "Sat, 14 Mar 2026 09:15:00 EST"),
        ("2026-03-14", "none", ""),
        (None, None, ""),
    ],
)
def test_the_date_of_an_item(day: str | None, text: str | None, written: str) -> None:
    host = _host(Feed("rss", "/feed"))
    items = [Item("http://paper.example/a", "A", published(day, text))]
    found = render(host, items)["http://paper.example/feed"].body.decode()
    assert (f"<pubDate>{written}</pubDate>" if written else "</guid></item>") in found


def test_every_kind_is_published_by_one_of_the_newspapers() -> None:
    assert {host.feed.kind for host in newspapers().hosts} == set(KINDS)


def _unpacked(url: str, data: bytes) -> bytes:
    return gzip.decompress(data) if url.endswith(".gz") else data
