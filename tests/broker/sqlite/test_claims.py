"""Locks that tell who lives."""

import threading
from pathlib import Path

from indexer.broker.sqlite.claims import ProofOfLife, Turn, lives


def test_who_holds_the_file_lives(tmp_path: Path) -> None:
    path = tmp_path / "new" / "1"
    proof = ProofOfLife(path)
    assert lives(path)
    assert lives(path)
    proof.end()
    assert not lives(path)
    assert not path.exists()


def test_a_file_that_is_not_locked_is_of_the_dead(tmp_path: Path) -> None:
    (tmp_path / "1").touch()
    assert not lives(tmp_path / "1")
    assert not lives(tmp_path / "2")


def test_what_cannot_be_looked_at_counts_as_alive(tmp_path: Path) -> None:
    assert lives(tmp_path)


def test_the_end_comes_even_if_the_file_is_gone(tmp_path: Path) -> None:
    proof = ProofOfLife(tmp_path / "1")
    (tmp_path / "1").unlink()
    proof.end()


def test_one_has_the_turn_at_a_time(tmp_path: Path) -> None:
    first, second = Turn(tmp_path / "turn"), Turn(tmp_path / "turn")
    order: list[str] = []

    def wait() -> None:
        with second:
            order.append("second")

    with first:
        thread = threading.Thread(target=wait)
        thread.start()
        thread.join(0.1)
        order.append("first")
    thread.join()
    assert order == ["first", "second"]
    first.close()
    second.close()
