"""benchmarks/site.py"""

import http.client
import statistics

import feedparser
import mcmetadata
import pytest

from benchmarks.site import LANGUAGES, BenchSite, build, generate
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


@pytest.mark.parametrize("number", range(len(set(LANGUAGES)) + 5))
def test_title_date_language_and_text_can_be_found(site: Site, number: int) -> None:
    page = list(generate(PAGES, HOSTS))[number]
    found = mcmetadata.extract(page.url, site.replies[page.url].body.decode())
    assert found["article_title"] == page.title
    assert found["publication_date"].date() == page.day
    assert found["language"] == page.language
    text = " ".join(found["text_content"].split())
    assert all(paragraph in text for paragraph in page.paragraphs)
    assert "We use cookies." not in text


def test_it_serves_from_a_process_of_its_own_and_ends_with_its_block() -> None:
    with BenchSite(pages=4, hosts=2) as site:
        port = site.port
        assert site.addresses == [f"daily-{n:02}.example=127.0.0.1:{port}" for n in range(2)]
        assert site.inputs == ["http://daily-00.example/all.xml"]
        assert _feed(port).status == 200
    with pytest.raises(ConnectionRefusedError):
        _feed(port)


def _feed(port: int) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    connection.request("GET", "/all.xml", headers={"Host": "daily-00.example"})
    response = connection.getresponse()
    response.read()
    connection.close()
    return response
