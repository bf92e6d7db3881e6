"""The wire format of a story."""

import json
import pickle

import pytest
import zstandard

from indexer.errors import DecodeError, Quarantine
from indexer.stories.story import (
    ContentMetadata,
    HTTPMetadata,
    RawHTML,
    RSSEntry,
    Story,
)
from tests.each_row import each_row
from tests.stories.damaged import with_damaged_page

LINK = "http://a.example/1"
WHOLE = Story(
    rss_entry=RSSEntry(link=LINK, title="Título", source_feed_id=7, via="feed.xml"),
    http_metadata=HTTPMetadata(response_code=200, fetch_timestamp=1.5, final_url=LINK + "/"),
    content_metadata=ContentMetadata(url=LINK + "/", language="es", is_homepage=False),
    raw_html=RawHTML(html="<p>€\x00".encode("cp1252"), encoding="windows-1252"),
)


def test_a_story_comes_back_as_it_was() -> None:
    assert Story.load(WHOLE.dump()) == WHOLE


def test_the_first_line_is_json_with_the_seeds_names() -> None:
    line = json.loads(WHOLE.dump().partition(b"\n")[0])
    assert line["v"] == 1
    assert line["rss_entry"]["link"] == LINK
    assert line["http_metadata"]["final_url"] == LINK + "/"
    assert line["content_metadata"]["language"] == "es"


def test_an_empty_page_is_not_a_missing_page() -> None:
    empty = Story(raw_html=RawHTML(html=b""))
    assert Story.load(empty.dump()).raw_html.html == b""
    assert Story.load(Story().dump()).raw_html.html is None


def test_a_page_that_a_program_does_not_read_is_sent_on_as_it_came(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    head = WHOLE.dump().partition(b"\n")[0]
    page = zstandard.ZstdCompressor(level=9).compress(b"<p>text</p>" * 99)
    story = Story.load(head + b"\n" + page)
    with monkeypatch.context() as patch:
        patch.setattr(zstandard, "ZstdDecompressor", pytest.fail)
        patch.setattr(zstandard, "ZstdCompressor", pytest.fail)
        assert story.raw_html.size == 99 * len(b"<p>text</p>")
        assert story.dump() == head + b"\n" + page
        story.content_metadata.language = "fr"
        story.raw_html.encoding = "latin-1"
        assert story.dump().endswith(b"}\n" + page)
    assert story.raw_html.html == b"<p>text</p>" * 99


def test_a_page_that_a_program_changes_is_sent_on_changed() -> None:
    story = Story.load(WHOLE.dump())
    story.raw_html.html = b"other"
    assert Story.load(story.dump()).raw_html.html == b"other"
    story.raw_html.html = None
    assert Story.load(story.dump()).raw_html == RawHTML(encoding="windows-1252")


def test_stories_are_equal_if_their_pages_are_however_compressed() -> None:
    line = WHOLE.dump().partition(b"\n")[0] + b"\n"
    page = WHOLE.raw_html.html or b""
    story = Story.load(line + zstandard.ZstdCompressor(write_checksum=True).compress(page))
    assert story == WHOLE
    assert story != Story.load(line + zstandard.compress(page + b" "))
    assert repr(story.raw_html) == f"RawHTML(html={page!r}, encoding='windows-1252')"
    assert story.raw_html != page


def test_a_page_that_is_found_damaged_when_it_is_read_is_a_bad_message() -> None:
    story = Story.load(with_damaged_page(WHOLE))
    assert story.label == LINK
    with pytest.raises(Quarantine, match=r"bad-message.*page of the story.*unpack"):
        _ = story.raw_html.html


def test_what_a_newer_program_has_added_is_kept_and_what_is_missing_is_none() -> None:
    line = {
        "v": 1,
        "new": 1,
        "rss_entry": {"link": LINK, "colour": "red"},
        "http_metadata": {},
        "content_metadata": {},
    }
    story = Story.load(json.dumps(line).encode() + b"\n")
    unknown = {"new": 1, "rss_entry": {"colour": "red"}}
    assert story == Story(rss_entry=RSSEntry(link=LINK), unknown=unknown)
    # A program that replaces a whole object does not know what else is in it.
    story.rss_entry = RSSEntry(link=f"{LINK}/2")
    written = json.loads(story.dump().partition(b"\n")[0])
    assert written["new"] == 1
    assert (written["rss_entry"]["colour"], written["rss_entry"]["link"]) == ("red", f"{LINK}/2")


@each_row(
    ("data", "why"),
    [
        (b"", "not a story"),
        (b"\x00\xff\xfe random", "not a story"),
        (pickle.dumps({"link": LINK}), "not a story"),
        (b"[]\n", "not a story"),
        (b'{"v": 1}\n', "not a story"),
        (b'{"v": 1, "rss_entry": {"link": 5}, "http_metadata": {}}', "link"),
        (b'{"v": 2, "brave": "new"}\n', "format 2.*upgrade"),
        (b"[" * 100_000, "not a story"),
        (WHOLE.dump()[:-5], "unpack"),
        (WHOLE.dump() + b"x", None),
        (Story(raw_html=RawHTML(html=b"")).dump().partition(b"\n")[0] + b"\nxx", "unpack"),
    ],
)
def test_what_is_not_a_story_is_refused_and_said_why(data: bytes, why: str | None) -> None:
    if why is None:
        Story.load(data)
        return
    with pytest.raises(DecodeError, match=why):
        Story.load(data)


def test_nothing_is_unpickled(tmp_path: object) -> None:
    class Harm:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return (pytest.fail, ("unpickled",))

    with pytest.raises(DecodeError):
        Story.load(pickle.dumps(Harm()))


@each_row(
    ("story", "url"),
    [
        (WHOLE, LINK + "/"),
        (Story(content_metadata=ContentMetadata(url="u", original_url="o")), "u"),
        (Story(content_metadata=ContentMetadata(original_url="o")), "o"),
        (Story(rss_entry=RSSEntry(link="l")), "l"),
        (Story(), None),
    ],
)
def test_the_best_url_is_the_most_final(story: Story, url: str | None) -> None:
    assert story.url == url


def test_a_label_is_one_printable_line() -> None:
    story = Story(rss_entry=RSSEntry(link="http://a.example/\r\nx\x1b[31m" + "y" * 1000))
    assert story.label.startswith("http://a.example/x[31my")
    assert len(story.label) == 500


def test_all_fifteen_keys_are_in_the_metadata_nulls_too() -> None:
    metadata = Story().metadata()
    assert list(metadata) == ["rss_entry", "http_metadata", "content_metadata"]
    assert len(metadata["content_metadata"]) == 15
    assert set(metadata["content_metadata"].values()) == {None}
