"""Which archives hold the stories of given URLs."""

import io

from indexer.news.normalized_urls import unique_url_hash
from indexer.stories.archiving.finding import Finder, Found, document_url
from indexer.stories.archiving.story_archive_reader import ArchivedStory, Fault, read_stories
from indexer.stories.queuers.url_lists import listed
from indexer.stories.story import Story
from tests import paths
from tests.each_row import each_row
from tests.stories.archived import a_story, archive

DATA = paths.DATA / "warc"


def url(number: int) -> str:
    return f"https://site.example/news/{number}"


def search(finder: Finder, data: bytes) -> list[tuple[str, int]]:
    found = finder.search(io.BytesIO(data))
    return [(each.wanted, each.record) for each in found if isinstance(each, Found)]


def redirected() -> Story:
    story = a_story(1)
    story.rss_entry.link = "https://feeds.example/r/1"
    story.http_metadata.final_url = "https://old.example/1"
    story.content_metadata.original_url = "https://middle.example/1"
    return story


@each_row(
    "wanted",
    [
        url(1),
        "https://feeds.example/r/1",
        "https://old.example/1",
        "https://middle.example/1",
        "HTTP://WWW.site.example/news/1#top",
        f"{url(1)}?ref=somewhere",
    ],
)
def test_a_story_is_found_by_each_of_its_urls_and_by_its_document_id(wanted: str) -> None:
    finder = Finder([listed(wanted), listed(url(7))])
    assert search(finder, archive([a_story(0), redirected(), a_story(2)])) == [(wanted, 4)]
    assert finder.missing == [url(7)]


def test_found_says_where_the_story_is() -> None:
    data = archive([a_story(0), redirected()])
    *_, where = read_stories(io.BytesIO(data))
    finder = Finder([listed("https://feeds.example/r/1")])
    assert list(finder.search(io.BytesIO(data))) == [
        None,
        Found("https://feeds.example/r/1", 4, where.offset, "2024-04-30T18:00:00Z", url(1)),
    ]


def test_a_story_in_two_archives_is_found_in_both() -> None:
    finder = Finder([listed(url(1))])
    assert search(finder, archive([a_story(1)])) == [(url(1), 2)]
    assert search(finder, archive([a_story(0), a_story(1)])) == [(url(1), 4)]
    assert finder.missing == []


def test_a_story_that_two_urls_mean_is_found_by_both() -> None:
    finder = Finder(map(listed, [url(1), f"{url(1)}?from=rss", url(1)]))
    assert search(finder, archive([a_story(1)])) == [(url(1), 2), (f"{url(1)}?from=rss", 2)]
    assert finder.missing == []


def test_many_urls_are_looked_for_in_one_pass() -> None:
    finder = Finder(listed(url(number)) for number in range(1000))
    found = search(finder, archive([a_story(number) for number in range(500, 520)]))
    assert found == [(url(number), 2 * (number - 499)) for number in range(500, 520)]
    assert len(finder.missing) == 980


def test_what_is_damaged_is_told_and_the_rest_searched() -> None:
    data = archive([a_story(number) for number in range(3)])
    finder = Finder(map(listed, map(url, range(3))))
    items = list(finder.search(io.BytesIO(data[:-200])))
    assert sum(isinstance(item, Fault) for item in items) == 1
    assert finder.missing == [url(2)]


def test_old_archives_are_searched_too() -> None:
    data = (DATA / "old.warc.gz").read_bytes()
    stories = [item for item in read_stories(io.BytesIO(data)) if isinstance(item, ArchivedStory)]
    finder = Finder(listed(story.uri) for story in stories)
    assert [record for _, record in search(finder, data)] == [2, 4, 6]


def shown(url: str) -> str:
    """The URL of a story's document, as an archive of it has it."""
    story = a_story(1)
    story.content_metadata.url = url
    [item] = read_stories(io.BytesIO(archive([story])))
    assert isinstance(item, ArchivedStory)
    return document_url(item)


def test_the_url_of_a_document_is_printable() -> None:
    assert shown(" https://site.example/سلام\x1b[2J ") == "https://site.example/سلام%1B[2J"
    assert shown("https://site.example/a\u202eb") == "https://site.example/a%E2%80%AEb"


@each_row(
    "url",
    [
        "https://site.example/سلام",
        "https://site.example/a b",
        "https://site.example/a\u202eb",
        "https://пример.рф/новость",
        f"https://site.example/{'ü' * 3000}",
    ],
)
def test_the_url_of_a_document_has_its_id(url: str) -> None:
    assert listed(shown(url)).id == unique_url_hash(url)


def test_a_story_of_a_host_with_other_letters_is_found_by_any_of_its_urls() -> None:
    story = a_story(1)
    story.content_metadata.url = "https://пример.рф/1"
    finder = Finder([listed("https://www.xn--e1afmkfd.xn--p1ai/1#part")])
    assert search(finder, archive([story])) == [("https://www.xn--e1afmkfd.xn--p1ai/1#part", 2)]


def test_a_story_without_any_url_is_not_found_and_no_error() -> None:
    story = Story()
    story.raw_html.html = b"page"
    finder = Finder([listed(url(1))])
    assert list(finder.search(io.BytesIO(archive([story])))) == [None]
