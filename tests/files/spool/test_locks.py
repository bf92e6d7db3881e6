"""Lock files: held while a process lives, and no longer."""

import multiprocessing
import os
import signal
from pathlib import Path

from indexer.files.spool.locks import Lock, locked

fork = multiprocessing.get_context("fork")


def test_a_lock_is_held_once(tmp_path: Path) -> None:
    path = tmp_path / "a.lock"
    held = Lock.take(path)
    assert held is not None
    assert Lock.take(path) is None
    held.release()
    again = Lock.take(path)
    assert again is not None
    again.drop()
    assert not path.exists()


def test_a_process_that_is_killed_holds_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.lock"

    def hold() -> None:
        assert Lock.take(path) is not None
        os.kill(os.getpid(), signal.SIGKILL)

    process = fork.Process(target=hold)
    process.start()
    process.join()
    assert path.exists()
    assert Lock.take(path) is not None


def test_one_at_a_time_has_a_locked_file(tmp_path: Path) -> None:
    path = tmp_path / "names"
    with locked(path) as file:
        file.write(b"a")
        assert Lock.take(path) is None
    assert path.read_bytes() == b"a"
    assert Lock.take(path) is not None
