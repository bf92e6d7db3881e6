"""Archives of stories as they are read: liberally, and nothing is paired that isn't a pair."""

import io

import pytest

from indexer.stories.archiving.story_archive_reader import (
    ArchivedStory,
    Fault,
    make_story,
    read_stories,
)
from indexer.stories.story import Story
from indexer.warc.members import Members
from indexer.warc.record import Record
from tests.each_row import each_row
from tests.stories.archived import a_story, archive
from tests.stories.old_archives import DATA, EARLY, WRITTEN, OldStory, old_archive

OLD = DATA / "old.warc.gz"

ORPHAN_PAGE = "a response record without its partner"
ORPHAN_METADATA = "a metadata record without its partner"


def read_bytes(data: bytes) -> list[ArchivedStory | Fault]:
    return list(read_stories(io.BytesIO(data)))


def found_stories(data: bytes) -> list[Story]:
    return [each.story for each in read_bytes(data) if isinstance(each, ArchivedStory)]


def split(data: bytes) -> list[bytes]:
    """The members of an archive, one a record."""
    starts = [each.offset for each in Members(io.BytesIO(data))]
    return [data[start:end] for start, end in zip(starts, [*starts[1:], len(data)], strict=True)]


def a_page(html: bytes = b"<p>x</p>", encoding: str = "") -> Record:
    head = f"HTTP/1.0 200 OK\r\nContent-Type: text/html{encoding}\r\n\r\n".encode()
    return Record(2, 100, "response", 0, head + html)


def test_what_was_written_is_read() -> None:
    written = [a_story(number, b"x" * number * 1000) for number in range(4)]
    assert found_stories(archive(written)) == written


def test_what_a_newer_program_has_added_is_read_and_written_again() -> None:
    story = a_story()
    story.unknown = {
        "rss_entry": {"colour": "red"},
        "content_metadata": {"topics": [{"name": "é"}]},
        "images": {"count": 2, "sizes": [1e300, None, True]},
        "schema": 2,
    }
    [found] = found_stories(archive([Story.load(story.dump())]))
    assert found == story
    [again] = found_stories(archive([Story.load(found.dump())]))
    assert again == story


def test_what_no_message_can_hold_is_no_reason_to_lose_a_newer_programs_story() -> None:
    odd = {"a": "\ud800x", "big": 10**30, "nan": float("nan"), "b": [float("inf"), 1]}
    metadata = {
        "rss_entry": {"link": "https://a.example/", **odd},
        "later": odd,
        "http_metadata": [1],
    }
    story = make_story(metadata, a_page())
    kept = {"a": "x", "big": None, "nan": None, "b": [None, 1]}
    assert story.unknown == {"rss_entry": kept, "later": kept}
    assert Story.load(story.dump()) == story


def test_what_a_dump_says_about_the_message_is_no_part_of_the_story() -> None:
    metadata = {"rss_entry": {}, "rabbitmq_headers": {"x": 1}, "queue_data": {"page": True}}
    assert make_story(metadata, a_page()).unknown == {}


def test_a_story_says_where_it_was() -> None:
    data = archive([a_story(1), a_story(2)])
    second = read_bytes(data)[1]
    assert isinstance(second, ArchivedStory)
    assert (second.number, second.offset) == (4, sum(map(len, split(data)[:3])))
    assert second.uri == "https://site.example/news/2"
    assert second.date == "2024-04-30T18:00:00Z"


def test_an_archive_of_the_system_before_is_read() -> None:
    with OLD.open("rb") as file:
        first, second, third = (
            each for each in read_stories(file) if isinstance(each, ArchivedStory)
        )
    assert first.story.content_metadata.article_title == "Café"
    assert first.story.raw_html.encoding == "windows-1252"
    assert first.story.content_metadata.parsed_date == "2024-02-03T04:05:06"
    assert first.metadata["rabbitmq_headers"] == {"x-mc-who": "parser"}
    assert second.story.rss_entry.source_feed_id == 123
    assert second.story.rss_entry.source_source_id is None
    assert second.story.http_metadata.response_code == 203
    assert second.story.content_metadata.parsed_date == "2024-02-03"
    assert second.metadata["rss_entry"]["a_key_of_the_future"] == [1]
    assert second.story.unknown["rss_entry"] == {"a_key_of_the_future": [1]}
    assert third.story.raw_html.html == b"<p>three</p>"
    assert third.story.url is None


