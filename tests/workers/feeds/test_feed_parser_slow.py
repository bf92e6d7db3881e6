"""The parser with feedparser in its real process."""

from indexer.feeds.attempt import WORKING
from tests.news.syndication.wild_feeds import wild
from tests.workers.feeds.test_feed_parser import attempt
from workers.feeds.feed_parser import FeedParser, FeedParserOptions


def test_a_channel_of_1997_becomes_a_document() -> None:
    parser = FeedParser(FeedParserOptions())
    try:
        done = parser.process(attempt(wild("channel.cdf")))
    finally:
        parser.close()
    (made,) = done.outputs
    assert (done.status, made.status) == ("parsed", WORKING)
    assert made.document is not None
    assert [each.url for each in made.document.items] == [
        "https://cdf.example/news/1.html",
        "https://cdf.example/news/2.html",
    ]
