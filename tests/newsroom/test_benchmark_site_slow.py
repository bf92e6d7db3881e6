"""The pages of the benchmark, for the extraction library; its server."""

import http.client

import mcmetadata

from benchmarks.site import LANGUAGES, BenchSite, Page, build, generate
from tests.each_row import each_row
from tests.newsroom.test_benchmark_site import (
    HOSTS,
    PAGES,
)
from tests.patience import PATIENCE

PAGES_OF_SITE = list(generate(PAGES, HOSTS))[: len(set(LANGUAGES)) + 5]
REPLIES = build(PAGES, HOSTS).replies


@each_row("page", PAGES_OF_SITE)
def test_title_date_language_and_text_can_be_found(page: Page) -> None:
    found = mcmetadata.extract(page.url, REPLIES[page.url].body.decode())
    assert found["article_title"] == page.title
    assert found["publication_date"].date() == page.day
    assert found["language"] == page.language
    text = " ".join(found["text_content"].split())
    assert all(paragraph in text for paragraph in page.paragraphs)
    assert "We use cookies." not in text


def test_it_serves_from_a_process_of_its_own_and_ends_with_its_block() -> None:
    with BenchSite(pages=4, hosts=2) as site:
        port, process = site.port, site._process
        assert site.addresses == [f"daily-{n:02}.example=127.0.0.1:{port}" for n in range(2)]
        assert site.inputs == ["http://daily-00.example/all.xml"]
        assert _feed(port).status == 200
    # Its port may belong to another server by now.
    assert process
    assert process.returncode == 0


def _feed(port: int) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request("GET", "/all.xml", headers={"Host": "daily-00.example"})
    response = connection.getresponse()
    response.read()
    connection.close()
    return response
