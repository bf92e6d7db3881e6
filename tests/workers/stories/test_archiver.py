"""The archiver: what it acknowledges is in every store, once, and sound."""

import io
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from indexer.errors import Quarantine, StorageError
from indexer.messages.message import DROPPED
from indexer.stories.archiving import story_archive_verifier
from indexer.stories.archiving.archives import archives
from indexer.stories.archiving.story_archive_reader import ArchivedStory, read_stories
from indexer.stories.archiving.story_archive_verifier import verify
from indexer.stories.archiving.story_archive_writer import MAX_STORIES
from indexer.stories.story import RawHTML, RSSEntry, Story
from indexer.warc import cdxj
from indexer.warc.cdxj import index_of
from indexer.warc.members import Readable
from indexer.warc.reader import read
from indexer.warc.record import Damage, Record
from tests.stories.archived import NOON, a_story
from workers.stories.archiver import Archiver, ArchiverOptions


def make(root: Path, *stores: str, **options: object) -> Archiver:
    """An archiver as a process that starts has it."""
    urls = [str(root / store) for store in stores or ("store",)]
    given = {"data": root, "archive_url": urls, "upload_seconds": 0.0, **options}
    return Archiver(ArchiverOptions(**given), clock=lambda: NOON)  # type: ignore[arg-type]  # a table of options


def add(to: Archiver, *stories: Story) -> None:
    for story in stories:
        to.add(story)


def stored(root: Path, store: str = "store") -> list[Path]:
    return sorted((root / store).rglob("*.warc.gz"))


def archived(root: Path, store: str = "store") -> list[Story]:
    """All stories of a store, whose archives must all be sound."""
    found: list[Story] = []
    for path in stored(root, store):
        with path.open("rb") as file:
            assert verify(file).faults == []
            file.seek(0)
            items = list(read_stories(file))
        assert all(isinstance(each, ArchivedStory) for each in items)
        found += [each.story for each in items if isinstance(each, ArchivedStory)]
    return found


def test_a_batch_is_one_archive_in_every_store(tmp_path: Path) -> None:
    worker = make(tmp_path, "one", "two")
    stories = [a_story(number) for number in range(5)]
    add(worker, *stories)
    assert stored(tmp_path, "one") == []
    assert list(worker.flush()) == [None] * 5
    assert archived(tmp_path, "one") == archived(tmp_path, "two") == stories


def test_an_archive_is_named_by_prefix_time_serial_and_host(tmp_path: Path) -> None:
    worker = make(tmp_path, prefix="mccsv")
    for number in range(2):
        add(worker, a_story(number))
        worker.flush()
    names = [str(path.relative_to(tmp_path / "store")) for path in stored(tmp_path)]
    start = "2024/05/01/mccsv-20240501120000-"
    assert [name.startswith(f"{start}{n}-") for n, name in enumerate(names, 1)] == [True, True]


def test_stories_that_the_parser_dropped_are_in_an_archive_with_a_prefix_of_its_own(
    tmp_path: Path,
) -> None:
    worker, dropped = make(tmp_path), a_story(2)
    dropped.unknown[DROPPED] = {"by": "parser", "status": "too-short", "why": ""}
    add(worker, a_story(1), dropped)
    worker.flush()
    assert sorted(path.name.partition("-")[0] for path in stored(tmp_path)) == ["dropped", "mc"]
    assert dropped in archived(tmp_path)


def test_an_archive_knows_its_name(tmp_path: Path) -> None:
    worker = make(tmp_path)
    add(worker, a_story())
    worker.flush()
    (path,) = stored(tmp_path)
    first = next(read(io.BytesIO(path.read_bytes())))
    assert isinstance(first, Record)
    assert first.headers["warc-filename"] == path.name


def test_finished_archives_are_reported(tmp_path: Path) -> None:
    worker = make(tmp_path, "one", "two")
    assert list(worker.made) == []
    add(worker, a_story())
    worker.flush()
    assert list(worker.made) == [path.as_uri() for path in stored(tmp_path, "one")]


def test_no_stories_make_no_archive(tmp_path: Path) -> None:
    worker = make(tmp_path)
    assert list(worker.flush()) == []
    worker.close()
    assert not (tmp_path / "store").exists()
    assert [each.name for each in (tmp_path / "archiver").iterdir()] == ["spool"]


@pytest.mark.parametrize(
    ("story", "status"),
    [
        (Story(raw_html=RawHTML(html=b"x")), "no-url"),
        (Story(rss_entry=RSSEntry(link="http://site.example/")), "no-html"),
        (a_story(html=b""), "no-html"),
    ],
)
def test_a_story_without_url_or_page_is_for_a_person(
    tmp_path: Path, story: Story, status: str
) -> None:
    worker = make(tmp_path)
    with pytest.raises(Quarantine) as caught:
        worker.add(story)
    assert caught.value.status == status
    add(worker, a_story())
    assert list(worker.flush()) == [None]
    assert archived(tmp_path) == [a_story()]


def test_an_archive_ends_when_it_is_large(tmp_path: Path) -> None:
    worker = make(tmp_path, max_bytes=2000)
    assert not worker.full
    add(worker, a_story(1))
    assert not worker.full
    add(worker, a_story(2), a_story(3))
    assert worker.full
    worker.flush()
    assert not worker.full


