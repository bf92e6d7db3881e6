"""Locks between processes: released by the kernel when a process ends, however it ends."""

import threading
from pathlib import Path

import pytest

from indexer.files.locks import FileLock, is_locked, locked, try_lock


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.lock"


def is_free(path: Path) -> bool:
    """Whether the lock can be taken; it is released again."""
    lock = try_lock(path)
    if lock is not None:
        lock.close()
    return lock is not None


def test_a_lock_is_held_once(path: Path) -> None:
    held = try_lock(path)
    assert held is not None
    assert try_lock(path) is None
    held.close()
    again = try_lock(path)
    assert again is not None
    again.remove()
    assert not path.exists()


def test_a_lock_on_a_removed_file_excludes_nobody(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = try_lock(path)
    assert held is not None
    real = FileLock.try_acquire

    def removed_meanwhile(lock: FileLock) -> bool:
        held.remove()
        monkeypatch.setattr(FileLock, "try_acquire", real)
        return real(lock)

    monkeypatch.setattr(FileLock, "try_acquire", removed_meanwhile)
    again = try_lock(path)
    assert again is not None
    assert path.exists()
    assert try_lock(path) is None
    again.close()


def test_one_at_a_time_has_a_locked_file(path: Path) -> None:
    with locked(path):
        assert is_locked(path)
        assert try_lock(path) is None
    assert is_free(path)


def test_a_waiting_thread_gets_the_lock_when_it_is_released(path: Path) -> None:
    first, second = FileLock(path), FileLock(path)
    order: list[str] = []

    def wait() -> None:
        with second:
            order.append("second")

    with first:
        thread = threading.Thread(target=wait)
        thread.start()
        order.append("first")
    thread.join()
    assert order == ["first", "second"]
    first.close()
    second.close()


def test_a_held_file_is_locked_for_every_process_that_looks(path: Path) -> None:
    with FileLock(path) as lock:
        assert is_locked(path)
        assert is_locked(path)
    assert not is_locked(path)
    lock.remove()
    assert not path.exists()


def test_a_file_that_is_missing_or_not_locked_is_free(path: Path) -> None:
    assert not is_locked(path)
    path.touch()
    assert not is_locked(path)


def test_a_file_that_cannot_be_opened_counts_as_locked(tmp_path: Path) -> None:
    assert is_locked(tmp_path)


def test_a_lock_can_be_removed_when_its_file_is_gone(path: Path) -> None:
    lock = try_lock(path)
    assert lock is not None
    path.unlink()
    lock.remove()
