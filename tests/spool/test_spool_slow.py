"""Spools of processes that are killed."""

import multiprocessing
import os
import signal
from collections.abc import Callable

from indexer.spool import Spool
from indexer.spool.spool import REMEMBER_SECONDS
from tests.spool.conftest import Work, numbered, put
from tests.spool.stores import Failing

fork = multiprocessing.get_context("fork")


def in_a_process_that_is_killed(act: Callable[[], object]) -> None:
    def run() -> None:
        act()
        os.kill(os.getpid(), signal.SIGKILL)

    process = fork.Process(target=run)
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL


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


def test_the_names_that_are_remembered_are_bounded(work: Work) -> None:
    spool = work.spool(keep=False)
    for _ in range(150):
        spool.discard(spool.create(numbered))
    assert len((work.directory / "spool" / "names").read_text().split()) <= 102


def test_items_of_an_adopted_file_are_remembered_for_a_day(work: Work) -> None:
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


def test_an_added_store_gets_the_waiting_files(work: Work) -> None:
    in_a_process_that_is_killed(lambda: put(work.spool()))
    third = Failing(work.directory.parent / "third")
    spool = Spool(work.directory, {"third": third})
    spool.adopt()
    spool.deliver(0)
    assert third.puts == ["2024/file-1"]
