"""Documents as feedparser reads them, in the form of our own reader's items."""

from indexer.news.syndication.feedparser_items import answer
from indexer.news.syndication.open_item import MarkupItem
from indexer.news.syndication.second_reader import SecondReading, decoded
from tests.each_row import each_row
from tests.news.syndication.wild_feeds import wild


def read(text: str) -> SecondReading:
    """A document in UTF-8 as feedparser reads it."""
    return decoded(answer(text.encode()))


def only(inner: str) -> MarkupItem:
    """The one item of a feed."""
    (item,) = read(f"<rss version='2.0'><channel><item>{inner}</item></channel></rss>").items
    return item


def test_channels_of_1997_have_items() -> None:
    found = read(wild("channel.cdf"))
    assert found.head.text("title") == "Channel"
    assert [item.text("title") for item in found.items] == ["First story", "Second story"]
    assert [next(item.attributes("link"))["href"] for item in found.items] == [
        "https://cdf.example/news/1.html",
        "https://cdf.example/news/2.html",
    ]
    assert found.items[0].text("updated") == "2024-05-01T10:00:00Z"


@each_row(
    ("inner", "name", "text"),
    [
        ("<title>a &amp;amp; &lt;b&gt;b&lt;/b&gt;</title>", "title", "a &amp; <b>b</b>"),
        ("<title>a\x01</title>", "title", "a"),
        ("<title>a&#xD800;&#56320;&#x110000;</title>", "title", "a\ufffd\ufffd\ufffd"),
        ("<title>" + "x" * 70_000 + "</title>", "title", "x" * 65_536),
        ("<guid isPermaLink='false'>1</guid>", "guid", "1"),
        ("<pubDate>soon</pubDate>", "published", "soon"),
        ("<dc:date>2024-05-01</dc:date>", "updated", "2024-05-01"),
        ("<pubDate>soon</pubDate>", "updated", ""),
        ("<x>y</x>", "title", ""),
    ],
)
def test_the_texts_of_an_item(inner: str, name: str, text: str) -> None:
    assert only(inner).text(name) == text


def test_a_guid_is_a_permalink_unless_it_says_otherwise() -> None:
    inner = "<guid isPermaLink='false'>https://s.example/1</guid>"
    assert list(only(inner).attributes("guid")) == [{"ispermalink": "false"}]


def test_a_declared_charset_does_not_matter() -> None:
    text = "<?xml version='1.0' encoding='windows-1251'?><rss><item><title>é</title></item></rss>"
    assert read(text).items[0].text("title") == "é"


@each_row("text", ["", "x", "<x>", "<html><body>", "<rss/>", "{}", "/etc/passwd", "http://a/"])
def test_no_text_is_taken_for_a_path_or_a_url(text: str) -> None:
    assert read(text).items == []
