"""The parser: a story's page becomes text and metadata."""

import io
import re
from collections.abc import Iterator

import pytest

from indexer.errors import ConfigurationError, Discard, Quarantine
from indexer.messages.message import DEFAULT_KEY, DROPPED
from indexer.messages.worker import Done
from indexer.metrics import attached
from indexer.stories.archiving.story_archive_reader import ArchivedStory, read_stories
from indexer.stories.story import (
    NEED_CANONICAL_URL,
    ContentMetadata,
    HTTPMetadata,
    RawHTML,
    RSSEntry,
    Story,
)
from tests.each_row import each_row
from tests.metrics.sinks import Heard
from tests.stories.archived import archive
from tests.stories.extraction.in_process import in_process
from tests.stories.old_archives import OldStory, old_archive
from tests.stories.pages import STORIES, article, story_page
from workers.stories.parser import Parser, ParserOptions

URL = "https://www.example.com/2024/a-story.html"


__all__ = ["in_process"]


@pytest.fixture(scope="module")
def parser() -> Iterator[Parser]:
    parser = Parser(ParserOptions())
    yield parser
    parser.close()


def story(html: bytes | None, url: str | None = URL, encoding: str | None = None) -> Story:
    return Story(
        rss_entry=RSSEntry(link=URL, pub_date="Sun, 02 Jun 2024 10:00:00 GMT"),
        http_metadata=HTTPMetadata(response_code=200, final_url=url, encoding=encoding),
        raw_html=RawHTML(html=html),
    )


def parsed(parser: Parser, given: Story) -> tuple[Story, str]:
    done = parser.process(given)
    assert isinstance(done, Done)
    assert len(done.outputs) == 1
    return done.outputs[0], done.status


PAGE = f"<html><title>Council talks</title><article><p>{article()}</p></article></html>".encode()


def test_a_story_goes_on_with_all_its_metadata_and_the_extractors_name(parser: Parser) -> None:
    said = STORIES["naberezhnaya-ru.html"]
    given = story(story_page("naberezhnaya-ru.html"), said["url"], said["http_charset"])
    found, status = parsed(parser, given)
    assert status == "OK-blocks"
    assert found.content_metadata.article_title == said["title"]
    assert found.raw_html.html == story_page("naberezhnaya-ru.html")
    assert found.raw_html.encoding == "windows-1251"
    assert found.http_metadata.encoding == "windows-1251"
    assert Story.load(found.dump()) == found


def test_the_byte_order_mark_is_cut_from_the_page_that_is_kept(parser: Parser) -> None:
    said = STORIES["pustakalaya-hi.html"]
    found, _ = parsed(parser, story(story_page("pustakalaya-hi.html"), said["url"]))
    assert (found.raw_html.html or b"").startswith(b"<!DOCTYPE html>")
    again, _ = parsed(parser, found)
    assert again.content_metadata.text_content == found.content_metadata.text_content


def test_parsed_dates_are_utc_with_microseconds_and_each_is_later(parser: Parser) -> None:
    dates = [parsed(parser, story(PAGE))[0].content_metadata.parsed_date or "" for _ in range(3)]
    assert dates == sorted(set(dates))
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}", date) for date in dates)


def test_the_feeds_date_is_not_written_as_if_the_page_had_it(parser: Parser) -> None:
    found, _ = parsed(parser, story(PAGE))
    assert found.content_metadata.publication_date is None
    assert found.rss_entry.pub_date == "Sun, 02 Jun 2024 10:00:00 GMT"


def test_what_a_queuer_wrote_into_the_metadata_is_replaced(parser: Parser) -> None:
    given = story(PAGE)
    given.content_metadata = ContentMetadata(language="xx", canonical_url="https://old.example/")
    found, _ = parsed(parser, given)
    assert found.content_metadata.language == "en"
    assert found.content_metadata.canonical_url == URL


def test_a_story_without_url_takes_that_of_its_page(parser: Parser) -> None:
    url = "https://www.example.com/from-the-page.html"
    page = PAGE.replace(b"<title>", f'<link rel="canonical" href="{url}"><title>'.encode())
    found, _ = parsed(parser, story(page, NEED_CANONICAL_URL))
    assert found.http_metadata.final_url == found.content_metadata.url == url
    assert found.content_metadata.original_url == NEED_CANONICAL_URL


