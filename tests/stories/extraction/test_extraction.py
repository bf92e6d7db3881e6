"""From a page to what it says."""

from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from lxml import html

from indexer.errors import Discard, Quarantine
from indexer.stories.extraction.extraction import answer, canonical_url, extract
from indexer.stories.extraction.pages import Extraction, FetchedPage, RefusedPage
from indexer.stories.story import NEED_CANONICAL_URL
from tests.each_row import each_row
from tests.stories.pages import PAGES, STORIES, article, story_page

NOW = datetime(2024, 10, 1, tzinfo=UTC).timestamp()
URL = "https://www.example.com/2024/a-story.html"


def page(html: str | bytes, url: str = URL, **settings: Any) -> FetchedPage:
    body = html if isinstance(html, bytes) else html.encode()
    return FetchedPage(url=url, html=body, now=NOW, **settings)


def story(head: str = "", body: str = "") -> str:
    return f"<html><head>{head}</head><body><article><p>{article()}</p>{body}</article></body>"


def status(html: str | bytes, **settings: Any) -> str:
    with pytest.raises((Discard, Quarantine)) as end:
        extract(page(html, **settings))
    return end.value.status


@each_row(("name", "said"), STORIES.items())
def test_a_page_in_any_language_and_encoding_is_read(name: str, said: dict[str, Any]) -> None:
    found = extract(
        FetchedPage(
            url=said["url"], html=story_page(name), http_charset=said["http_charset"], now=NOW
        )
    )
    metadata = found.metadata
    assert (found.encoding, found.rung) == (said["encoding"], said["rung"])
    assert metadata.article_title == said["title"]
    assert metadata.publication_date == said["date"]
    assert metadata.language == said["language"]
    assert metadata.canonical_url == said["canonical"]
    assert metadata.url == metadata.original_url == said["url"]
    assert said["begins"] in (metadata.text_content or "")
    assert (metadata.text_content or "").endswith(said["ends"])


@pytest.mark.parametrize(("name", "expected"), [("feed.xml", "feed"), ("short.html", "too-short")])
def test_pages_that_are_no_stories(name: str, expected: str) -> None:
    assert status((PAGES / name).read_bytes()) == expected


@each_row(
    ("html", "expected"),
    [
        (b" ", "no-html"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 100, "no-decode"),
        ("<html><body></body></html>", "no-text"),
        ("<!-- nothing -->", "no-text"),
        ("<script>var a = 'text'</script>" * 100, "no-text"),
        ("<p>Too short.</p>", "too-short"),
    ],
)
def test_each_reason_has_its_status(html: str | bytes, expected: str) -> None:
    assert status(html) == expected


@pytest.mark.parametrize(("least", "accepted"), [(200, True), (10_000, False)])
def test_how_short_is_too_short_can_be_chosen(least: int, accepted: bool) -> None:
    if accepted:
        assert extract(page(story(), min_text=least)).metadata.text_content
    else:
        assert status(story(), min_text=least) == "too-short"


@each_row(
    ("url", "rule", "accepted"),
    [
        ("https://www.example.com/", "strict", False),
        ("https://www.example.com/", "off", True),
        ("https://www.example.com/news/trump-wins", "strict", True),
        ("https://www.example.com/news/trump-wins", "mcmetadata", False),
    ],
)
def test_homepages_by_the_rule_that_is_chosen(url: str, rule: str, accepted: bool) -> None:
    if accepted:
        assert extract(page(story(), url=url, homepage_rule=rule)).metadata.is_homepage is True
    else:
        assert status(story(), url=url, homepage_rule=rule) == "homepage"


DATED = '<meta property="article:published_time" content="{}">'


@each_row(
    ("head", "date"),
    [
        (DATED.format("2024-09-30T12:00:00Z"), "2024-09-30"),
        (DATED.format("2024-12-29"), "2024-12-29"),
        (DATED.format("2025-02-01"), None),
        (DATED.format("2999-01-01"), None),
        (DATED.format("1970-01-01"), None),
        (DATED.format("\udcff"), None),
        ("", None),
    ],
)
def test_a_pages_date_is_bounded(head: str, date: str | None) -> None:
    html = story(head).encode("utf-8", "surrogatepass")
    assert extract(page(html)).metadata.publication_date == date


def test_a_page_without_a_date_keeps_the_first_extractor() -> None:
    found = extract(page(story("<title>Council talks for hours</title>")))
    assert found.metadata.publication_date is None
    assert found.metadata.text_extraction_method == "blocks"


