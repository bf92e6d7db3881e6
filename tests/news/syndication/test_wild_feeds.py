"""Feeds as programs write them: only direct children of an item are its fields."""

import io
import re
from collections.abc import Callable
from itertools import product

from indexer.feeds.reading.entry import FeedEntry
from indexer.feeds.reading.markup_reading import rss_entry
from indexer.news.syndication.feed_markup import MarkupFeed
from indexer.news.syndication.feedparser_items import answer
from indexer.news.syndication.second_reader import decoded
from indexer.stories.queuers.feeds import read_feed
from indexer.stories.story import RSSEntry
from indexer.text.decoding.documents import document_text
from tests import paths
from tests.each_row import each_row
from tests.feeds.documents import NOW, URL, atom, reading, rss
from tests.news.syndication.wild_feeds import DATES, WILD, wild

_TAG = re.compile(r"<(/?)([A-Za-z][\w:.-]*)")


def upper(text: str) -> str:
    """A feed with the names of its elements in upper case."""
    return _TAG.sub(lambda tag: f"<{tag[1]}{tag[2].upper()}", text)


def prefixed(text: str) -> str:
    """A feed with a prefix for the elements that have none."""
    text = text.replace(" xmlns=", " xmlns:own=")
    return _TAG.sub(lambda tag: tag[0] if ":" in tag[2] else f"<{tag[1]}own:{tag[2]}", text)


def both_prefixed(text: str) -> str:
    """A feed whose namespace is the default and has a prefix, which some elements use."""
    uri = re.search(r' xmlns="([^"]+)"', text)
    text = text.replace(" xmlns=", f' xmlns:own="{uri[1]}" xmlns=', 1) if uri else text
    some = re.compile(r"<(/?)(entry|link|title|id|published|loc)\b")
    return some.sub(r"<\1own:\2", text) if uri else text


def without_ends(text: str) -> str:
    """A feed with elements of HTML that nobody closes, at the beginning of each item."""
    return re.sub(r"<(item|entry|url)\b[^>]*>", r"\g<0><img src='x'><br><p>", text)


@each_row("name", WILD)
@each_row("change", [str, upper, without_ends])
def test_our_reader_finds_the_fields_of_each_entry(name: str, change: Callable[[str], str]) -> None:
    found, expected = reading(change(wild(name))), WILD[name]
    assert found.title == expected.title
    assert [entry.link for entry in found.entries] == list(expected.links)
    assert [(entry.title or "").lower() for entry in found.entries] == [
        title.lower() for title in expected.titles
    ]
    assert [entry.guid for entry in found.entries] == list(expected.guids)
    assert [entry.published_at for entry in found.entries] == list(DATES)
    assert found.warnings == []


@each_row("name", [name for name in WILD if name not in ("planet.atom", "dotnet.rss")])
@each_row("change", [prefixed, both_prefixed])
def test_any_prefix_means_the_same(name: str, change: Callable[[str], str]) -> None:
    found = reading(change(wild(name)))
    assert [entry.link for entry in found.entries] == list(WILD[name].links)
    assert [entry.title for entry in found.entries] == list(WILD[name].titles)


@each_row("name", WILD)
def test_the_queuer_reads_the_same_stories(name: str) -> None:
    found = list(read_feed(URL, io.BytesIO(wild(name).encode())))
    titles = [re.sub("<.*?>", "", title) for title in WILD[name].titles]
    assert [entry.title for entry in found if isinstance(entry, RSSEntry)] == titles
    # The queuer does not know FeedBurner's links.
    if name != "google-news.rss":
        assert [entry.link for entry in found] == list(WILD[name].links)  # type: ignore[union-attr]


@each_row("name", WILD)
@each_row("size", [1, 7, 100])
def test_pieces_of_any_size_give_the_same_items(name: str, size: int) -> None:
    text = wild(name)
    whole = list(MarkupFeed().items([text]))
    pieces = (text[at : at + size] for at in range(0, len(text), size))
    assert list(MarkupFeed().items(pieces)) == whole


