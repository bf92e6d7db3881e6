"""newsroom/newspapers.py: the sample is as varied as it promises."""

from collections import Counter
from datetime import date
from pathlib import Path

from indexer.news.mcmetadata import library
from newsroom.host import read_host
from newsroom.newspapers import newspapers
from newsroom.story import DECLARATIONS

URLS = library("urls")
PAPERS = newspapers()
EUROPEAN = {"en", "es", "pt", "de", "fr", "el", "ru"}


def test_there_are_enough_stories_hosts_languages_and_encodings() -> None:
    assert len(PAPERS.stories) >= 44
    assert len(PAPERS.hosts) == 8
    assert len({story.language for story in PAPERS.stories}) >= 10
    assert len({story.encoding for story in PAPERS.stories}) >= 10


def test_every_host_is_under_a_reserved_domain() -> None:
    assert all(host.host.endswith(".example") for host in PAPERS.hosts)


def test_every_host_has_a_template_of_its_own() -> None:
    assert len({host.template for host in PAPERS.hosts}) == 8


def test_encodings_are_declared_in_every_way() -> None:
    assert {story.declared for story in PAPERS.stories} == DECLARATIONS


def test_dates_are_told_in_every_way() -> None:
    ways = {way for story in PAPERS.stories for way in story.dated}
    assert ways == {"json-ld", "meta", "dc", "microdata", "time", "text", "url", "feed", "none"}


def test_dates_are_between_2024_and_october_2026() -> None:
    days = [date.fromisoformat(story.date) for story in PAPERS.stories if story.date]
    assert date(2024, 1, 1) <= min(days) <= max(days) < date(2026, 11, 1)


def test_texts_are_long_enough_for_extractors_and_language_detection() -> None:
    for story in PAPERS.stories:
        length = sum(len(paragraph) for paragraph in story.paragraphs)
        assert length > (1200 if story.language in EUROPEAN else 450), story.url


def test_titles_texts_and_document_ids_are_all_different() -> None:
    stories = PAPERS.stories
    assert len({story.title for story in stories}) == len(stories)
    assert len({story.paragraphs for story in stories}) == len(stories)
    assert len({URLS.unique_url_hash(story.url) for story in stories}) == len(stories)


def test_one_story_has_an_address_that_looks_like_a_home_page() -> None:
    """Stories.md 7.1: `/news/trump-wins` was discarded; a stricter rule keeps it."""
    assert [s.url for s in PAPERS.stories if URLS.is_homepage_url(s.url)] == [
        "http://harbour-herald.example/news/ferry-bells"
    ]


def test_a_feed_lists_its_newest_story_first() -> None:
    host = next(host for host in PAPERS.hosts if host.host == "harbour-herald.example")
    titles = [item.title for item in PAPERS.items(host)]
    assert titles[0] == "Old bus depot to become a workshop where anybody may borrow a lathe"


def test_a_link_is_listed_once_but_for_the_one_that_is_twice_in_the_csv() -> None:
    twice = [link for link, times in Counter(PAPERS.listed()).items() if times > 1]
    assert twice == ["http://hupan-wanbao.example/2026/0316/t88120.htm"]


def test_a_host_is_read_with_its_links_made_absolute(tmp_path: Path) -> None:
    directory = tmp_path / "paper.example"
    directory.mkdir()
    (directory / "page.html").write_text("$title", "utf-8")
    (directory / "host.toml").write_text(
        'name = "P"\nlanguage = "en"\nparagraph = ""\nrelated = ""\nboilerplate = []\n'
        '[feed]\nkind = "rss"\npath = "/f"\n'
        '[[other]]\nlink = "/a"\nstatus = 302\nlocation = "/b"\n',
        "utf-8",
    )
    host = read_host(directory)
    assert host.input == "http://paper.example/f"
    assert host.others[0].link == "http://paper.example/a"
    assert host.others[0].location == "http://paper.example/b"
