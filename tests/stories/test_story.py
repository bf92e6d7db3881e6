"""The wire format of a story."""

import json
import pickle

import pytest

from indexer.errors import DecodeError
from indexer.stories.story import (
    ContentMetadata,
    HTTPMetadata,
    RawHTML,
    RSSEntry,
    Story,
)
from tests.each_row import each_row

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


def test_unknown_keys_are_ignored_and_missing_ones_are_none() -> None:
    line = {
        "v": 1,
        "new": 1,
        "rss_entry": {"link": LINK, "colour": "red"},
        "http_metadata": {},
        "content_metadata": {},
    }
    story = Story.load(json.dumps(line).encode() + b"\n")
    assert story == Story(rss_entry=RSSEntry(link=LINK))


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


@pytest.mark.parametrize(
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
