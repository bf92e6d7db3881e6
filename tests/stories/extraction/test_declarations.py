"""The parts of a page that declare its title and language."""

from typing import Any

from indexer.news.mcmetadata import library
from indexer.stories.extraction.declarations import declarations
from newsroom.newspapers import newspapers
from newsroom.page import page
from tests.each_row import each_row
from tests.stories.pages import STORIES, story_page

TITLE = "Council votes for three libraries"


@each_row(
    "html",
    [
        f'<html lang="de"><META property="og:title" content="{TITLE}"><title>x</title>',
        f"<meta name='twitter:title'\n content='{TITLE} &amp; more'>",
        f"<title data-x='1'>{TITLE} | The Post</title><h1 class=x>{TITLE}</h1><h1>Other</h1>",
        f"<h1>Not closed <h1>{TITLE}</h1><title>Not closed",
        f"<titles>No</titles><title>\n {TITLE}\n</title><h1x>No</h1x>",
        f'<meta name="x" <meta property="og:title" content="{TITLE}">',
        '<html\nxml:lang="pt-BR"><meta name="dc.language" content="es">',
        "<p>Nothing",
    ],
)
def test_the_library_finds_the_same_in_them_as_in_the_page(html: str) -> None:
    assert found(declarations(html)) == found(html)


def test_the_library_finds_the_same_in_the_pages_of_the_newsroom() -> None:
    papers = newspapers()
    hosts = {host.host: host for host in papers.hosts}
    pages = [page(hosts[story.host], story, []) for story in papers.stories]
    for html in (each.decode(errors="replace") for each in (*pages, *map(story_page, STORIES))):
        assert found(declarations(html)) == found(html)


def test_they_are_short() -> None:
    hostile = "<meta " * 9999 + "<h1>" * 9999 + "<title>" * 9999 + "x" * 99_999 + "</title>"
    assert len(declarations(hostile)) < 20_000


def found(html: str) -> Any:
    return library("titles").from_html(html), library("languages").from_html(html)