def by_feedparser(text: str) -> list[FeedEntry]:
    """The entries that feedparser finds, by our rules for an item."""
    return [rss_entry(item, URL, NOW) for item in decoded(answer(text.encode())).items]


NESTED = "feedparser takes the link of a nested element for the entry's"
VARIANT = "feedparser takes the last of several alternate links"
NAMESPACE = "feedparser takes elements of another vocabulary for those of RSS"
NO_SITEMAP = "feedparser reads no sitemaps"

DIFFERENCES = {
    ("mastodon.atom", 0, "link"): NESTED,
    ("mastodon.atom", 1, "link"): NESTED,
    ("comments.atom", 0, "link"): NESTED,
    ("comments.atom", 1, "link"): NESTED,
    ("drupal.rss", 1, "link"): NESTED,
    ("wordpress.rss", 0, "link"): NESTED,
    ("wordpress.rss", 1, "link"): NESTED,
    ("video.rss", 0, "link"): NESTED,
    ("podcast.rss", 0, "link"): NESTED,
    ("slash.rdf", 0, "link"): NESTED,
    ("slash.rdf", 1, "link"): NESTED,
    ("dotnet.rss", 0, "link"): NESTED,
    ("dotnet.rss", 0, "title"): NAMESPACE,
    ("blogger.atom", 0, "link"): VARIANT,
    ("blogger.atom", 1, "link"): VARIANT,
    **{("sitemap.xml", number, "entry"): NO_SITEMAP for number in (0, 1)},
}


def test_feedparser_differs_only_where_a_reason_is_known() -> None:
    found = set()
    for name in WILD:
        theirs = by_feedparser(wild(name))
        for number, ours in enumerate(reading(wild(name)).entries):
            if number >= len(theirs):
                found.add((name, number, "entry"))
                continue
            for field in ("link", "title", "guid", "published_at"):
                if getattr(ours, field) != getattr(theirs[number], field):
                    found.add((name, number, field))
    assert found == set(DIFFERENCES)


OTHER_FILES = {
    "broken.xml": "feedparser loses an item, and decodes `&copy` without `;`",
    "laughs.xml": "feedparser cuts the `;` off an unknown entity",
    "synthetic.rss": "feedparser loses the `;` of an `&` that is escaped twice",
    "news-sitemap.xml": NO_SITEMAP,
    "feed.json": "feedparser reads no JSON",
}
"""Of the samples in `tests/data/feeds` those in which feedparser finds other entries, and why."""

NO_FEEDS = ("page.html", "sitemap-index.xml")


def test_feedparser_differs_in_no_other_sample() -> None:
    found = set()
    for path in (paths.DATA / "feeds").iterdir():
        if path.name not in NO_FEEDS:
            ours = reading(path.read_bytes()).entries
            theirs = by_feedparser(document_text(path.read_bytes()).text)
            if [essence(entry) for entry in ours] != [essence(entry) for entry in theirs]:
                found.add(path.name)
    assert found == set(OTHER_FILES)


def essence(entry: FeedEntry) -> tuple[object, ...]:
    """What an entry says, wherever it was read."""
    return entry.link, entry.title, entry.guid, entry.published_at


OWN_RSS = {
    "title": "<title>Own</title>",
    "link": "<link>https://own.example/1</link>",
    "guid": "<guid isPermaLink='false'>own</guid>",
    "date": "<pubDate>Wed, 01 May 2024 10:00:00 GMT</pubDate>",
}
NESTED_RSS = (
    "<title>Nested</title><link>https://nested.example/</link><guid>nested</guid>"
    "<pubDate>Mon, 01 Jan 2001 00:00:00 GMT</pubDate><dc:date>2001-01-01</dc:date>"
    "<link href='https://nested.example/'/><atom:link href='https://nested.example/'/>"
)
OWN_ATOM = {
    "title": "<title>Own</title>",
    "link": "<link href='https://own.example/1'/>",
    "guid": "<id>own</id>",
    "date": "<published>2024-05-01T10:00:00Z</published>",
}
NESTED_ATOM = (
    "<title>Nested</title><link href='https://nested.example/'/><id>nested</id>"
    "<published>2001-01-01T00:00:00Z</published><updated>2001-01-01T00:00:00Z</updated>"
)
CONTAINERS = (
    *("author", "source", "category", "enclosure", "contributor", "content", "summary", "rights"),
    *("description", "image", "media:group", "media:content", "activity:object", "itunes:owner"),
    *("georss:where", "dc:creator", "thr:in-reply-to", "xhtml:div", "x", "foreign:thing"),
)