@pytest.mark.parametrize(
    ("url", "status"),
    [
        ("https://twitter.com/user/status/1", "non-news"),
        ("http://127.0.0.1/story", "bad-host"),
        ("http://localhost/a-story.html", "bad-host"),
    ],
)
def test_a_pages_url_is_checked_like_a_link(parser: Parser, url: str, status: str) -> None:
    page = PAGE.replace(b"<title>", f'<link rel="canonical" href="{url}"><title>'.encode())
    with pytest.raises(Discard) as end:
        parser.process(story(page, NEED_CANONICAL_URL))
    assert end.value.status == status


@each_row(
    ("html", "url", "status"),
    [
        (None, URL, "no-html"),
        (b"", URL, "no-html"),
        (b"\n", URL, "no-html"),
        (b"<rss></rss>", NEED_CANONICAL_URL, "feed"),
        (b"<rss></rss>", URL, "feed"),
        (b"<p>Short.</p>", URL, "too-short"),
        (b"<html></html>", URL, "no-text"),
        (PAGE, NEED_CANONICAL_URL, "no-canonical-url"),
        (PAGE, "https://www.example.com/", "homepage"),
        (PAGE, "http://[::1", "bad-url"),
    ],
)
def test_what_is_no_story_is_discarded(
    parser: Parser, html: bytes | None, url: str, status: str
) -> None:
    with pytest.raises(Discard) as end:
        parser.process(story(html, url))
    assert end.value.status == status


@pytest.mark.parametrize(
    ("html", "url", "status"),
    [(PAGE, None, "no-url"), (PAGE, "", "no-url"), (bytes(range(1, 32)) * 99, URL, "no-decode")],
)
def test_what_a_person_should_look_at_is_quarantined(
    parser: Parser, html: bytes, url: str | None, status: str
) -> None:
    with pytest.raises(Quarantine) as end:
        parser.process(story(html, url))
    assert end.value.status == status


@pytest.fixture(scope="module")
def reparser() -> Iterator[Parser]:
    """A parser as the reparse flavor has it."""
    parser = Parser(ParserOptions(keep_parsed_date=True))
    yield parser
    parser.close()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("2024-02-03T04:05:06.123456", "2024-02-03T04:05:06.123456"),
        ("2024-02-03 04:05:06.123456", "2024-02-03T04:05:06.123456"),
        ("2024-02-03", "2024-02-03T00:00:00.000000"),
    ],
)
def test_a_story_keeps_the_date_it_was_parsed_if_it_is_to(
    parser: Parser, reparser: Parser, before: str, after: str
) -> None:
    given = story(PAGE)
    given.content_metadata.parsed_date = before
    kept, _ = parsed(reparser, Story.load(given.dump()))
    assert kept.content_metadata.parsed_date == after
    assert kept.content_metadata.language == "en"
    new, _ = parsed(parser, given)
    assert (new.content_metadata.parsed_date or "") not in ("", after)


@pytest.mark.parametrize("before", [None, "", "yesterday"])
def test_a_story_without_such_a_date_gets_one(reparser: Parser, before: str | None) -> None:
    given = story(PAGE)
    given.content_metadata.parsed_date = before
    found, _ = parsed(reparser, given)
    assert re.fullmatch(r"20\d\d-.*T.*\.\d{6}", found.content_metadata.parsed_date or "")


@each_row("name", STORIES)
def test_a_page_from_an_archive_is_read_as_it_was_at_first(
    parser: Parser, reparser: Parser, name: str
) -> None:
    said = STORIES[name]
    first, _ = parsed(parser, story(story_page(name), said["url"], said["http_charset"]))
    (archived,) = read_stories(io.BytesIO(archive([first])))
    assert isinstance(archived, ArchivedStory)
    again, _ = parsed(reparser, archived.story)
    assert again.content_metadata == first.content_metadata
    assert again.raw_html == first.raw_html


