"""From archives to the stories in them."""

import gzip
import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from indexer.blobstore import open_blobstore
from indexer.blobstore.credentials import credentials
from indexer.errors import InputError
from indexer.messages.worker import Skipped
from indexer.stories.indexing.documents import document
from indexer.stories.story import Story
from tests.services import S3
from tests.stories.archived import NOON, a_story, archive
from tests.stories.old_archives import DATA, EARLY, OldStory, old_archive
from tests.warc.records import pages
from workers.stories.arch_queuer import ArchQueuer, ArchQueuerOptions

Make = Callable[..., ArchQueuer]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Makes a queuer that reads some inputs, with some options."""
    made: list[ArchQueuer] = []

    def make(*inputs: object, **given: Any) -> ArchQueuer:
        options: dict[str, Any] = {"data": tmp_path / "data", **given}
        made.append(
            ArchQueuer(
                ArchQueuerOptions.chosen(dict(inputs=[str(each) for each in inputs], **options))
            )
        )
        return made[-1]

    yield make
    for each in made:
        each.close()


def read(queuer: ArchQueuer, data: bytes) -> list[Story | Skipped]:
    return list(queuer.process_file("/data/a.warc.gz", io.BytesIO(data)))


def kinds(items: list[Story | Skipped]) -> list[str | None]:
    """The links of stories, the statuses of what is skipped."""
    return [item.rss_entry.link if isinstance(item, Story) else item.status for item in items]


def produced(queuer: ArchQueuer) -> list[Story]:
    return [item for item in queuer.produce() if isinstance(item, Story)]


def test_stories_come_in_order_and_as_they_were_archived(make: Make) -> None:
    stories = [a_story(number) for number in range(4)]
    assert read(make(), archive(stories)) == stories
    assert make().shuffled is False


def test_the_same_url_twice_is_two_stories(make: Make) -> None:
    assert read(make(), archive([a_story(1), a_story(1)])) == [a_story(1), a_story(1)]


@pytest.mark.parametrize("name", ["early.warc", "early.warc.gz"])
def test_stories_of_early_versions_are_indexed_by_the_date_they_were_parsed(
    make: Make, name: str
) -> None:
    found = read(make(), (DATA / name).read_bytes())
    assert [
        document(item, NOON).get("indexed_date") for item in found if isinstance(item, Story)
    ] == [
        "2024-02-03T00:00:00.000000",
        "2024-02-03T04:05:06.123456",
        "2024-02-03T04:05:06.123456",
        "2024-02-03T04:05:06.000000",
        "2024-02-03T04:05:06.000000",
        "2024-02-03T00:00:00.000000",
    ]
    assert [item for item in found if isinstance(item, Skipped)] == [
        Skipped(
            "lost",
            f"/data/a.warc.gz record 12, offset {_offset(name)}",
            "a response record without its partner",
        )
    ]


def _offset(name: str) -> int:
    """Where the page without metadata is in a golden archive."""
    data = (DATA / name).read_bytes()
    if name.endswith(".gz"):
        starts = [at for at in range(len(data)) if data[at : at + 3] == b"\x1f\x8b\x08"]
        return starts[11]
    return data.index(
        b"WARC/1.0\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000012>"
    )


def changed(number: int, **changes: Any) -> Story:
    """A story of which something is different."""
    story = a_story(number)
    for name, value in changes.items():
        setattr(story.content_metadata, name, value)
        if name == "url":
            story.http_metadata.final_url = value
    return story


@pytest.mark.parametrize(
    ("story", "status"),
    [
        (a_story(1, b""), "no-html"),
        (a_story(1, b"x" * 1001), "oversized"),
        (changed(1, url="http://127.0.0.1/story"), "bad-host"),
        (changed(1, url="https://twitter.com/user/status/1"), "non-news"),
        (changed(1, url="ftp://site.example/1"), "bad-scheme"),
        (changed(1, url="https:///1"), "no-host"),
        (changed(1, url="https://[half/1"), "bad-url"),
    ],
)
def test_what_is_no_story_is_skipped_and_the_rest_read(
    make: Make, story: Story, status: str
) -> None:
    queuer = make(max_html_bytes=1000)
    found = read(queuer, archive([a_story(7), story, a_story(8)]))
    assert kinds(found) == [a_story(7).rss_entry.link, status, a_story(8).rss_entry.link]
    assert isinstance(found[1], Skipped)
    assert (found[1].label, found[1].origin) == (story.label, story.origin)


def test_a_story_without_any_url_is_skipped(make: Make) -> None:
    assert kinds(read(make(), old_archive([OldStory(url="")]))) == ["no-url"]


def test_the_hosts_of_an_operator_may_be_allowed(make: Make) -> None:
    story = changed(1, url="http://127.0.0.1/story")
    queuer = make(allow_address=["127.0.0.0/8"], skip_domains=["twitter.com"])
    assert read(queuer, archive([story])) == [story]


def test_a_damaged_record_is_told_with_its_place_and_the_rest_read(
    make: Make, tmp_path: Path
) -> None:
    data = bytearray(archive([a_story(number) for number in range(3)]))
    starts = [at for at in range(len(data)) if data[at : at + 3] == b"\x1f\x8b\x08"]
    data[starts[3] + 60] ^= 1
    path = tmp_path / "a.warc.gz"
    path.write_bytes(data)
    # As an input, not as a stream: what unpacks it must see where each record starts.
    found: list[object] = []
    with pytest.raises(InputError) as raised:
        found.extend(make(path).produce())
    assert [each for each in found if isinstance(each, Story)] == [a_story(0), a_story(2)]
    [place] = [each.label for each in found if isinstance(each, Skipped)]
    assert place == f"{path} record 4, offset {starts[3]}"
    assert str(raised.value).startswith(
        f"inputs failed: {path}: 1 record lost, the first: record 4, offset {starts[3]}: "
    )
    assert str(raised.value).endswith("; the rest was read")


def test_a_damaged_archive_is_not_read_again(make: Make, tmp_path: Path) -> None:
    (tmp_path / "a.warc.gz").write_bytes(archive([a_story(1), a_story(2)])[:-10])
    queuer = make(tmp_path)
    with pytest.raises(InputError, match=r"a\.warc\.gz: 1 record lost"):
        produced(queuer)
    queuer.close()
    assert produced(make(tmp_path)) == []


def test_of_a_truncated_archive_all_before_the_cut_is_read_and_the_cut_told(make: Make) -> None:
    found = read(make(), archive([a_story(1), a_story(2)])[:-10])
    assert found[0] == a_story(1)
    assert [(each.status, each.why) for each in found[1:] if isinstance(each, Skipped)] == [
        ("lost", "ends in the middle of a record")
    ]


@pytest.mark.parametrize(
    "data",
    [
        b"url\nhttps://site.example/1\n",
        gzip.compress(b"url\nhttps://site.example/1\n" * 1000),
        b"<html><p>not an archive</p></html>",
        b"PK\x03\x04" + bytes(100),
        bytes(100_000),
        archive([a_story(1)])[:100],
        pages(b"somebody else's")[0],
    ],
    ids=["csv", "csv.gz", "page", "zip", "zeros", "cut", "foreign"],
)
def test_what_is_no_archive_of_ours_is_an_error(make: Make, data: bytes) -> None:
    with pytest.raises(InputError, match=r"/data/a\.warc\.gz: not an archive of stories: "):
        read(make(), data)


@pytest.mark.parametrize("data", [b"", archive([])], ids=["empty", "no-stories"])
def test_an_archive_may_be_empty(make: Make, data: bytes) -> None:
    assert read(make(), data) == []


def test_one_input_that_is_no_archive_does_not_keep_others_from_being_read(
    make: Make, tmp_path: Path
) -> None:
    (tmp_path / "bad").write_bytes(b"x")
    (tmp_path / "good").write_bytes(archive([a_story(1)]))
    items = make(tmp_path / "bad", tmp_path / "good").produce()
    found: list[object] = []
    with pytest.raises(InputError, match="bad: not an archive"):
        found.extend(items)
    assert a_story(1) in found


def test_in_directories_only_archives_are_read(make: Make, tmp_path: Path) -> None:
    folder = tmp_path / "archive" / "2024"
    folder.mkdir(parents=True)
    (folder / "1.warc").write_bytes(old_archive([EARLY[0]], gzip=False))
    (folder / "2.warc.gz").write_bytes(archive([a_story(2)]))
    (folder / "notes.txt").write_text("not an archive")
    (folder / "3.warc.gz.tmp").write_bytes(b"half")
    links = [story.rss_entry.link for story in produced(make(tmp_path / "archive"))]
    assert links == [a_story(2).rss_entry.link, "https://old.example/1"]
    only = make(tmp_path / "archive", only=["1.*"], force=True)
    assert [story.rss_entry.link for story in produced(only)] == ["https://old.example/1"]


def test_archives_are_read_once_and_with_force_again(make: Make, tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(archive([a_story(1), a_story(2)]))
    counts = [len(produced(make(path, **given))) for given in ({}, {}, {"force": True})]
    assert counts == [2, 0, 2]


@pytest.mark.external
def test_archives_in_a_bucket_are_read_the_newest_first(
    make: Make, s3: S3, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARCHIVER_S3_ENDPOINT", s3.endpoint)
    monkeypatch.setenv("ARCHIVER_S3_ACCESS_KEY_ID", s3.access_key)
    monkeypatch.setenv("ARCHIVER_S3_SECRET_ACCESS_KEY", s3.secret_key)
    (given,) = credentials("s3", ["ARCHIVER"])
    store = open_blobstore(f"s3://{s3.bucket}", given)
    store.put("2024/05/01/a.warc.gz", io.BytesIO(archive([a_story(1)])))
    store.put("2024/05/02/b.warc.gz", io.BytesIO(archive([a_story(2)])))
    store.put("2024/05/02/notes.txt", io.BytesIO(b"not an archive"))
    assert produced(make(f"s3://{s3.bucket}/2024/05/*")) == [a_story(2), a_story(1)]
    assert produced(make(f"s3://{s3.bucket}/2024/05/*")) == []
