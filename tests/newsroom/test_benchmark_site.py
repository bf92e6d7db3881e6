"""benchmarks/site.py"""

import statistics

import feedparser
import pytest

from benchmarks.site import LANGUAGES, build, generate
from newsroom.site import Site

PAGES, HOSTS = 112, 28


@pytest.fixture(scope="module")
def site() -> Site:
    return build(PAGES, HOSTS)


def test_the_pages_are_always_the_same() -> None:
    assert list(generate(20, 5)) == list(generate(20, 5))


def test_the_pages_are_all_different_and_spread_over_the_hosts() -> None:
    pages = list(generate(PAGES, HOSTS))
    assert len({page.url for page in pages}) == PAGES
    assert len({page.title for page in pages}) == PAGES
    assert len({tuple(page.paragraphs) for page in pages}) == PAGES
    assert {page.language for page in pages} == set(LANGUAGES)
    assert len({page.url.split("/")[2] for page in pages}) == HOSTS


def test_the_pages_are_as_large_as_those_of_real_newspapers(site: Site) -> None:
    sizes = [len(reply.body) for url, reply in site.replies.items() if url not in site.inputs]
    assert 30_000 < statistics.median(sizes) < 40_000


def test_the_feed_lists_all_pages(site: Site) -> None:
    found = feedparser.parse(site.replies[site.inputs[0]].body)
    assert {entry.link for entry in found.entries} == set(site.replies) - set(site.inputs)
