"""Files on their way: none is lost, none is made twice, whatever fails."""

import multiprocessing
import os
import signal
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from indexer.errors import AccessDenied, ConfigurationError, StorageError
from indexer.spool import Manifest, Spool
from indexer.spool.spool import REMEMBER_SECONDS
from tests.blobstore.objects import keys
from tests.clock import Clock
from tests.spool.stores import Failing

fork = multiprocessing.get_context("fork")


def numbered(serial: int) -> str:
    return f"file-{serial}"


class Work:
    """A work directory, its stores, and the spools that processes have opened on it."""

    def __init__(self, root: Path, clock: Clock) -> None:
        self.directory = root / "work"
        self.first, self.second = Failing(root / "first"), Failing(root / "second")
        self.clock = clock
        self.delivered: list[tuple[str, Manifest]] = []

    def spool(self, *, keep: bool = True) -> Spool:
        """Open it as a process does that starts."""
        return Spool(
            self.directory,
            {"first": self.first, "second": self.second},
            keep=keep,
            delivered=lambda name, manifest: self.delivered.append((name, manifest)),
            clock=self.clock.time,
            sleep=self.clock.sleep,
        )

    def files(self) -> list[str]:
        """What is in the directory, but the list of names."""
        found = (each for each in self.directory.rglob("*") if each.is_file())
        names = [str(each.relative_to(self.directory)) for each in found]
        return sorted(name for name in names if name != "spool/names")

    def stored(self) -> list[dict[str, bytes]]:
        """The objects of both stores."""
        return [
            {key: store.open(key).read() for key in keys(store)}
            for store in (self.first, self.second)
        ]


@pytest.fixture
def work(tmp_path: Path, clock: Clock) -> Work:
    return Work(tmp_path, clock)


def put(spool: Spool, content: bytes = b"content", items: Sequence[str] = ("a", "b")) -> str:
    """Write and seal a file."""
    aside = spool.create(numbered)
    aside.file.write(content)
    aside.finish()
    spool.seal(aside, f"2024/{aside.name}", items)
    return aside.name


def in_a_process_that_is_killed(act: Callable[[], object]) -> None:
    def run() -> None:
        act()
        os.kill(os.getpid(), signal.SIGKILL)

    process = fork.Process(target=run)
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL


def test_a_file_comes_to_every_store(work: Work) -> None:
    spool = work.spool()
    put(spool)
    spool.deliver(0)
    assert work.stored() == [{"2024/file-1": b"content"}] * 2
    ((name, manifest),) = work.delivered
    assert (name, manifest.size, manifest.items) == ("file-1", 7, ["a", "b"])
    assert [url.rpartition("/2024/")[2] for url in manifest.stores.values()] == ["file-1"] * 2


@pytest.mark.parametrize(("keep", "left"), [(True, ["file-1"]), (False, [])])
def test_what_is_settled_leaves_a_copy_or_nothing(work: Work, keep: bool, left: list[str]) -> None:
    spool = work.spool(keep=keep)
    put(spool)
    spool.deliver(0)
    assert work.files() == [*left, "spool/file-1.json", "spool/file-1.lock"]
    spool.forget()
    assert work.files() == left


def test_what_is_not_delivered_is_not_forgotten(work: Work) -> None:
    spool = work.spool()
    put(spool)
    spool.forget()
    spool.deliver(0)
    assert work.stored() == [{"2024/file-1": b"content"}] * 2


def test_a_failing_upload_is_tried_again_with_growing_pauses(work: Work) -> None:
    work.second.failures = 4
    spool = work.spool()
    put(spool)
    before = work.clock.seconds
    spool.deliver(60)
    assert work.clock.seconds - before == 1 + 2 + 4 + 8
    assert (len(work.first.puts), len(work.second.puts)) == (1, 5)
    assert len(work.delivered) == 1


def test_patience_ends_and_the_file_stays(work: Work) -> None:
    work.second.failures = 1000
    spool = work.spool(keep=False)
    put(spool)
    before = work.clock.seconds
    with pytest.raises(StorageError, match="out of order"):
        spool.deliver(300)
    assert work.clock.seconds - before == 300
    assert "file-1" in work.files()
    assert work.delivered == []


def test_one_store_that_fails_does_not_keep_a_file_from_the_others(work: Work) -> None:
    work.first.failures = 1000
    spool = work.spool()
    put(spool)
    with pytest.raises(StorageError):
        spool.deliver(0)
    assert work.stored() == [{}, {"2024/file-1": b"content"}]