def test_a_date_that_cannot_be_looked_for_does_not_cost_the_story(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise IndexError("one of its regular expressions")

    monkeypatch.setattr("indexer.stories.extraction.extraction.htmldate.find_date", fail)
    assert extract(page(story())).metadata.publication_date is None


def test_a_page_that_reads_like_a_url_is_not_fetched() -> None:
    text = f"http://127.0.0.1:9/{'a' * 300}"
    assert (extract(page(text)).metadata.text_content or "").startswith("http://127.0.0.1:9/")


LINK = '<link rel="canonical" href="{}">'


def test_a_story_without_url_gets_that_of_its_page() -> None:
    head = LINK.format("https://www.bbc.co.uk/news/uk-1?utm_source=x")
    metadata = extract(page(story(head), url=NEED_CANONICAL_URL)).metadata
    assert metadata.url == metadata.canonical_url == "https://www.bbc.co.uk/news/uk-1?utm_source=x"
    assert metadata.normalized_url == "http://bbc.co.uk/news/uk-1"
    assert metadata.canonical_domain == "bbc.co.uk"
    assert metadata.original_url == NEED_CANONICAL_URL
    assert metadata.is_homepage is False


@each_row(
    ("head", "expected"),
    [
        ("", "no-canonical-url"),
        (LINK.format("/relative"), "no-canonical-url"),
        (LINK.format(NEED_CANONICAL_URL), "no-canonical-url"),
        (LINK.format("https://www.example.com/"), "homepage"),
        (LINK.format("https://exam ple.com/a"), "bad-url"),
    ],
)
def test_a_story_that_needs_a_url_and_gets_none_is_discarded(head: str, expected: str) -> None:
    assert status(story(head), url=NEED_CANONICAL_URL) == expected


def test_a_url_that_is_none_is_discarded() -> None:
    assert status(story(), url="http://[::1") == "bad-url"


def test_control_characters_reach_no_field() -> None:
    title = "Council\x00 talks \x1b[31mfor hours"
    html = story(f"<title>{title}</title>", "<p>\x00\x08One \x1b[0m more sentence.</p>")
    metadata = extract(page(html)).metadata
    for name in metadata.__struct_fields__:
        value = getattr(metadata, name)
        assert not isinstance(value, str) or not set(value) & set("\x00\x08\x1b"), name


def test_an_answer_is_an_extraction_or_a_refusal() -> None:
    decode: Any = msgspec.msgpack.Decoder(Extraction | RefusedPage).decode
    encode = msgspec.msgpack.encode
    assert decode(answer(encode(page(story())))).encoding == "utf-8"
    assert decode(answer(encode(page("<rss>")))) == RefusedPage(
        status="feed", why="a feed or sitemap, not a page", quarantine=False
    )
    assert decode(answer(encode(page(b"\x01\x02\x03" * 99)))).quarantine


PAGE_URL = "https://www.example.com/2024/story.html?from=rss"
OG = '<meta property="og:url" content="{}">'
TWITTER = '<meta name="twitter:url" content="{}">'


@each_row(
    ("head", "url"),
    [
        (LINK.format("https://example.com/a"), "https://example.com/a"),
        (OG.format("https://example.com/b"), "https://example.com/b"),
        (TWITTER.format("https://example.com/c"), "https://example.com/c"),
        # In order, wherever they stand.
        (LINK.format("https://e.com/a") + OG.format("https://e.com/b"), "https://e.com/b"),
        (TWITTER.format("https://e.com/c") + LINK.format("https://e.com/a"), "https://e.com/a"),
        ('<link rel="shortlink Canonical" href=" https://e.com/a ">', "https://e.com/a"),
        # Relative to the page, or to its base.
        (LINK.format("/a.html"), "https://www.example.com/a.html"),
        (LINK.format("a.html"), "https://www.example.com/2024/a.html"),
        (LINK.format("//m.example.com/a"), "https://m.example.com/a"),
        (
            '<base href="https://cdn.example.com/x/">' + LINK.format("a"),
            "https://cdn.example.com/x/a",
        ),
        # None, or none that can be one.
        ("", None),
        (LINK.format(""), None),
        (LINK.format("javascript:alert(1)"), None),
        (LINK.format("file:///etc/passwd"), None),
        (LINK.format("http://"), None),
        (LINK.format("http://[::1"), None),
        (LINK.format("https://example.com/" + "a" * 3000), None),
        (OG.format("ftp://e.com/b") + LINK.format("https://e.com/a"), "https://e.com/a"),
        ('<link rel="alternate" href="https://e.com/amp">', None),
    ],
)
def test_what_a_page_declares(head: str, url: str | None) -> None:
    tree = html.document_fromstring(f"<html><head>{head}</head><body>text</body></html>")
    assert canonical_url(tree, PAGE_URL) == url


def test_nothing_is_relative_to_a_url_that_is_not_known() -> None:
    tree = html.document_fromstring(f"<html><head>{LINK.format('/a.html')}</head></html>")
    assert canonical_url(tree, None) is None
