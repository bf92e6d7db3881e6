"""A queue written to archives: files are whole before their messages are settled."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from indexer.errors import Quarantine
from indexer.messages.message import Delivery
from indexer.stories.archiving.story_archive_verifier import verify
from indexer.stories.tools import queue_dump
from indexer.stories.tools.queue_dump import Dump
from tests.stories.archived import a_story

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)


class Dumping:
    """A dump to a directory, and what it has settled."""

    def __init__(self, directory: Path) -> None:
        self.now = NOON
        self.settled: list[list[int]] = []
        self.told: list[tuple[Path, int]] = []
        self.dump = Dump(
            "parser-in",
            directory,
            self._settle,
            lambda path, stories: self.told.append((path, stories)),
            clock=lambda: self.now,
        )

    def add(self, *tags: int) -> None:
        for tag in tags:
            self.dump.add(Delivery(tag, a_story(tag).dump()))

    def _settle(self, deliveries: Sequence[Delivery]) -> None:
        assert not any(delivery.body for delivery in deliveries)
        self.settled.append([delivery.tag for delivery in deliveries])


@pytest.fixture
def dumping(tmp_path: Path) -> Dumping:
    return Dumping(tmp_path)


def stories(path: Path) -> int:
    with path.open("rb") as file:
        verdict = verify(file)
    assert verdict.sound
    return verdict.stories


def test_messages_are_settled_when_their_file_has_its_name(dumping: Dumping) -> None:
    dumping.add(1, 2, 3)
    assert (dumping.settled, dumping.told) == ([], [])
    dumping.dump.finish()
    assert dumping.settled == [[1, 2, 3]]
    [(path, count)] = dumping.told
    assert (stories(path), count, dumping.dump.stories) == (3, 3, 3)
    assert path.name.startswith("parser-in-20240501120000-1-")


def test_a_full_file_is_followed_by_another(
    dumping: Dumping, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue_dump, "MAX_STORIES", 2)
    dumping.add(1, 2, 3, 4, 5)
    dumping.dump.finish()
    assert dumping.settled == [[1, 2], [3, 4], [5]]
    assert [stories(path) for path, _ in dumping.told] == [2, 2, 1]


def test_a_file_ends_by_its_size_and_by_its_age(
    dumping: Dumping, monkeypatch: pytest.MonkeyPatch
) -> None:
    dumping.add(1)
    dumping.now += timedelta(minutes=16)
    dumping.add(2)
    assert dumping.settled == [[1]]
    monkeypatch.setattr(queue_dump, "MAX_BYTES", 1)
    dumping.add(3)
    assert dumping.settled == [[1], [2]]


def test_nothing_to_dump_makes_no_file(dumping: Dumping, tmp_path: Path) -> None:
    dumping.dump.finish()
    assert ([*tmp_path.iterdir()], dumping.settled) == ([], [])


def test_what_is_no_story_is_refused_and_the_others_written(dumping: Dumping) -> None:
    dumping.add(1)
    with pytest.raises(Quarantine):
        dumping.dump.add(Delivery(2, b"nonsense"))
    dumping.add(3)
    dumping.dump.finish()
    assert dumping.settled == [[1, 3]]


def test_the_same_message_twice_is_written_twice(dumping: Dumping) -> None:
    dumping.add(1, 1)
    dumping.dump.finish()
    assert stories(dumping.told[0][0]) == 2


def test_what_was_not_finished_is_removed(dumping: Dumping, tmp_path: Path) -> None:
    def fail() -> None:
        with dumping.dump:
            dumping.add(1)
            assert [path.suffix for path in tmp_path.iterdir()] == [".tmp"]
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert ([*tmp_path.iterdir()], dumping.settled) == ([], [])


def test_two_dumps_at_once_have_files_of_their_own(tmp_path: Path) -> None:
    some, others = Dumping(tmp_path), Dumping(tmp_path)
    some.add(1)
    others.add(2)
    some.dump.finish()
    others.dump.finish()
    again = Dumping(tmp_path)
    again.add(3)
    again.dump.finish()
    assert len([*tmp_path.glob("parser-in-*.warc.gz")]) == 3
    assert sorted(path.name[:26] for path in tmp_path.iterdir()) == [
        f"parser-in-20240501120000-{serial}" for serial in (1, 2, 3)
    ]
