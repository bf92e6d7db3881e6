"""Whether an archive is sound: whatever is changed in one is found."""

import gzip
import io
from collections.abc import Callable

import pytest

from indexer.errors import ArchiveError
from indexer.stories.archiving import story_archive_verifier
from indexer.stories.archiving.story_archive_verifier import Verdict, ensure_sound, verify
from indexer.warc.members import Members
from tests.each_row import each_row
from tests.paths import DATA
from tests.stories.archived import a_story, archive

SOUND = archive([a_story(number, b"<p>page</p>" * 50) for number in range(3)])
STARTS = [each.offset for each in Members(io.BytesIO(SOUND))]
MEMBERS = [SOUND[a:b] for a, b in zip(STARTS, [*STARTS[1:], len(SOUND)], strict=True)]
OLD = DATA / "warc" / "old.warc.gz"


def check(data: bytes) -> Verdict:
    return verify(io.BytesIO(data))


def faults(data: bytes) -> list[str]:
    return [each.why for each in check(data).faults]


def changed(number: int, change: Callable[[bytes], bytes]) -> bytes:
    """The archive with one record changed, and compressed again."""
    record = gzip.compress(change(gzip.decompress(MEMBERS[number])))
    return b"".join([*MEMBERS[:number], record, *MEMBERS[number + 1 :]])


def test_a_sound_archive_has_two_records_a_story_and_one() -> None:
    verdict = check(SOUND)
    assert (verdict.sound, verdict.stories, verdict.records) == (True, 3, 7)
    assert check(archive([])).sound


def test_an_archive_of_the_system_before_is_sound_but_for_what_is_null() -> None:
    with OLD.open("rb") as file:
        verdict = verify(file)
    assert (verdict.records, verdict.stories) == (7, 3)
    assert [str(each) for each in verdict.faults] == [
        f"record 7, offset {verdict.faults[0].offset}: the metadata has no object rss_entry",
        f"record 7, offset {verdict.faults[0].offset}: the metadata has no object content_metadata",
    ]


@each_row("missing", range(7))
def test_a_record_that_is_missing_is_found(missing: int) -> None:
    assert not check(b"".join(MEMBERS[:missing] + MEMBERS[missing + 1 :])).sound


def test_a_fault_says_where_it_is() -> None:
    damaged = bytearray(SOUND)
    damaged[STARTS[4] - 7] ^= 1
    first = check(bytes(damaged)).faults[0]
    assert (first.number, first.offset) == (4, STARTS[3])
    assert str(first).startswith(f"record 4, offset {STARTS[3]}: invalid gzip")


@each_row(("number", "old", "new", "fault"), [
        (1, b"<p>page</p>", b"<p>Page</p>", "WARC-Block-Digest does not match"),
        (1, b"Content-Length: 550", b"Content-Length: 551", "WARC-Block-Digest does not match"),
        (1, b"Content-Length: 550", b"X-ntent-Length: 550", "the HTTP Content-Length is not"),
        (1, b"HTTP/1.0 200 OK", b"ICY/1.0 200 OK ", "no HTTP header"),
        (1, b"WARC-Block-Digest", b"X-Block-Digest", "no WARC-Block-Digest"),
        (1, b"WARC-Payload-Digest", b"X", "no WARC-Payload-Digest"),
        (1, b"WARC-Type: response", b"WARC-Type: resource", "a record of type 'resource'"),
        (2, b"000000000002>", b"000000000009>", "WARC-Refers-To is not the response before"),
        (2, b"WARC-Date: 2024-04-30", b"WARC-Date: 2024-04-29", "URI or date differ"),
        (2, b"/news/0\r\n", b"/news/7\r\n", "URI or date differ"),
        (2, b"application/x.mediacloud-indexer+json", b"text/json", "the metadata's Content-Type"),
        (2, b'"rss_entry"', b'"rss_emtry"', "the metadata has no object rss_entry"),
        (2, b'{\n  "rss', b'[\n  "rss', "the metadata is not JSON: "),
        (3, b"WARC-Type: response", b"WARC-Type: warcinfo", "a warcinfo record that is not"),
    ])  # fmt: skip
def test_a_record_that_is_wrong_is_found(number: int, old: bytes, new: bytes, fault: str) -> None:
    assert old in gzip.decompress(MEMBERS[number])
    data = changed(number, lambda record: record.replace(old, new, 1))
    assert any(each.startswith(fault) for each in faults(data))


@each_row(
    ("change", "fault"),
    [
        (lambda record: record[:-10], "the block has"),
        (lambda record: record + b"more", "not a record"),
        (lambda record: record * 2, "not in a gzip member of its own"),
        (lambda record: b"", "metadata without a response before it"),
    ],
)
def test_a_member_that_is_not_one_record_is_found(
    change: Callable[[bytes], bytes], fault: str
) -> None:
    assert any(fault in each for each in faults(changed(3, change)))


@pytest.mark.parametrize("data", [b"", gzip.compress(b"")])
def test_what_has_no_records_is_not_sound(data: bytes) -> None:
    assert faults(data) == ["there is no record in it"]


def test_of_what_is_damaged_at_its_end_nothing_more_is_said() -> None:
    assert faults(b"<html>") == ["not a WARC file: it doesn't start as one"]


def test_only_so_many_faults_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(story_archive_verifier, "MAX_FAULTS", 2)
    verdict = check(MEMBERS[2] * 4)
    assert len(verdict.faults) == 2
    assert verdict.count > 4


def test_progress_is_told_after_each_record() -> None:
    seen: list[int] = []
    verify(io.BytesIO(SOUND), seen.append)
    assert seen == STARTS


def test_an_archive_with_another_number_of_stories_is_not_what_was_written() -> None:
    ensure_sound(io.BytesIO(SOUND), 3)
    with pytest.raises(ArchiveError, match="has 3 stories, not 4"):
        ensure_sound(io.BytesIO(SOUND), 4)
    with pytest.raises(ArchiveError, match="not sound: record 7"):
        ensure_sound(io.BytesIO(SOUND[:-1]), 3)
