"""Duplicate feeds."""

from typing import Any

from indexer.database import Database
from indexer.feeds.registry.twins import NEARLY, SAME_END, SAME_URL, normal_form, twins
from tests.each_row import each_row
from tests.feeds.rows import NOW, add_feeds

FEED = "https://site.example/feed"


@each_row(
    "url",
    [
        "http://site.example/feed",
        "https://www.site.example/feed/",
        "HTTPS://Site.Example:443/feed",
        "http://site.example:80/feed#top",
    ],
)
def test_urls_that_hardly_differ_have_one_form(url: str) -> None:
    assert normal_form(url) == normal_form(FEED)


@each_row(
    "url",
    [
        "https://site.example/Feed",
        "https://site.example/feed?a=1",
        "https://site.example:8080/feed",
        "https://news.site.example/feed",
        "feed",
    ],
)
def test_urls_that_may_be_other_feeds_have_another_form(url: str) -> None:
    assert normal_form(url) != normal_form(FEED)


def test_each_feed_is_told_with_its_oldest_twin_and_why(feeds_db: Database) -> None:
    moved = "https://new.example/feed"
    rows: list[dict[str, Any]] = [
        {"url": FEED},
        {"url": FEED},
        {"url": "http://www.site.example/feed/"},
        {"url": "https://old.example/rss", "final_url": moved},
        {"url": moved},
        {"url": "https://other.example/", "adopted_url": "https://new.example/feed/"},
        {"url": "https://alone.example/"},
        {"url": FEED, "removed_at": NOW},
        {"url": None},
    ]
    add_feeds(feeds_db, rows)
    found = {twin.id: (twin.twin_id, twin.why) for twin in twins(feeds_db)}
    assert found == {
        2: (1, SAME_URL),
        3: (1, NEARLY),
        5: (4, SAME_END),
        6: (4, SAME_END),
    }