def test_without_access_there_is_nothing_to_wait_for(work: Work) -> None:
    work.first.failures, work.first.error = 1, AccessDenied
    spool = work.spool()
    put(spool)
    before = work.clock.seconds
    with pytest.raises(AccessDenied):
        spool.deliver(300)
    assert work.clock.seconds == before


def test_what_a_process_left_is_delivered_by_the_next(work: Work) -> None:
    work.second.failures = 1
    spool = work.spool()
    put(spool)
    with pytest.raises(StorageError):
        spool.deliver(0)
    spool.close()

    spool = work.spool()
    assert "a" not in spool
    spool.adopt()
    assert "a" in spool
    spool.deliver(0)
    assert work.stored() == [{"2024/file-1": b"content"}] * 2
    assert len(work.first.puts) == 1


def test_an_unfinished_file_of_a_process_that_was_killed_is_dropped(work: Work) -> None:
    in_a_process_that_is_killed(lambda: work.spool().create(numbered).file.write(b"half"))
    assert "file-1.tmp" in work.files()
    spool = work.spool()
    spool.adopt()
    assert work.files() == []


def test_a_finished_file_of_a_process_that_was_killed_is_delivered(work: Work) -> None:
    in_a_process_that_is_killed(lambda: put(work.spool()))
    spool = work.spool()
    spool.adopt()
    spool.deliver(0)
    assert work.stored() == [{"2024/file-1": b"content"}] * 2
    assert "b" in spool


def test_files_of_living_processes_are_left_alone(work: Work) -> None:
    one, other = work.spool(), work.spool()
    half = one.create(numbered)
    put(one)
    other.adopt()
    other.deliver(0)
    assert work.stored() == [{}, {}]
    assert "a" not in other
    half.file.write(b"still mine")
    one.deliver(0)
    assert len(work.delivered) == 1


def test_two_processes_give_no_name_twice(work: Work) -> None:
    one, other = work.spool(keep=False), work.spool(keep=False)
    names = []
    for spool in (one, other, work.spool(keep=False)):
        for _ in range(3):
            names.append(put(spool))
            spool.deliver(0)
            spool.forget()
    assert len(set(names)) == 9
    assert sorted(work.stored()[0]) == sorted(f"2024/{name}" for name in names)


def test_the_names_that_are_remembered_are_bounded(work: Work) -> None:
    spool = work.spool(keep=False)
    for _ in range(150):
        spool.discard(spool.create(numbered))
    assert len((work.directory / "spool" / "names").read_text().split()) <= 102


def test_what_was_in_a_file_is_remembered_for_a_day(work: Work) -> None:
    def deliver() -> None:
        spool = work.spool()
        put(spool)
        spool.deliver(0)

    in_a_process_that_is_killed(deliver)
    spool = work.spool()
    spool.adopt()
    work.clock.sleep(REMEMBER_SECONDS - 1)
    spool.forget()
    assert "a" in spool
    work.clock.sleep(2)
    spool.forget()
    assert "a" not in spool
    assert work.files() == ["file-1"]


def test_a_file_that_was_damaged_before_it_was_delivered_is_made_again(work: Work) -> None:
    in_a_process_that_is_killed(lambda: put(work.spool()))
    (work.directory / "file-1").write_bytes(b"c0ntent")
    spool = work.spool()
    spool.adopt()
    spool.deliver(0)
    assert "a" not in spool
    assert work.stored() == [{}, {}]
    assert work.files() == ["file-1.damaged"]


def test_a_file_that_vanished_before_it_was_delivered_is_made_again(work: Work) -> None:
    in_a_process_that_is_killed(lambda: put(work.spool()))
    (work.directory / "file-1").unlink()
    spool = work.spool()
    spool.adopt()
    spool.deliver(0)
    assert "a" not in spool
    assert work.files() == []


def test_a_store_that_was_added_gets_what_waits(work: Work) -> None:
    in_a_process_that_is_killed(lambda: put(work.spool()))
    third = Failing(work.directory.parent / "third")
    spool = Spool(work.directory, {"third": third})
    spool.adopt()
    spool.deliver(0)
    assert third.puts == ["2024/file-1"]


def test_what_is_discarded_leaves_nothing(work: Work) -> None:
    spool = work.spool()
    aside = spool.create(numbered)
    aside.file.write(b"half")
    spool.discard(aside)
    assert work.files() == []


def test_a_directory_that_can_not_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigurationError, match="can't use"):
        Spool(tmp_path / "file" / "work", {})
