"""newsroom/growing.py: feeds that get new items while they are served."""

import http.client
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from newsroom.growing import Growing
from newsroom.server import Newsroom
from newsroom.site import load_site
from tests.patience import PATIENCE

HERALD = "http://harbour-herald.example/feed/"


@pytest.fixture
def growing() -> Growing:
    return Growing(first=1)


@pytest.fixture
def room(growing: Growing) -> Iterator[Newsroom]:
    with Newsroom(site=growing.site) as room:
        yield room


def get(room: Newsroom, url: str, etag: str = "") -> tuple[int, str, str]:
    """Status, ETag and body."""
    connection = http.client.HTTPConnection("127.0.0.1", room.port, timeout=PATIENCE)
    headers = {"Host": urlsplit(url).netloc} | ({"If-None-Match": etag} if etag else {})
    try:
        connection.request("GET", urlsplit(url).path, headers=headers)
        answer = connection.getresponse()
        return (
            answer.status,
            answer.headers.get("ETag", ""),
            answer.read().decode("utf-8", "replace"),
        )
    finally:
        connection.close()


def test_a_feed_lists_more_while_it_is_served(growing: Growing, room: Newsroom) -> None:
    assert get(room, HERALD)[2].count("<item>") == 1
    more = growing.publish(2)
    body = get(room, HERALD)[2]
    assert body.count("<item>") == 3
    news = [link for link in more if "harbour-herald" in link]
    assert len(news) == 2
    assert all(link in body for link in news)


def test_who_has_the_newest_feed_is_told_so(growing: Growing, room: Newsroom) -> None:
    _, etag, _ = get(room, HERALD)
    assert get(room, HERALD, etag) == (304, etag, "")
    growing.publish()
    assert get(room, HERALD, etag)[0] == 200


def test_every_listed_story_is_served(growing: Growing, room: Newsroom) -> None:
    growing.publish(100)
    assert len(growing.listed) == len(set(growing.listed)) > 10
    assert {get(room, link)[0] for link in growing.listed[:5]} == {200}
    assert growing.publish() == []


def test_the_sample_newsroom_stays_as_it_is(growing: Growing) -> None:
    growing.publish()
    assert load_site().replies[HERALD] != growing.site.replies[HERALD]


@pytest.mark.parametrize("number", range(4))
def test_a_front_page_names_its_feed(number: int, growing: Growing, room: Newsroom) -> None:
    feed = growing.site.inputs[number]
    page = get(room, f"http://{urlsplit(feed).netloc}/")[2]
    assert '<link rel="alternate" type="application/' in page
    assert f'href="{feed}"' in page
