"""Locks of processes that are killed or forked."""

import multiprocessing
import os
import signal
from pathlib import Path

from indexer.files.locks import is_locked, try_lock
from tests.files.test_locks import is_free

fork = multiprocessing.get_context("fork")


def test_a_process_that_is_killed_holds_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.lock"

    def hold() -> None:
        held = try_lock(path)
        os.kill(os.getpid(), signal.SIGKILL if held else signal.SIGTERM)

    process = fork.Process(target=hold)
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    assert path.exists()
    assert is_free(path)


def test_a_forked_child_does_not_keep_the_locks_of_its_parent(tmp_path: Path) -> None:
    path = tmp_path / "a.lock"
    held = try_lock(path)
    assert held is not None
    started, end = fork.Event(), fork.Event()

    def live() -> None:
        started.set()
        end.wait()

    child = fork.Process(target=live)
    child.start()
    started.wait()
    assert not is_free(path)
    held.close()
    free = is_free(path)
    end.set()
    child.join()
    assert free


def test_a_forked_child_leaves_the_locks_with_its_parent(tmp_path: Path) -> None:
    path = tmp_path / "a.lock"
    held = try_lock(path)
    assert held is not None
    child = fork.Process(target=lambda: None)
    child.start()
    child.join()
    assert is_locked(path)
    held.close()
