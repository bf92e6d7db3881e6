"""Archives of stories as they are written (stories.md 7.4)."""

import gzip
import io
import json
import math
from datetime import UTC, datetime

import pytest

from indexer.errors import ArchiveError
from indexer.stories.archiving import story_archive_writer
from indexer.stories.archiving.story_archive_writer import (
    METADATA_TYPE,
    ArchiveEntry,
    StoryArchiveWriter,
    archive_key,
    archive_name,
)
from indexer.stories.story import HTTPMetadata, RawHTML, RSSEntry, Story
from indexer.warc.reader import read
from indexer.warc.record import Record
from tests.each_row import each_row
from tests.paths import DATA
from tests.stories.archived import NAME, NOON, a_story, archive

GOLDEN = DATA / "warc" / "golden.warc"


def records(data: bytes) -> list[Record]:
    return [each for each in read(io.BytesIO(data)) if isinstance(each, Record)]


def a_response(story: Story) -> Record:
    return records(archive([story]))[1]


def test_an_archive_is_byte_for_byte_what_it_was() -> None:
    assert gzip.decompress(archive([a_story(1), a_story(2)])) == GOLDEN.read_bytes()


def test_there_is_a_warcinfo_and_two_records_a_story() -> None:
    kinds = [each.kind for each in records(archive([a_story(n) for n in range(7)]))]
    assert kinds == ["warcinfo"] + ["response", "metadata"] * 7


def test_the_first_record_tells_who_wrote_the_file() -> None:
    info = records(archive([]))[0]
    assert info.headers["warc-filename"] == NAME
    assert info.block == (
        b"hostname: host\r\nsoftware: story-indexer\r\nformat: WARC file version 1.0\r\n"
    )


def test_the_metadata_is_that_of_the_story_and_refers_to_its_page() -> None:
    _, page, metadata = records(archive([a_story()]))
    assert json.loads(metadata.block) == a_story().metadata()
    assert metadata.block.decode() == json.dumps(a_story().metadata(), indent=2, ensure_ascii=False)
    assert metadata.content_type == METADATA_TYPE
    assert metadata.refers_to == page.id
    assert (metadata.uri, metadata.date) == (page.uri, page.date)


def test_every_field_is_there_also_without_a_value() -> None:
    metadata = json.loads(records(archive([Story(raw_html=RawHTML(html=b"x"))]))[2].block)
    assert {name: len(fields) for name, fields in metadata.items()} == {
        "rss_entry": 9,
        "http_metadata": 4,
        "content_metadata": 15,
    }


def test_more_objects_may_stand_beside_the_three() -> None:
    file = io.BytesIO()
    extra = {"queue_data": {"when": NOON, "what": 1j}, "rss_entry": "not this one"}
    StoryArchiveWriter(file, NAME).write(ArchiveEntry.of(a_story(), extra))
    metadata = json.loads(records(file.getvalue())[2].block)
    assert metadata.pop("queue_data") == {"when": "2024-05-01T12:00:00+00:00", "what": "1j"}
    assert metadata == a_story().metadata()


@each_row(
    ("given", "uri"),
    [
        (("a", "b", "c", "d"), "a"),
        ((None, "b", "c", "d"), "b"),
        (("", None, "c", "d"), "c"),
        ((None, None, None, "d"), "d"),
        ((None, None, None, None), ""),
    ],
)
def test_the_uri_is_the_first_that_is_known(given: tuple[str | None, ...], uri: str) -> None:
    story = a_story()
    story.http_metadata.final_url, story.content_metadata.url = given[:2]
    story.content_metadata.original_url, story.rss_entry.link = given[2:]
    assert a_response(story).uri == uri


def test_only_printable_ascii_is_in_a_uri() -> None:
    story = a_story()
    story.http_metadata.final_url = "https://site.example/\r\nاردو"
    assert a_response(story).uri == "https://site.example/%0D%0A%D8%A7%D8%B1%D8%AF%D9%88"