def test_the_encoding_that_an_archive_knows_is_used(reparser: Parser) -> None:
    text = "Заседание совета продолжалось дольше, чем ожидалось, и закончилось поздно. " * 9
    page = f"<html><title>Совет</title><article><p>{text}</p></article></html>"
    header = "text/html; encoding=koi8-r"
    old = OldStory(URL, page.encode("koi8-r"), {"http_metadata": {"final_url": URL}}, header)
    (archived,) = read_stories(io.BytesIO(old_archive([old])))
    assert isinstance(archived, ArchivedStory)
    found, _ = parsed(reparser, archived.story)
    assert found.content_metadata.article_title == "Совет"
    assert found.raw_html.encoding == "koi8-r"


def test_what_dashboards_show_is_counted(parser: Parser) -> None:
    given = story(PAGE.replace(b"<title>", b'<meta name="date" content="2024-06-01"><title>'))
    given.http_metadata.fetch_timestamp = 1714500000.75
    heard = Heard()
    with attached(heard):
        parsed(parser, given)
    names = {name: value for name, value, _ in heard.numbers}
    assert (names["extracted-pub-date"], names["fetch-ts"]) == (20240601, 1714500000750)
    assert 0 <= names["encoding"] < 30
    steps = {labels[0] for name, _, labels in heard.numbers if name == "extract"}
    assert steps == {"url", "pub_date", "content", "title", "language"}


def test_the_agreement_of_a_sample_is_counted_by_host_where_metrics_are_read() -> None:
    parser = Parser(ParserOptions.of({"PARSER_COMPARED_SHARE": "1"}))
    heard = Heard()
    parsed(parser, story(PAGE))
    with attached(heard):
        for host in ("a", "b", "a"):
            parsed(parser, story(PAGE, f"https://{host}.example/2026/a-story.html"))
    agreed = [(value, labels) for name, value, labels in heard.numbers if name == "text-agreement"]
    assert agreed == [(1, ("a.example",)), (1, ("b.example",)), (1, ("a.example",))]
    steps = [labels for name, _, labels in heard.numbers if name == "extract"]
    assert steps.count(("agreement",)) == 3


@pytest.mark.parametrize("share", ["-0.1", "1.1"])
def test_a_share_is_between_none_and_all(share: str) -> None:
    with pytest.raises(ConfigurationError, match="--compared-share: from 0 to 1"):
        Parser(ParserOptions.of({"PARSER_COMPARED_SHARE": share}))


def test_what_is_not_known_is_not_counted(parser: Parser) -> None:
    heard = Heard()
    with attached(heard):
        parsed(parser, story(PAGE))
    assert not {"extracted-pub-date", "fetch-ts"} & {name for name, _, _ in heard.numbers}


SHORT = b"<html><title>Video</title><p>Watch the waves.</p></html>"


@pytest.fixture(scope="module")
def keeping() -> Iterator[Parser]:
    """A parser that sends on what it drops."""
    parser = Parser(ParserOptions.of({"PARSER_ARCHIVE_DROPS": "true"}))
    yield parser
    parser.close()


def test_a_dropped_story_is_sent_on_with_the_reason_if_that_is_wanted(keeping: Parser) -> None:
    with pytest.raises(Discard, match="too-short") as drop:
        keeping.process(story(SHORT))
    [sent] = drop.value.outputs
    assert sent.key == DROPPED
    assert sent.unknown[DROPPED] == {"by": "parser", "status": "too-short", "why": drop.value.why}
    assert sent.raw_html.html == SHORT
    assert Story.load(sent.dump()) == sent


def test_a_dropped_story_is_not_sent_on_by_default_nor_without_a_page_nor_from_an_archive(
    parser: Parser, keeping: Parser
) -> None:
    archived = story(SHORT)
    archived.content_metadata.parsed_date = "2024-06-01T00:00:00.000000"
    for worker, given in ((parser, story(SHORT)), (keeping, story(None)), (keeping, archived)):
        with pytest.raises(Discard) as drop:
            worker.process(given)
        assert not drop.value.outputs


def test_a_story_that_was_dropped_and_passes_now_is_a_story_as_any(keeping: Parser) -> None:
    given = story(PAGE)
    given.unknown[DROPPED] = {"status": "too-short"}
    found, _ = parsed(keeping, given)
    assert found.unknown == {}
    assert found.key == DEFAULT_KEY
