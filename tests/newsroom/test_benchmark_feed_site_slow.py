"""benchmarks/feed_site.py: the feeds that the benchmark polls."""

import http.client
import re
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from benchmarks.feed_site import FeedSite, body, url
from tests.patience import PATIENCE


@pytest.fixture
def site() -> Iterator[FeedSite]:
    with FeedSite(feeds=3, items=4) as site:
        yield site


def get(site: FeedSite, *urls: str) -> list[tuple[int, str]]:
    """Statuses and bodies, of one connection."""
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE)
    answers = []
    try:
        for each in urls:
            connection.request("GET", urlsplit(each).path)
            answer = connection.getresponse()
            answers.append((answer.status, answer.read().decode()))
    finally:
        connection.close()
    return answers


def test_each_feed_has_its_own_items(site: FeedSite) -> None:
    answers = get(site, *site.urls)
    links = [link for _, text in answers for link in re.findall("<item>.*?<link>(.*?)<", text)]
    assert [status for status, _ in answers] == [200, 200, 200]
    assert len(links) == len(set(links)) == 3 * 4


def test_another_edition_is_another_document_with_the_same_items(site: FeedSite) -> None:
    (_, before), *_ = get(site, site.urls[0])
    site.change()
    (_, after), *_ = get(site, site.urls[0])
    assert before != after
    assert before.partition("<item>")[2] == after.partition("<item>")[2]


def test_what_is_not_there_is_not_found(site: FeedSite) -> None:
    assert get(site, url(9))[0][0] == 404


def test_items_are_the_same_each_time() -> None:
    assert body(7, 3) == body(7, 3) != body(8, 3)
