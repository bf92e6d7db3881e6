"""Items and their fields, from valid and broken markup."""

from indexer.news.syndication.feed_markup import MAX_BEFORE, MAX_NAMES, MarkupFeed, MarkupItem
from tests.each_row import each_row

ITEM = "<item><title>{}</title></item>"


def items(text: str, size: int = 1 << 20) -> tuple[MarkupFeed, list[MarkupItem]]:
    """A feed and its items, read in pieces."""
    feed = MarkupFeed()
    return feed, list(feed.items(text[at : at + size] for at in range(0, len(text), size)))


def titles(text: str, size: int = 1 << 20) -> list[str]:
    """The titles of the items."""
    return [item.text("title") for item in items(text, size)[1]]


SAMPLES = {
    "<rss>" + ITEM.format(1) + ITEM.format(2) + "</rss>": ["1", "2"],
    "<rss>" + ITEM.format("<![CDATA[a]]>b<![CDATA[<]]>") + "</rss>": ["ab<"],
    "<rss><item><title>1<item><title>2</rss>": ["1", "2"],
    "<rss><item><title>1</rss><item>": ["1", ""],
    "<rss><item><x>y</x><title>a <b>c</b> d</title></item>": ["a <b>c</b> d"],
    "<rss><item><title><div>a</div></title></item>": ["a"],
    "<rss><item><description><title>x</title></description><title>y</item>": ["y"],
    "<rss><item><title></title><title> </title><title>z</title></item>": ["z"],
}


@each_row("text", SAMPLES)
@each_row("size", [1, 2, 3, 7, 1 << 20])
def test_the_same_items_in_pieces_of_any_size(text: str, size: int) -> None:
    assert titles(text, size) == SAMPLES[text]


@each_row(
    ("end", "whole"),
    [("</item>", True), ("<item/>", True), ("</channel>", True), ("</rss>", True), ("", False)],
)
def test_an_item_is_whole_if_anything_ends_it(end: str, whole: bool) -> None:
    assert items(f"<rss><channel><item><title>x</title>{end}")[1][0].whole is whole


def test_a_text_is_kept_unchanged_and_returned_trimmed() -> None:
    (item,) = items("<rss><item><guid> a </guid></item></rss>")[1]
    assert (item.texts["guid"], item.text("guid")) == (" a ", "a")


def test_all_links_of_an_item_are_kept_up_to_a_limit() -> None:
    links = "".join(f"<link>{number}</link>" for number in range(1000))
    (item,) = items(f"<rss><item>{links}</item></rss>")[1]
    assert (item.texts["link"], item.more) == ("0", [str(number) for number in range(1, 51)])


def test_tags_before_the_root_are_known_since_the_declaration() -> None:
    feed, _ = items("<a><?xml version='1.0'?><b><c/></b><rss>")
    assert (feed.root, feed.before, feed.declared) == ("rss", ["b", "c"], True)


def test_a_root_is_not_looked_for_without_end() -> None:
    feed, found = items("<a>" * (MAX_BEFORE + 1) + "<rss>" + ITEM.format(1))
    assert (feed.root, found) == ("", [])


def test_elements_beyond_the_limit_of_known_names_are_read_too() -> None:
    names = "".join(f"<n{number}/>" for number in range(MAX_NAMES + 10))
    assert titles(f"<rss>{names}{ITEM.format(1)}</rss>") == ["1"]


@each_row(
    ("inner", "texts"),
    [
        ("<title xmlns='http://search.yahoo.com/mrss/'>a</title>b<x>c</x>", {"media:title": "a"}),
        ("<title xmlns='urn:x'>a</title><title>b</title>", {"title": "b"}),
        ("<title xmlns=''>a</title>", {"title": "a"}),
        ("<date xmlns='http://purl.org/dc/elements/1.1/'>a</date>", {}),
        ("<link xmlns='http://www.w3.org/2005/Atom' href='a'></link><link>b</link>", {"link": "b"}),
    ],
)
def test_a_default_namespace_of_an_element_is_its_own(inner: str, texts: dict[str, str]) -> None:
    (item,) = items(f"<rss><item>{inner}</item></rss>")[1]
    assert item.texts == texts


@each_row(
    ("title", "text"),
    [
        ("<title mode='base64'>w6k8Yj4=</title>", "é<b>"),
        ("<title mode='base64'>\n w6k8\n Yj4= </title>", "é<b>"),
        ("<title mode='base64'>no base64!</title>", "no base64!"),
        ("<title type='base64'>w6k8Yj4=</title>", "w6k8Yj4="),
        ("<title mode='escaped'>&lt;b&gt;</title>", "<b>"),
    ],
)
def test_a_title_in_base64_is_decoded(title: str, text: str) -> None:
    (item,) = items(f"<feed version='0.3'><entry>{title}</entry></feed>")[1]
    assert item.text("title") == text


@each_row(
    ("declared", "element"),
    [
        ("xmlns:d='http://purl.org/dc/elements/1.1/'", "d:date"),
        ("xmlns:d='https://PURL.org/dc/elements/1.1'", "D:Date"),
        ("xmlns:r='http://purl.org/rss/1.0/' ", "dc:date"),
        ("", "dc:date"),
    ],
)
def test_elements_have_the_prefixes_of_this_package(declared: str, element: str) -> None:
    text = f"<rss {declared}><item><{element}>x</{element}></item></rss>"
    assert items(text)[1][0].texts == {"dc:date": "x"}
