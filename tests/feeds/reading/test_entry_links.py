"""The choice of the story's link among those of an item (feeds.md 7.2)."""

from hypothesis import given
from hypothesis import strategies as st

from indexer.feeds.reading.entry_links import repaired
from tests.each_row import each_row
from tests.feeds.documents import URL, atom, reading, rss
from tests.feeds.properties import patient

A, B = "https://a.example/1", "http://b.example/2"


def link(body: str, url: str = URL) -> str:
    """The link of a document's only item."""
    (entry,) = reading(body, url=url).entries
    return entry.link


@each_row(
    ("inner", "found"),
    [
        (f"<link>{A}</link>", A),
        (f"<link>\n {A} </link>", A),
        (f"<link><![CDATA[{A}?a=1&b=2]]></link>", f"{A}?a=1&b=2"),
        (f"<link><![CDATA[{A}?a=1&amp;b=2]]></link>", f"{A}?a=1&b=2"),
        (f"<link>{A}?a=1&amp;b=2&copy=3</link>", f"{A}?a=1&b=2&copy=3"),
        (f"<link>{A}&#0;\0\x1f</link>", f"{A}\ufffd"),
        (f"<link>{A}/é</link>", f"{A}/é"),
        (f"<link>{A}</link><link>{B}</link>", A),
        (f"<link>mailto:a@b.example</link><link>{B}</link>", B),
        (f"<link/><link>{B}</link>", B),
        (f"<link>{A}</link><guid>{B}</guid>", A),
        (f"<link>javascript:void(0)</link><guid>{B}</guid>", B),
        (f"<guid>{A}</guid>", A),
        (f"<guid> {A}\n</guid>", A),
        (f"<guid isPermaLink='true'>{A}</guid>", A),
        (f"<guid isPermaLink=' False '>{A}</guid>", ""),
        ("<guid>12345</guid>", ""),
        (f"<feedburner:origLink>{A}</feedburner:origLink><link>{B}</link>", A),
        (f"<link>{B}</link><feedburner:origLink>{A}</feedburner:origLink>", A),
        (f"<feedburner:origLink/><link>{B}</link>", B),
        (f"<atom:link href='{B}' rel='self'/><link>{A}</link>", A),
        (f"<atom:link href='{A}'/>", A),
        (f"<atom:link href='{A}' rel='self'/>", ""),
        (f"<link href='{A}'/>", A),
        (f"<a10:link xmlns:a10='http://www.w3.org/2005/Atom' href='{A}'/>", A),
        (f"<enclosure url='{A}'/>", ""),
        (f"<comments>{A}</comments>", ""),
        ("", ""),
        ("<link> </link>", ""),
        # Relative to the feed
        ("<link>/news/1</link>", "https://site.example/news/1"),
        ("<link>news/1?a=b</link>", "https://site.example/dir/news/1?a=b"),
        ("<link>?p=1</link>", "https://site.example/dir/feed.xml?p=1"),
        ("<link>//cdn.example/1</link>", "https://cdn.example/1"),
        # Counted by acceptance
        ("<link>mailto:a@b.example</link>", "mailto:a@b.example"),
        ("<link>www.a.example/1</link>", "www.a.example/1"),
        ("<link>\\\\a.example\\1</link>", "\\\\a.example\\1"),
        ("<link>http:\\\\a.example\\1</link>", "http:\\\\a.example\\1"),
        ("<link>http://[::1</link>", "http://[::1"),
        ("<link>//[x</link>", "//[x"),
        ("<link>http://http://a.example/1</link>", "http://http://a.example/1"),
        ("<link>ftp://a.example/1</link>", "ftp://a.example/1"),
    ],
)
def test_an_item_of_rss(inner: str, found: str) -> None:
    assert link(rss(f"<item>{inner}</item>")) == found


@each_row(
    ("inner", "found"),
    [
        (f"<link href='{A}'/>", A),
        (f"<link rel='alternate' href='{A}'/>", A),
        (f"<link rel='self' href='{B}'/><link href='{A}'/>", A),
        (f"<link rel='enclosure' href='{B}'/>", ""),
        (f"<link rel='replies' href='{B}'/><id>{A}</id>", A),
        (f"<link rel='http://www.iana.org/assignments/relation/alternate' href='{A}'/>", A),
        (f"<link href='mailto:a'/><link href='{A}'/>", A),
        (f"<link href='{A}'></link>", A),
        (f"<link href='{A}?a=1&amp;b=2'/>", f"{A}?a=1&b=2"),
        ("<link href='x'/>", "https://site.example/dir/x"),
        ("<link href='x' xml:base='https://a.example/y/'/>", "https://a.example/y/x"),
        ("<link/>", ""),
        ("<id>tag:1</id>", ""),
        (f"<feedburner:origLink>{A}</feedburner:origLink><link href='{B}'/>", A),
    ],
)
def test_an_entry_of_atom(inner: str, found: str) -> None:
    assert link(atom(f"<entry>{inner}</entry>")) == found


