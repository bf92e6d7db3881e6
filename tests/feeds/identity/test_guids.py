"""Guids that identify an item."""

from indexer.feeds.attempt import NewItem
from indexer.feeds.identity.guids import ambiguous, tells_apart
from tests.each_row import each_row

FEED = "https://news.example/feed/rss"


@each_row(
    ("guid", "answer"),
    [
        ("https://news.example/?p=12", True),
        ("https://news.example/a-story", True),
        ("https://news.example/#/story/1", True),
        ("tag:news.example,2024:1", True),
        ("5", True),
        ("ftp://news.example/", True),
        (None, False),
        ("", False),
        (" \n", False),
        ("0", False),
        ("None", False),
        (f" {FEED}\n", False),
        ("https://news.example", False),
        ("https://news.example/en/index.html", False),
    ],
)
def test_guids_that_may_identify_an_item(guid: str | None, answer: bool) -> None:
    assert tells_apart(guid, FEED) is answer


def item(identity: str, guid: str | None) -> NewItem:
    return NewItem(url=f"https://{identity}", identity=identity, guid=guid)


def test_a_guid_that_different_stories_share_is_ambiguous() -> None:
    items = [
        *(item("a.example/1", "x"), item("a.example/2", " x "), item("a.example/3", "y")),
        *(item("a.example/3", "y"), item("a.example/4", None), item("a.example/5", None)),
    ]
    assert ambiguous(items) == {"x"}
