"""Archives by year: one open for each, in one batch, with what is promised of one."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from indexer.errors import StorageError
from indexer.stories.story import Story
from tests.stories.archived import a_story
from tests.workers.stories.test_archiver import add, archived, make, stored
from workers.stories import archiver

HISTORICAL = "mchist{year}"
FIRST_OF_2021 = datetime(2021, 1, 1, tzinfo=UTC).timestamp()


def fetched(number: int, timestamp: float | None) -> Story:
    """A story that was fetched then."""
    story = a_story(number)
    story.http_metadata.fetch_timestamp = timestamp
    return story


def in_year(number: int, year: int) -> Story:
    """A story of the middle of a year."""
    return fetched(number, datetime(year, 7, 1, tzinfo=UTC).timestamp())


def names(root: Path) -> list[str]:
    """The prefixes, times and serials of the archives in a store."""
    return sorted(path.name.rsplit("-", 1)[0] for path in stored(root))


def test_each_year_of_a_batch_has_an_archive_of_its_own(tmp_path: Path) -> None:
    worker = make(tmp_path, prefix=HISTORICAL)
    years = [2021, 2008, 2021, 2015, 2008, 2021]
    stories = [in_year(number, year) for number, year in enumerate(years)]
    add(worker, *stories)
    assert list(worker.flush()) == [None] * 6
    assert names(tmp_path) == [
        "mchist2008-20240501120000-2",
        "mchist2015-20240501120000-3",
        "mchist2021-20240501120000-1",
    ]
    assert len(worker.made) == 3
    by_year = sorted(stories, key=lambda each: each.http_metadata.fetch_timestamp or 0)
    assert archived(tmp_path) == by_year


@pytest.mark.parametrize(
    ("timestamp", "year"),
    [
        (FIRST_OF_2021, "2021"),
        (FIRST_OF_2021 - 0.001, "2020"),
        (0.0, "1970"),
        (None, "2024"),
        (1e300, "2024"),
        (float("nan"), "2024"),
    ],
)
def test_the_year_is_that_of_the_fetch_in_utc_or_else_this_one(
    tmp_path: Path, timestamp: float | None, year: str
) -> None:
    worker = make(tmp_path, prefix=HISTORICAL)
    assert worker._archive_of(fetched(1, timestamp)).aside.name.startswith(f"mchist{year}-2024")
    worker.close()


def test_a_prefix_without_year_makes_one_archive(tmp_path: Path) -> None:
    worker = make(tmp_path, prefix="mc{years}")
    add(worker, in_year(1, 2008), in_year(2, 2021))
    worker.flush()
    assert names(tmp_path) == ["mc_years_-20240501120000-1"]


def test_the_next_batch_begins_new_archives(tmp_path: Path) -> None:
    worker = make(tmp_path, prefix=HISTORICAL)
    for number in range(2):
        add(worker, in_year(number, 2008), in_year(number, 2021))
        worker.flush()
    assert [name.split("-")[0] for name in names(tmp_path)] == [
        "mchist2008",
        "mchist2008",
        "mchist2021",
        "mchist2021",
    ]


def test_a_batch_ends_when_one_of_its_archives_is_large(tmp_path: Path) -> None:
    worker = make(tmp_path, prefix=HISTORICAL, max_bytes=2000)
    add(worker, in_year(1, 2008), in_year(2, 2021))
    assert not worker.full
    add(worker, in_year(3, 2008), in_year(4, 2008))
    assert worker.full
    worker.flush()
    assert not worker.full


def test_a_batch_ends_when_it_has_many_archives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archiver, "MAX_OPEN", 3)
    worker = make(tmp_path, prefix=HISTORICAL)
    add(worker, in_year(1, 2001), in_year(2, 2002))
    assert not worker.full
    add(worker, in_year(3, 2003))
    assert worker.full


def test_what_was_not_flushed_is_dropped_in_all_years(tmp_path: Path) -> None:
    worker = make(tmp_path, prefix=HISTORICAL)
    add(worker, in_year(1, 2008), in_year(2, 2021))
    worker.close()
    assert list((tmp_path / "archiver").glob("*.warc*")) == []
    assert list((tmp_path / "archiver" / "spool").glob("*.lock")) == []


def test_archives_that_could_not_be_uploaded_are_all_brought_later(tmp_path: Path) -> None:
    (tmp_path / "store").write_text("no directory: nothing can be stored here")
    worker = make(tmp_path, prefix=HISTORICAL)
    stories = [in_year(1, 2008), in_year(2, 2021)]
    add(worker, *stories)
    with pytest.raises(StorageError):
        worker.flush()
    worker.close()

    (tmp_path / "store").unlink()
    worker = make(tmp_path, prefix=HISTORICAL)
    assert archived(tmp_path) == stories
    for story in reversed(stories):
        worker.add_again(story)
    assert list(worker.flush()) == [None] * 2
    assert archived(tmp_path) == stories


def test_what_was_sealed_before_a_failure_is_not_lost_nor_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker = make(tmp_path, prefix=HISTORICAL)
    stories = [in_year(1, 2008), in_year(2, 2015), in_year(3, 2021)]
    add(worker, *stories)

    def full_disk(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(worker._open["mchist2015"], "seal", full_disk)
    with pytest.raises(OSError, match="No space left"):
        worker.flush()
    worker.close()

    worker = make(tmp_path, prefix=HISTORICAL)
    assert archived(tmp_path) == stories[:1]
    for story in stories:
        worker.add_again(story)
    assert list(worker.flush()) == [None] * 3
    assert archived(tmp_path) == stories