@each_row(
    ("first", "second", "own"),
    [
        ("type='text/html'", "", "first"),
        ("", "type='text/html'", "first"),
        ("type='application/atom+xml'", "", "second"),
        ("type='application/json+oembed'", "type='TEXT/HTML; charset=utf-8'", "second"),
        ("type='application/feed+json'", "type='application/xhtml+xml'", "second"),
        ("type='application/pdf'", "type='application/json'", "first"),
        ("hreflang='de'", "", "second"),
        ("hreflang='de'", "hreflang='en'", "second"),
        ("hreflang='EN'", "hreflang='fr'", "first"),
        ("hreflang='de'", "hreflang='fr'", "first"),
        ("hreflang='de'", "hreflang='en-GB'", "second"),
        ("hreflang='en' type='application/json'", "hreflang='de'", "second"),
        ("media='handheld'", "", "second"),
        ("media='handheld'", "type='application/json'", "first"),
    ],
)
def test_of_several_alternates_the_page_in_the_feeds_language_wins(
    first: str, second: str, own: str
) -> None:
    links = f"<link href='http://s.example/first' {first}/>"
    links += f"<link href='http://s.example/second' {second}/>"
    assert link(f"<feed xml:lang='en'><entry>{links}</entry></feed>") == f"http://s.example/{own}"
    in_rss = links.replace("<link", "<atom:link")
    assert link(f"<rss xml:lang='en'><item>{in_rss}</item></rss>") == f"http://s.example/{own}"


def test_the_language_of_an_entry_is_closer_than_the_feeds() -> None:
    links = "<link hreflang='en' href='http://a.example/'/>"
    links += "<link hreflang='de' href='http://b.example/'/>"
    body = f"<feed xml:lang='en'><entry xml:lang='de'>{links}</entry></feed>"
    assert link(body) == "http://b.example/"


@each_row(
    ("feed", "entry", "found"),
    [
        ("", "", "https://site.example/dir/1"),
        ("https://b.example/x/", "", "https://b.example/x/1"),
        ("/x/", "", "https://site.example/x/1"),
        ("", "https://b.example/y/", "https://b.example/y/1"),
        ("https://b.example/x/", "y/", "https://b.example/x/y/1"),
        ("//b.example/x/", "", "https://b.example/x/1"),
        ("http://[", "", "1"),
    ],
)
def test_bases_are_the_items_then_the_feeds_then_the_final_url(
    feed: str, entry: str, found: str
) -> None:
    inner = f"<entry xml:base='{entry}'><link href='1'/></entry>"
    assert link(atom(inner, attributes=f" xml:base='{feed}'")) == found


def test_a_base_of_the_channel_counts_too() -> None:
    body = "<rss><channel xml:base='https://b.example/'><item><link>1</link></item></channel></rss>"
    assert link(body) == "https://b.example/1"


def test_a_link_without_a_scheme_has_that_of_the_feed() -> None:
    body = rss("<item><link>//a.example/1</link></item>")
    assert link(body, "http://site.example/feed") == "http://a.example/1"


FEED = "https://feeds.example/rss"


@each_row(
    ("link", "right"),
    [
        ("http://http://a.example/pulse", "http://a.example/pulse"),
        ("http://https://a.example/", "https://a.example/"),
        ("http://http//a.example/x", "http://a.example/x"),
        ("https://https://http://a.example/", "http://a.example/"),
        ("http:/a.example/one", "http://a.example/one"),
        ("//a.example/x", "https://a.example/x"),
        ("https:\\\\a.example\\b\\c", "https://a.example/b/c"),
        ("https:\\a.example\\b", "https://a.example/b"),
        ("https://a.example/b?c=\\d", "https://a.example/b?c=\\d"),
        ("https://a.example:/b", "https://a.example/b"),
        ("https://a.example:", "https://a.example"),
        ("https://a.example?page=2", "https://a.example/?page=2"),
        ("https://a.example:?page=2", "https://a.example/?page=2"),
        ("https://a.example/b c", "https://a.example/b%20c"),
        ("\n https://a.example/b\u00a0\ufeff", "https://a.example/b"),
        ("https://a.example/b\n   /c", "https://a.example/b%20%20%20/c"),
        ("https://a.example/\tb", "https://a.example/b"),
    ],
)
def test_mistakes_that_can_only_mean_one_thing_are_put_right(link: str, right: str) -> None:
    assert repaired(link, FEED) == right


@each_row(
    "link",
    [
        *("", "#", "/story", "www.a.example/x", "mailto:a@b.example", "javascript:alert(1)"),
        *("https://a.example/B?c=D#e", "ftp://a.example/x", "https://[::1]/x", "http:///x"),
        "https://web.archive.example/2020/http://a.example//b?c=http:/d",
        "https://a.example/?to=https://b.example?c",
        "https://user:pass@a.example:8080/x",
        "https://пример.рф/новость",
    ],
)
def test_what_is_right_or_cannot_be_known_stays(link: str) -> None:
    assert repaired(link, FEED) == link


def test_a_repaired_link_without_a_scheme_has_that_of_the_feed() -> None:
    assert repaired("//a.example/x", "http://feeds.example/") == "http://a.example/x"
    assert repaired("//a.example/x", "") == "http://a.example/x"


_PIECES = st.sampled_from(
    ["http", "https", "HTTP", ":", "/", "//", "\\", "?", "#", " ", "\n", "a.example", "é", "[", "]"]
)


@patient
@given(st.lists(_PIECES | st.text(max_size=3)).map("".join), st.sampled_from([FEED, "", "x"]))
def test_any_text_has_an_answer_which_is_not_repaired_again(link: str, feed: str) -> None:
    once = repaired(link, feed)
    assert "\n" not in once
    assert " " not in once
    assert repaired("https://a.example/" + once, feed) is not None
