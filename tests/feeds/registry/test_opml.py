"""OPML: other programs' files are read, and written files are well-formed."""

import io
import xml.etree.ElementTree as ET
from collections.abc import Sequence

from indexer.feeds.feed import Feed
from indexer.feeds.registry.feed_spec import FeedProblem, FeedSpec
from indexer.feeds.registry.opml import is_opml, read_opml, write_opml
from tests.each_row import each_row
from tests.feeds.rows import NOW

A, B, C = (f"https://{name}.example/feed" for name in "abc")

VERSION_1 = f"""<?xml version="1.0"?>
<opml version="1.0"><head><title>Mine</title></head><body>
<outline text="A" type="rss" xmlUrl="{A}" htmlUrl="https://a.example/"/>
<outline title="B &amp; others" text="b" xmlUrl='{B}?a=1&amp;b=2'></outline>
</body></opml>"""

NESTED = f"""<opml version="2.0"><body>
<outline text="Country">
  <outline text="North">
    <outline type="rss" xmlUrl="{A}"/>
    <outline type="rss" text="B" xmlUrl="{B}"/>
  </outline>
  <outline type="rss" xmlUrl="{C}"/>
</outline>
</body></opml>"""


def read(text: str, size: int = 7) -> list[FeedSpec | FeedProblem]:
    """Read a text that arrives in small pieces."""
    return list(read_opml(text[at : at + size] for at in range(0, len(text), size)))


def test_feeds_are_read_with_their_titles() -> None:
    assert read(VERSION_1) == [FeedSpec(A, "A"), FeedSpec(f"{B}?a=1&b=2", "B & others")]


def test_feeds_without_a_title_are_named_by_their_categories() -> None:
    assert read(NESTED) == [
        FeedSpec(A, "Country / North"),
        FeedSpec(B, "B"),
        FeedSpec(C, "Country"),
    ]


@each_row(
    ("text", "found"),
    [
        (f'<outline XMLURL="{A}">', [FeedSpec(A)]),
        (f'<opml><body><outline xmlUrl="{A}" text=x></opml>', [FeedSpec(A, "x")]),
        (f'<outline type="rss" text="x" url="{A}"/>', [FeedSpec(A, "x")]),
        (f'& <outline text="a > b" xmlUrl="{A}"/>', [FeedSpec(A, "a > b")]),
        (f'<!-- <outline xmlUrl="{B}"/> --><outline xmlUrl=" {A} "/>', [FeedSpec(A)]),
        (f'<outline xmlUrl="{A}" isComment="true"/>', [FeedSpec(A, active=False)]),
        (
            '<outline text="" />',
            [FeedProblem("outline", "neither a feed nor a category: no xmlUrl")],
        ),
        ("</outline></outline>", []),
    ],
)
def test_what_is_hardly_xml_is_read_as_far_as_it_goes(
    text: str, found: Sequence[FeedSpec | FeedProblem]
) -> None:
    assert read(text) == found


def test_what_is_no_feed_is_told() -> None:
    text = (
        '<outline text="Page" htmlUrl="https://a.example/"/>'
        '<outline type="include" text="More" url="https://b.example/more.opml"/>'
    )
    found = read(text)
    assert [each.what for each in found if isinstance(each, FeedProblem)] == [
        "Page",
        "https://b.example/more.opml",
    ]


def test_nothing_is_expanded() -> None:
    bomb = '<!DOCTYPE o [<!ENTITY a "https://x.example/"><!ENTITY b SYSTEM "file:///etc/passwd">]>'
    assert read(f'{bomb}<outline xmlUrl="&a;" text="&b;"/>') == [FeedSpec("&a;", "&b;")]


def test_what_is_written_is_xml_and_is_read_again() -> None:
    feeds = [
        Feed(id=1, url=f"{A}?a=1&b=<2>", name='A "quoted" & <b> \u202e\x01name'),
        Feed(id=2, url=B, rss_title="From the feed", active=False),
        Feed(id=3, url=C),
    ]
    file = io.StringIO()
    assert write_opml(feeds, file, NOW) == 3
    outlines = ET.fromstring(file.getvalue().encode()).findall("body/outline")
    assert [each.get("xmlUrl") for each in outlines] == [feed.url for feed in feeds]
    assert [each.get("text") for each in outlines] == [
        'A "quoted" & <b> name',
        "From the feed",
        C,
    ]
    assert read(file.getvalue()) == [
        FeedSpec(f"{A}?a=1&b=<2>", 'A "quoted" & <b> name'),
        FeedSpec(B, "From the feed", active=False),
        FeedSpec(C),
    ]


@each_row(
    ("text", "is_it"),
    [
        (VERSION_1, True),
        (f'<outline xmlUrl="{A}"/>', True),
        ("<rss><channel>", False),
        ("<p>opml", False),
        ("opml", False),
    ],
)
def test_opml_is_told_by_its_elements(text: str, is_it: bool) -> None:
    assert is_opml(text) is is_it