@each_row(
    ("kept", "numbers", "lost"),
    [
        ([0, 1, 3, 4], [2], [(2, ORPHAN_PAGE)]),
        ([0, 2, 3, 4], [2], [(2, ORPHAN_METADATA)]),
        ([0, 1, 4], [], [(3, ORPHAN_METADATA), (2, ORPHAN_PAGE)]),
        ([0, 1, 2, 3], [1], [(4, ORPHAN_PAGE)]),
        ([1, 2, 3, 4], [1, 2], []),
        ([2, 1, 4, 3], [], [(1, ORPHAN_METADATA), (3, ORPHAN_METADATA)]),
        ([0], [], []),
    ],
)
def test_only_a_page_and_its_own_metadata_are_a_story(
    kept: list[int], numbers: list[int], lost: list[tuple[int, str]]
) -> None:
    members = split(archive([a_story(1), a_story(2)]))
    found = read_bytes(b"".join(members[each] for each in kept))
    right = [a_story(number) for number in numbers]
    assert [each.story for each in found if isinstance(each, ArchivedStory)] == right
    where = [(each.number, each.why) for each in found if isinstance(each, Fault)]
    assert where[: len(lost)] == lost


def test_metadata_without_a_reference_belongs_to_the_page_of_its_url() -> None:
    plain = (OLD.parent / "golden.warc").read_bytes()
    lines = [line for line in plain.split(b"\r\n") if not line.startswith(b"WARC-Refers-To")]
    assert found_stories(b"\r\n".join(lines)) == [a_story(1), a_story(2)]


@pytest.mark.parametrize("missing", [1, 10, 400])
def test_a_truncated_archive_is_read_up_to_there(missing: int) -> None:
    found = read_bytes(archive([a_story(1), a_story(2)])[:-missing])
    assert [each.story for each in found if isinstance(each, ArchivedStory)] == [a_story(1)]
    assert [each.why for each in found if isinstance(each, Fault)] == [
        "ends in the middle of a record"
    ]


def damage(member: bytes) -> bytes:
    """A record that can't be unpacked."""
    return member[:60] + bytes([member[60] ^ 1]) + member[61:]


@pytest.mark.parametrize(
    ("torn", "stories", "lost"),
    [
        ([3], [0, 2], [4]),
        ([4], [0, 2], [5]),
        ([6], [0, 1], [7]),
        ([2, 3], [2], [3, 4]),
    ],
    ids=["page", "metadata", "last", "two"],
)
def test_a_story_that_is_damaged_is_told_once(
    torn: list[int], stories: list[int], lost: list[int]
) -> None:
    members = split(archive([a_story(number) for number in range(3)]))
    found = read_bytes(b"".join(damage(m) if n in torn else m for n, m in enumerate(members)))
    assert [each.story for each in found if isinstance(each, ArchivedStory)] == [
        a_story(number) for number in stories
    ]
    assert [each.number for each in found if isinstance(each, Fault)] == lost


def test_a_page_and_its_metadata_are_a_story_whatever_is_between_them() -> None:
    members = split(archive([a_story(1), a_story(2)]))
    found = read_bytes(b"".join([*members[:2], b"garbage", *members[2:]]))
    assert [type(each) for each in found] == [Fault, ArchivedStory, ArchivedStory]


def test_only_one_record_is_lost_by_a_damage_before_it() -> None:
    members = split(archive([a_story(number) for number in range(3)]))
    data = b"".join([members[0], damage(members[1]), *members[2:4], *members[5:]])
    assert [each.why for each in read_bytes(data) if isinstance(each, Fault)][1:] == [ORPHAN_PAGE]


@each_row(
    "metadata", [b"", b"not json", b"[]", b'"text"', b"\xff\xfe", b"[" * 100_000, b'{"rss_entry":']
)
def test_metadata_that_is_no_json_object_is_told(metadata: bytes) -> None:
    plain = (OLD.parent / "golden.warc").read_bytes()
    start = plain.index(b"{\n")
    end = plain.index(b"\r\n\r\nWARC/1.0", start)
    data = plain[:start] + metadata + plain[end:]
    data = data.replace(b"Content-Length: 1666", b"Content-Length: %d" % len(metadata), 1)
    found = read_bytes(data)
    assert isinstance(found[0], Fault)
    assert found[0].why.startswith("the metadata is not ")
    assert isinstance(found[1], ArchivedStory)


