"""newsroom/page.py"""

import codecs
from dataclasses import replace
from html import unescape

import pytest

from newsroom.host import Host
from newsroom.newspapers import newspapers
from newsroom.page import content_type, front, notice, page
from newsroom.story import Story
from tests.each_row import each_row

PAPERS = newspapers()
HOSTS = {host.host: host for host in PAPERS.hosts}


def of(name: str) -> tuple[Host, Story]:
    story = next(story for story in PAPERS.stories if name in story.url)
    return HOSTS[story.host], story


@each_row("story", PAPERS.stories)
def test_a_page_holds_its_story_and_its_boilerplate_in_its_encoding(story: Story) -> None:
    host = HOSTS[story.host]
    text = unescape(page(host, story, ()).decode(story.encoding))
    for wanted in (story.title, *story.paragraphs, *host.boilerplate):
        assert wanted in text


@each_row(
    ("declared", "in_header", "in_page"),
    [
        ("header", True, False),
        ("meta", False, True),
        ("both", True, True),
        ("nowhere", False, False),
        ("bom", False, False),
    ],
)
def test_an_encoding_is_declared_where_its_source_says(
    declared: str, in_header: bool, in_page: bool
) -> None:
    host, story = of("ledokol")
    story = replace(story, declared=declared)
    assert ("charset=windows-1251" in content_type(story)) is in_header
    assert (b"charset=windows-1251" in page(host, story, ())) is in_page


@pytest.mark.parametrize(
    ("name", "mark"),
    [("market-hall", codecs.BOM_UTF8), ("qitar-alnahl", codecs.BOM_UTF16_LE)],
)
def test_pages_with_a_byte_order_mark_begin_with_it_and_have_one(name: str, mark: bytes) -> None:
    body = page(*of(name), ())
    assert body.startswith(mark)
    assert body.count(mark) == 1


@each_row(
    ("dated", "markup"),
    [
        ("meta", '<meta property="article:published_time" content="2026-04-11T'),
        ("dc", '<meta name="DC.date.issued" content="2026-04-11">'),
        ("json-ld", '"datePublished": "2026-04-11T'),
        ("microdata", '<meta itemprop="datePublished" content="2026-04-11">11.04.2026'),
        ("time", '<time datetime="2026-04-11T09:30:00+00:00">11.04.2026</time>'),
        ("text", "11.04.2026"),
    ],
)
def test_a_date_is_told_where_its_source_says_and_nowhere_else(dated: str, markup: str) -> None:
    host, story = of("ledokol")
    shown = replace(story, dated=frozenset({dated}))
    assert markup in page(host, shown, ()).decode("windows-1251")
    hidden = replace(story, dated=frozenset({"none"}), shown="")
    assert "2026" not in page(host, hidden, ()).decode("windows-1251").replace(story.url, "")


def test_titles_and_texts_are_escaped() -> None:
    host, story = of("ferry-bells")
    odd = replace(story, title='A <b>"bold"</b> & odd title', paragraphs=("x < y & z",))
    text = page(host, odd, (odd,)).decode()
    assert "<b>" not in text.replace('<b class="fn">', "")
    assert "x &lt; y &amp; z" in text


def test_the_front_page_shows_every_story_of_the_paper() -> None:
    host, _ = of("ledokol")
    text = unescape(front(host, PAPERS.of(host)).decode())
    assert all(story.title in text for story in PAPERS.of(host))


def test_a_notice_has_nothing_around_its_text() -> None:
    host, _ = of("ledokol")
    assert len(notice(host, "A title", "A text.").decode()) < 200
