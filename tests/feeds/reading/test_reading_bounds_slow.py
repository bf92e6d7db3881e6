"""Hostile documents: time and memory are linear, and the only error is BadFeed."""

import json
import subprocess
import sys
import time
import tracemalloc
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.errors import BadFeed
from indexer.feeds.attempt import Attempt, DocumentPart, FeedDocument, NewItem, Poll
from indexer.feeds.reading.entry import DocumentReading, FeedEntry
from indexer.feeds.reading.reading import read
from indexer.feeds.reading.sitemap_index import children
from tests.feeds.documents import NOW, URL, item, json_feed, reading, rss, sitemap
from tests.paths import ROOT
from tests.patience import PATIENCE

MANY = 30_000

HOSTILE = {
    "items": rss("<item/>" * MANY),
    "items that never end": rss("<item>" * MANY),
    "empty pages": sitemap("<url/>" * MANY),
    "links": rss("<item>" + "<link>x</link>" * MANY),
    "attributes of links": rss("<item>" + "<link href='x'/>" * MANY),
    "titles": rss("<item>" + "<title>" * MANY),
    "tags in a title": rss("<item><title>" + "<b>" * MANY),
    "a long title": rss("<item><title>" + "x" * MANY * 10),
    "references": rss("<item><title>" + "&amp;" * MANY),
    "angles": rss("<item><title>" + "<" * MANY),
    "quotes": rss('<item a="' + "<a '" * MANY),
    "attributes": rss("<item " + "a='b' " * MANY + ">"),
    "one attribute": rss("<item a='" + "b" * MANY * 5 + "'>"),
    "namespaces": "<rss " + " ".join(f"xmlns:a{number}='x'" for number in range(5_000)) + ">",
    "names": rss("".join(f"<a{number}/>" for number in range(MANY // 4))),
    "prefixes": rss("<item><" + "a:" * MANY + ">"),
    "depth": rss("<a>" * MANY),
    "ends": rss("</item>" * MANY),
    "comments": rss("<!--" * MANY),
    "sections": rss("<item><title>" + "<![CDATA[" * MANY),
    "instructions": "<?xml " * MANY,
    "declarations": "<!DOCTYPE [" * MANY,
    "tags before the root": "<b>" * MANY + rss(item(1)),
    "blanks": " " * MANY * 10,
    "marks": "\ufeff" * MANY,
    "lists": '{"items": [' + "[" * MANY,
    "lists of lists": json_feed("[]," * MANY),
    "cut JSON": json_feed('{"id": "1"},' * (MANY // 4))[:-5],
    "strings of JSON": '{"' + '\\"' * MANY,
    "dates": rss("<item><pubDate>" + "1" * MANY),
    "blanks in a date": rss("<item><pubDate>" + " " * MANY + "1"),
    "blanks in a link": rss("<item><link>" + " " * MANY + "\\" * MANY),
    "base": rss("<item xml:base='" + "a/" * MANY + "'><link>x</link></item>"),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_time_and_memory_are_linear(kind: str) -> None:
    body = HOSTILE[kind].encode()
    started = time.process_time()
    tracemalloc.start()
    with suppress(BadFeed):
        read([DocumentPart(URL, len(body))], [body], URL, NOW)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert time.process_time() - started < 30
    assert peak < 10_000_000 + 40 * len(body)


LARGE = """
import resource, sys
from indexer.feeds.attempt import DocumentPart
from indexer.feeds.reading.reading import read
from tests.feeds.documents import NOW, URL
text = "<item><title>T</title><link>https://s.example/1</link><description>" + "ж" * 50_000
body = b"<rss><channel>" + (text + "</description></item>").encode() * 500 + b"</channel></rss>"
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
found = read([DocumentPart(URL, len(body))], [body], URL, NOW)
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(len(body), len(found.entries), (after - before) * 1024)
"""


def test_a_large_document_takes_a_few_times_its_size() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LARGE],
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
        cwd=ROOT,
    )
    size, entries, grown = map(int, done.stdout.split())
    assert entries == 500
    assert size > 50_000_000
    assert grown < 6 * size


def can_be_stored(found: DocumentReading) -> None:
    """Check that all texts can be encoded, and that times have no zone."""
    for entry in found.entries:
        assert isinstance(entry, FeedEntry)
        for text in (entry.link, entry.guid, entry.title, entry.published):
            assert "\0" not in (text or "")
            (text or "").encode()
        assert entry.published_at is None or entry.published_at.tzinfo is None
    items = [
        NewItem(url=each.link, identity="x", guid=each.guid, title=each.title)
        for each in found.entries
    ]
    document = FeedDocument(title=found.title, items=items, warnings=found.warnings)
    poll = Poll(feed_id=1, url=URL, lease="x", expires=NOW)
    Attempt(poll=poll, started=NOW, document=document).dump()


FIELDS = ["link", "title", "guid", "pubDate", "dc:date", "description", "source", "loc"]
NAMES = ["item", "entry", "url", "channel", "rss", *FIELDS]
TAGS = [f"<{end}{name}>" for name in NAMES for end in ("", "/")]
SECTIONS = ["<![CDATA[", "]]>", "<!--", "-->", "<?", "<!", "&amp;", "&#xD800;", "&", "<", ">", '"']
ATTRIBUTES = ["<link href='", "<guid isPermaLink=", "<item xml:base='http://[", "'/>", "/>"]
TEXTS = [
    "http://a.example/",
    "//[",
    "x",
    "\0",
    "\ud800",
    "\x1b",
    "é",
    " ",
    "Sat, 01 Jun 2024",
    "-1",
]
PIECES = st.sampled_from([*TAGS, *SECTIONS, *ATTRIBUTES, *TEXTS])
ROOTS = [
    "<rss>",
    "<feed>",
    "<rdf>",
    "<urlset xmlns='/sitemap/'><news:x/>",
    "<sitemapindex>",
    "",
    "{",
]


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(ROOTS), st.lists(PIECES, max_size=40))
def test_any_mixture_of_markup_is_a_feed_or_none(root: str, pieces: list[str]) -> None:
    data = (root + "".join(pieces)).encode("utf-8", "surrogatepass")
    with suppress(BadFeed):
        can_be_stored(reading(data))
    children(data, URL)


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(
        [b"", b"<rss>", b"\x1f\x8b\x08", b"{", b"\xff\xfe<\0r\0s\0s\0>\0", b"\xfe\xff"]
    ),
    st.binary(max_size=200),
    st.sampled_from([None, "utf-8", "gbk", "iso-2022-jp", "utf-16", "utf-7", "hex", "\0"]),
)
def test_any_bytes_are_a_feed_or_none(head: bytes, data: bytes, charset: str | None) -> None:
    with suppress(BadFeed):
        can_be_stored(reading(head + data, charset))
    children(head + data, URL)


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=20) | st.just("https://a.example/1"),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["url", "external_url", "id", "title", "date_published"]), inner
        )
    ),
    max_leaves=10,
)


@settings(max_examples=100, deadline=None)
@given(st.lists(JSON, max_size=4))
def test_any_items_of_a_json_feed_cost_themselves(items: list[object]) -> None:
    body = json_feed(", ".join(json.dumps(each) for each in items))
    found = reading(body.encode("utf-8", "surrogatepass"))
    assert len(found.entries) == len(items)
    can_be_stored(found)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60), st.text(max_size=60), st.text(max_size=60))
def test_any_text_of_a_field_costs_its_item(link: str, title: str, date: str) -> None:
    bad = f"<item><link>{link}</link><title>{title}</title><pubDate>{date}</pubDate></item>"
    bad = bad.encode("utf-8", "replace").decode()
    found = reading(rss(item(1), bad, item(2)))
    can_be_stored(found)
    if "<" not in link + title + date:
        assert [entry.link for entry in found.entries][::2] == [
            "https://s.example/1",
            "https://s.example/2",
        ]