def is_own(entry: FeedEntry) -> bool:
    """Whether all fields of an entry are those of OWN_RSS and OWN_ATOM."""
    found = (entry.title, entry.link, entry.guid, entry.published_at)
    return found == ("Own", "https://own.example/1", "own", DATES[0])


@each_row("container", CONTAINERS)
def test_no_element_lends_its_children_to_the_item(container: str) -> None:
    for name, own, inner in (("item", OWN_RSS, NESTED_RSS), ("entry", OWN_ATOM, NESTED_ATOM)):
        nested, fields = f"<{container} a='b'>{inner}</{container}>", "".join(own.values())
        around = rss if name == "item" else atom
        orders = (nested + fields, fields + nested, f"<y>{nested}</y>{fields}")
        (one, two, three) = reading(
            around(*(f"<{name}>{inside}</{name}>" for inside in orders))
        ).entries
        assert is_own(one)
        assert is_own(two)
        assert is_own(three)


KNOWN_TO_FEEDPARSER = {("item", "source"), ("entry", "source"), ("entry", "image")}
"""The only elements whose links feedparser keeps apart; from all others it takes them."""


def test_feedparser_takes_the_links_of_nearly_all_nested_elements() -> None:
    apart = set()
    for name, own, inner in (("item", OWN_RSS, NESTED_RSS), ("entry", OWN_ATOM, NESTED_ATOM)):
        for container in CONTAINERS:
            nested = f"<{container} a='b'>{inner}</{container}>"
            body = f"<{name}>{nested}{''.join(own.values())}</{name}>"
            (entry,) = by_feedparser(rss(body) if name == "item" else atom(body))
            assert (entry.title, entry.guid, entry.published_at) == ("Own", "own", DATES[0])
            if is_own(entry):
                apart.add((name, container))
    assert apart == KNOWN_TO_FEEDPARSER


@each_row("container", CONTAINERS)
def test_the_fields_of_the_feed_are_its_own(container: str) -> None:
    nested = f"<{container}><title>Nested</title><ttl>1</ttl></{container}>"
    head = f"{nested}<title>Own</title><ttl>60</ttl>{nested}"
    found = reading(f"<rss><channel>{head}<item/></channel></rss>")
    assert (found.title, found.update_minutes) == ("Own", 60)
    assert reading(f"<feed>{nested}<title>Own</title>{nested}<entry/></feed>").title == "Own"


@each_row("unclosed", ["<img src='x'>", "<p>", "<author>", "<description>a <b>", "<x><y><z>"])
@each_row("number", range(5))
def test_an_element_without_an_end_costs_no_field(unclosed: str, number: int) -> None:
    parts = list(OWN_RSS.values())
    parts.insert(number, unclosed)
    (entry,) = reading(rss(f"<item>{''.join(parts)}</item>")).entries
    assert is_own(entry)


def test_a_field_in_an_open_element_is_not_that_of_an_item_that_is_cut() -> None:
    cut = "<feed><entry><author><link href='https://social.example/@ana'/>"
    (item,) = MarkupFeed().items([cut])
    assert (item.whole, item.elements) == (False, [])


@each_row(("depth", "own"), list(product([1, 99, 100, 101, 1000], ["<link>a</link>"])))
def test_deep_nesting_is_nested_at_any_depth(depth: int, own: str) -> None:
    nested = "<x>" * depth + "<link>wrong</link>" + "</x>" * depth
    (item,) = MarkupFeed().items([f"<rss><item><y>{nested}</y>{own}</item></rss>"])
    assert item.texts == {"link": "a"}