@each_row(
    ("value", "kept"),
    [
        ({"link": 5}, None),
        ({"link": ["x"]}, None),
        ({"link": "a\ud800b"}, "ab"),
        ({"link": "a\x00b"}, "a\x00b"),
        ("not an object", None),
        (None, None),
    ],
)
def test_a_value_of_a_wrong_type_is_null(value: object, kept: str | None) -> None:
    story = make_story({"rss_entry": value}, a_page())
    assert story.rss_entry.link == kept
    assert Story.load(story.dump()) == story


def test_characters_that_are_removed_from_pages_are_removed_from_archived_texts() -> None:
    values = {"text_content": "a\x00\x1b[0mb\n\tc\uffff", "article_title": "\x00", "url": "a\x00b"}
    content = make_story({"content_metadata": values}, a_page()).content_metadata
    assert content.text_content == "a[0mb\n\tc"
    assert content.article_title == ""
    assert content.url == "a\x00b"


@each_row("number", [2**63, -(2**70), 1.5, True, "", "٣"])
def test_a_number_that_is_none_is_null(number: object) -> None:
    story = make_story({"rss_entry": {"source_feed_id": number}}, a_page())
    assert story.rss_entry.source_feed_id is None
    story.dump()


@each_row(
    ("header", "declared", "encoding"),
    [
        ("; encoding=koi8-r", None, "koi8-r"),
        ("; charset=koi8-r", None, "koi8-r"),
        ('; charset="koi8-r"', None, "koi8-r"),
        ("; encoding=koi8-r", "utf-8", "utf-8"),
        ("", None, None),
    ],
)
def test_the_encoding_is_the_declared_one_or_that_of_the_archived_header(
    header: str, declared: str | None, encoding: str | None
) -> None:
    story = make_story({"http_metadata": {"encoding": declared}}, a_page(encoding=header))
    assert story.raw_html.encoding == encoding
    assert story.http_metadata.encoding == declared


def test_a_page_without_an_http_header_is_read_too() -> None:
    page = Record(1, 0, "response", 0, b"<p>bare</p>")
    assert make_story({}, page).raw_html.html == b"<p>bare</p>"


@pytest.mark.parametrize("name", ["early.warc", "early.warc.gz"])
def test_archives_of_early_2024_are_read_packed_or_not(name: str) -> None:
    found = read_bytes((DATA / name).read_bytes())
    stories = [each.story for each in found if isinstance(each, ArchivedStory)]
    assert [story.raw_html.html for story in stories] == [b"<p>%d</p>" % n for n in range(1, 7)]
    assert [story.content_metadata.parsed_date for story in stories] == [
        "2024-02-03",
        "2024-02-03 04:05:06.123456",
        "2024-02-03T04:05:06.123456",
        "2024-02-03T04:05:06",
        "2024-02-03T04:05:06",
        "2024-02-03",
    ]
    last = stories[-1].content_metadata
    assert (last.language, last.is_homepage, last.canonical_url) == (None, None, None)
    lost = [(each.number, each.why) for each in found if isinstance(each, Fault)]
    assert lost == [(12, ORPHAN_PAGE)]


def test_the_golden_archive_is_what_earlier_versions_wrote() -> None:
    assert old_archive(EARLY, gzip=False) == (DATA / "early.warc").read_bytes()


@pytest.mark.parametrize("gzip", [True, False])
@pytest.mark.parametrize("missing", [10, 60, 700])
def test_an_old_archive_that_was_cut_is_read_up_to_there(gzip: bool, missing: int) -> None:
    found = read_bytes(old_archive([EARLY[0], EARLY[1]], gzip=gzip)[:-missing])
    assert isinstance(found[0], ArchivedStory)
    assert {type(each) for each in found[1:]} == {Fault}


@each_row(
    "metadata",
    [
        {},
        {"rss_entry": None, "http_metadata": None, "content_metadata": None},
        {"rss_entry": {"link": None}, "content_metadata": {"url": None, "text_content": None}},
        {"rss_entry": [], "http_metadata": "no", "content_metadata": 7, "queue_data": {"a": 1}},
    ],
)
def test_anything_may_be_null_or_missing(metadata: object) -> None:
    (found,) = found_stories(old_archive([OldStory(html=b"<p>x</p>", metadata=metadata)]))
    assert found.raw_html.html == b"<p>x</p>"
    assert found.content_metadata.parsed_date == WRITTEN.removesuffix("Z")
    assert (found.rss_entry.link, found.content_metadata.url) == (None, None)
