"""Hostile, random and large feeds."""

import io
import time
import tracemalloc
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.errors import InputError
from indexer.messages.worker import Skipped
from indexer.stories.queuers.feeds import read_feed
from indexer.stories.story import RSSEntry
from tests.stories.queuers.test_feeds import BASE, read, rss

TAGS = [f"<{end}{name}>" for name in ("item", "link", "title", "description") for end in ("", "/")]
SECTIONS = ["<![CDATA[", "]]>", "<!--", "-->", "<?", "<!", "&amp;", "&", "<", ">", '"', "/>"]
TEXTS = ["http://a.example/", "x", "\0", "\ud800", "é", " "]
PIECES = st.sampled_from([*TAGS, *SECTIONS, *TEXTS])


@pytest.mark.parametrize(
    "data",
    [
        rss("<item>" + "<a>" * 30_000 + "</item>"),
        rss("<item><title>" + "x" * 5_000_000 + "</title><link>/a</link></item>"),
        rss("<item><link>/a</link><x " + "a='b' " * 300_000 + "/></item>"),
        rss("<item>" + '<link rel="x" href="y"/>' * 5_000 + "</item>"),
        rss("<!--" * 500_000),
        rss("<item><title>" + "&" * 2_000_000),
        rss("<item><title>" + '<a "' * 500_000),
        rss("<![CDATA[" * 200_000),
        rss("<x:" + ":" * 1_000_000),
        rss("".join(f"<n{number}:a/>" for number in range(10_000))),
    ],
    ids=[
        "depth",
        "text",
        "attributes",
        "links",
        "comments",
        "ampersands",
        "quotes",
        "sections",
        "colons",
        "names",
    ],
)
def test_hostile_markup_takes_little_time_and_memory(data: str) -> None:
    body = data.encode()
    del data
    started = time.process_time()
    tracemalloc.start()
    for _ in read_feed(BASE, io.BytesIO(body)):
        pass
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # A text is kept for feedparser until an item has a link.
    assert peak < 8_000_000 + 2 * len(body)
    assert time.process_time() - started < 30


def test_a_large_feed_takes_no_more_memory_than_a_small_one() -> None:
    filler = f"<description>{'&lt;p&gt;text &amp; more' * 5_000}</description>"
    file = io.BytesIO(rss(*[f"<item>{filler}<link>/a</link></item>"] * 100).encode())
    tracemalloc.start()
    count = sum(1 for _ in read_feed(BASE, file))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 100
    assert peak < 1_500_000


@settings(max_examples=60, deadline=None)
@given(st.lists(PIECES, max_size=40))
def test_any_mixture_of_markup_is_read_to_its_end(pieces: list[str]) -> None:
    data = rss("".join(pieces), "<item><link>https://last.example/</link></item>")
    for found in read(data.encode("utf-8", "surrogatepass")):
        assert isinstance(found, RSSEntry | Skipped)


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_a_feed_or_an_input_error(data: bytes) -> None:
    with suppress(InputError):
        read(b"<rss>" + data)