def test_an_archive_ends_at_five_thousand_stories(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert Archiver.size == MAX_STORIES == 5000
    monkeypatch.setattr("workers.stories.archiver.MAX_STORIES", 2)
    worker = make(tmp_path)
    add(worker, a_story(1))
    assert not worker.full
    add(worker, a_story(2))
    assert worker.full


def test_a_story_that_comes_twice_in_a_batch_is_archived_once(tmp_path: Path) -> None:
    worker = make(tmp_path)
    add(worker, a_story(1), a_story(2), a_story(1))
    assert list(worker.flush()) == [None] * 3
    assert archived(tmp_path) == [a_story(1), a_story(2)]


@pytest.mark.parametrize(("remove", "left"), [(False, 1), (True, 0)])
def test_a_copy_stays_unless_it_is_to_be_removed(tmp_path: Path, remove: bool, left: int) -> None:
    worker = make(tmp_path, remove_local=remove)
    add(worker, a_story())
    worker.flush()
    assert len(list((tmp_path / "archiver").glob("*.warc.gz"))) == left


def test_an_upload_that_fails_ends_the_program_and_loses_nothing(tmp_path: Path) -> None:
    (tmp_path / "two").write_text("no directory: nothing can be stored here")
    worker = make(tmp_path, "one", "two")
    add(worker, a_story(1), a_story(2))
    with pytest.raises(StorageError):
        worker.flush()
    worker.close()
    with pytest.raises(StorageError):
        make(tmp_path, "one", "two")

    (tmp_path / "two").unlink()
    worker = make(tmp_path, "one", "two")
    add(worker, a_story(2), a_story(3), a_story(1))
    assert list(worker.flush()) == [None] * 3
    for store in ("one", "two"):
        assert sorted(archived(tmp_path, store), key=lambda each: each.label) == [
            a_story(number) for number in (1, 2, 3)
        ]
    assert len(worker.made) == 2


def test_what_was_not_flushed_is_dropped_when_the_program_ends(tmp_path: Path) -> None:
    worker = make(tmp_path)
    add(worker, a_story())
    worker.close()
    assert list((tmp_path / "archiver").glob("*.warc*")) == []
    assert stored(tmp_path) == []


def test_the_directory_may_be_shared(tmp_path: Path) -> None:
    workers = [make(tmp_path) for _ in range(3)]
    for number in range(6):
        add(workers[number % 3], a_story(number))
    for worker in workers:
        worker.flush()
    assert len(stored(tmp_path)) == 3
    found = sorted(archived(tmp_path), key=lambda each: each.label)
    assert found == [a_story(number) for number in range(6)]


def test_what_comes_again_from_one_that_died_meanwhile_is_not_archived_twice(
    tmp_path: Path,
) -> None:
    worker, other = make(tmp_path), make(tmp_path)
    add(worker, a_story(1))
    add(other, a_story(2), a_story(3))
    other.flush()
    other.close()
    worker.add_again(a_story(2))
    add(worker, a_story(4), a_story(3))
    assert list(worker.flush()) == [None] * 4
    found = sorted(archived(tmp_path), key=lambda each: each.label)
    assert found == [a_story(number) for number in range(1, 5)]


def test_the_directory_is_searched_once_a_batch_and_for_what_comes_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker = make(tmp_path)
    searches: list[None] = []
    monkeypatch.setattr("indexer.spool.Spool.adopt", lambda _: searches.append(None))
    for again in (0, 2):
        add(worker, *[a_story(number) for number in range(5)])
        for number in range(again):
            worker.add_again(a_story(number))
        worker.flush()
    assert len(searches) == 2 + 2


def test_a_full_disk_ends_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    worker = make(tmp_path)
    add(worker, a_story(1))

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("indexer.warc.writer.Writer._put", fail)
    with pytest.raises(OSError, match="No space left"):
        worker.add(a_story(2))


@pytest.mark.parametrize(
    ("value", "remove"), [("", False), ("1", True), ("yes", True), ("x", True), ("no", False)]
)
def test_any_value_of_the_variable_means_to_keep_no_copy(
    monkeypatch: pytest.MonkeyPatch, value: str, remove: bool
) -> None:
    monkeypatch.setenv("ARCHIVER_REMOVE_LOCAL", value)
    assert ArchiverOptions.parse("archiver", "", []).remove_local is remove


def test_a_flag_means_to_keep_no_copy() -> None:
    arguments: Sequence[str] = ["--remove-local", "--prefix", "mcrss", "--work-dir", "/w"]
    options = ArchiverOptions.parse("archiver", "", arguments)
    assert (options.remove_local, options.prefix, options.work_dir) == (True, "mcrss", Path("/w"))


def test_an_archive_is_read_once_to_verify_it_and_to_index_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Readable] = []

    def counted(file: Readable) -> Iterator[Record | Damage]:
        opened.append(file)
        return read(file)

    monkeypatch.setattr(story_archive_verifier, "read", counted)
    monkeypatch.setattr(cdxj.index_of, "__defaults__", (counted,))
    worker = make(tmp_path, "one", "two")
    add(worker, a_story())
    worker.flush()
    assert len(opened) == 1


def test_every_store_has_the_replay_index_of_each_archive_beside_it(tmp_path: Path) -> None:
    worker = make(tmp_path, "one", "two")
    add(worker, *(a_story(number) for number in range(3)))
    worker.flush()
    for store in ("one", "two"):
        (archive,) = stored(tmp_path, store)
        lines = archive.with_name(f"{archive.name}.cdxj").read_bytes().splitlines(keepends=True)
        with archive.open("rb") as file:
            assert index_of(file, archive.name).lines == lines
        assert len(lines) == 3
        # Those who read the directory see one archive, and no other file.
        assert [each.name for each in archives([str(tmp_path / store)])] == [str(archive)]