@each_row(
    ("stamp", "date"),
    [
        (1714500000.999, "2024-04-30T18:00:00Z"),
        (0.0, "1970-01-01T00:00:00Z"),
        (None, "2024-05-01T12:00:00Z"),
        (1e300, "2024-05-01T12:00:00Z"),
        (-1e11, "2024-05-01T12:00:00Z"),
        (math.inf, "2024-05-01T12:00:00Z"),
    ],
)
def test_the_date_is_when_the_page_was_fetched_or_else_now(stamp: float | None, date: str) -> None:
    story = Story(http_metadata=HTTPMetadata(fetch_timestamp=stamp), raw_html=RawHTML(html=b"x"))
    if stamp == math.inf:
        with pytest.raises(ArchiveError, match="can't be JSON"):
            archive([story])
    else:
        assert a_response(story).date == date


@pytest.mark.parametrize(
    ("code", "line"),
    [(200, b"HTTP/1.0 200 OK"), (203, b"HTTP/1.0 203 HUH?"), (None, b"HTTP/1.0 None HUH?")],
)
def test_the_status_line_has_the_code(code: int | None, line: bytes) -> None:
    story = a_story()
    story.http_metadata.response_code = code
    assert a_response(story).http()[0].split(b"\r\n")[0] == line


@each_row(
    ("declared", "found", "value"),
    [
        ("utf-8", "latin-1", b"text/html; encoding=utf-8"),
        (None, "windows-1252", b"text/html; encoding=windows-1252"),
        (None, None, b"text/html"),
        ("utf-8\r\nX-Evil: 1", None, b"text/html"),
        ("utf-8\x00", "koi8-r", b"text/html; encoding=koi8-r"),
        ("юникод", "", b"text/html"),
        ("x" * 65, None, b"text/html"),
    ],
)
def test_the_content_type_has_an_encoding_that_is_one(
    declared: str | None, found: str | None, value: bytes
) -> None:
    story = a_story()
    story.http_metadata.encoding, story.raw_html.encoding = declared, found
    head, body = a_response(story).http()
    assert head.split(b"\r\n")[1:] == [
        b"Content-Type: " + value,
        b"Content-Length: %d" % len(body),
    ]


def test_an_archive_holds_no_more_stories_than_agreed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(story_archive_writer, "MAX_STORIES", 2)
    assert story_archive_writer.MAX_STORIES == 2
    with pytest.raises(ArchiveError, match="at most 2 stories"):
        archive([a_story(1), a_story(2), a_story(3)])


def test_a_story_without_a_page_is_not_written() -> None:
    file = io.BytesIO()
    writer = StoryArchiveWriter(file, NAME)
    before = file.getvalue()
    with pytest.raises(ArchiveError, match="without a page"):
        writer.write(ArchiveEntry.of(Story(rss_entry=RSSEntry(link="http://site.example/"))))
    assert (file.getvalue(), writer.stories) == (before, 0)


def test_the_same_story_has_the_same_identity_and_another_another() -> None:
    same = Story.load(a_story(1).dump())
    assert ArchiveEntry.of(a_story(1)).identity == ArchiveEntry.of(same).identity
    assert ArchiveEntry.of(a_story(1)).identity != ArchiveEntry.of(a_story(2)).identity
    assert (
        ArchiveEntry.of(a_story(1)).identity
        != ArchiveEntry.of(a_story(1, b"<p>other</p>")).identity
    )


@pytest.mark.parametrize(
    ("prefix", "host", "name"),
    [
        ("mc", "0a1b2c", "mc-20240501120000-3-0a1b2c.warc.gz"),
        ("mchist2022", "a-host.example", "mchist2022-20240501120000-3-a-host.example.warc.gz"),
        ("../x", "h/\r\n", ".._x-20240501120000-3-h_.warc.gz"),
    ],
)
def test_a_name_has_prefix_time_serial_and_host(prefix: str, host: str, name: str) -> None:
    assert archive_name(prefix, NOON, 3, host) == name


def test_an_archive_is_kept_by_day() -> None:
    late = datetime(2024, 12, 31, 23, 59, 59, tzinfo=UTC)
    assert archive_key("mc-1.warc.gz", late) == "2024/12/31/mc-1.warc.gz"
