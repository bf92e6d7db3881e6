"""Journals: appended entries are kept, unfinished lines are ignored."""

import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from indexer.errors import InputError, StorageError
from indexer.files.journal import MAX_LINE_BYTES, Journal, entries, journal
from tests.each_row import each_row

NOON = datetime(2024, 5, 1, 14, tzinfo=timezone(timedelta(hours=2)))


def noon() -> datetime:
    return NOON


def test_appended_entries_are_read_in_order_with_their_times(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with journal(path, noon) as first:
        first.append([{"n": 1}, {"n": 2}])
    with journal(path, noon) as again:
        again.append([{"n": 3}])
    when = "2024-05-01T12:00:00Z"
    assert list(entries(path)) == [{"n": n, "when": when} for n in (1, 2, 3)]


def test_time_is_that_of_the_clock_of_the_machine_without_another(tmp_path: Path) -> None:
    before = datetime.now(UTC).replace(microsecond=0)
    with journal(tmp_path / "a.jsonl") as to:
        to.append([{}])
    [entry] = entries(tmp_path / "a.jsonl")
    assert before <= datetime.fromisoformat(entry["when"]) <= datetime.now(UTC)


def test_a_missing_journal_has_no_entries(tmp_path: Path) -> None:
    assert not list(entries(tmp_path / "nothing.jsonl"))


def test_an_entry_is_on_disk_when_append_returns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, synced = tmp_path / "a.jsonl", list[bytes]()
    with journal(path) as to:
        monkeypatch.setattr(os, "fsync", lambda _: synced.append(path.read_bytes()))
        to.append([{"n": 1}])
    assert synced == [path.read_bytes()]


@each_row(
    "half",
    [
        "{",
        '{"n": 2, "url": "https://site.exa',
        '{"n": "\\',
        "\0",
        '{"n": 2, \0\0',
        '{"n": 2}\0',
        "\0" * 2 * MAX_LINE_BYTES,
    ],
)
def test_half_a_line_at_the_end_does_not_count_and_is_cut_off(tmp_path: Path, half: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"n": 1}\n' + half)
    assert list(entries(path)) == [{"n": 1}]
    with journal(path) as to:
        to.append([{"n": 3}])
    assert [entry["n"] for entry in entries(path)] == [1, 3]
    assert half not in path.read_text().splitlines()


def test_a_line_that_only_lacks_its_end_counts(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"n": 1}\n{"n": 2}')
    with journal(path) as to:
        to.append([{"n": 3}])
    assert [entry["n"] for entry in entries(path)] == [1, 2, 3]


@each_row(
    "content",
    [
        b"https://site.example/1\n",
        b"https://site.example/1",
        b'{"n": 1}\nnot json\n{"n": 2}\n',
        b"[1]\n",
        b"\0\0\0\n",
        b"\0" * MAX_LINE_BYTES + b"precious",
        b"\x1f\x8b\x08\xff\n",
        b"[" * 100_000 + b"\n",
        b'{"n": "' + b"x" * MAX_LINE_BYTES + b'"}\n',
    ],
)
def test_a_file_that_is_something_else_is_refused_and_left_alone(
    tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "precious"
    path.write_bytes(content)
    with pytest.raises(InputError, match="precious is no journal"):
        list(entries(path))
    with pytest.raises(InputError, match="precious is no journal"), journal(path):
        pass
    assert path.read_bytes() == content


def test_only_one_at_a_time_writes_it(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with journal(path), pytest.raises(InputError, match="another process"), journal(path):
        pass
    with journal(path):
        pass


def test_a_missing_directory_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"), journal(tmp_path / "no" / "a.jsonl"):
        pass


def test_a_full_disk_is_an_error() -> None:
    with Path("/dev/full").open("wb", buffering=0) as full:
        to = Journal(Path("report"), full, noon)
        with pytest.raises(StorageError, match="can't write report: No space left"):
            to.append([{}])


@contextmanager
def files_up_to(size: int) -> Iterator[None]:
    """No file of this process gets larger."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_after_half_a_line_on_a_full_disk_the_next_one_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with journal(path) as to:
        to.append([{"n": 1}])
        size = path.stat().st_size
        with files_up_to(size + 50), pytest.raises(StorageError, match="can't write"):
            to.append([{"n": 2}, {"n": 3}])
        assert path.stat().st_size == size + 50
        to.append([{"n": 4}])
    assert [entry["n"] for entry in entries(path)] == [1, 4]


def test_an_entry_that_could_not_be_read_again_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with journal(path) as to:
        with pytest.raises(StorageError, match=f"an entry has {MAX_LINE_BYTES} bytes or more"):
            to.append([{"n": 1}, {"n": "x" * MAX_LINE_BYTES}])
        to.append([{"n": "x" * (MAX_LINE_BYTES - 100)}])
    assert len(list(entries(path))) == 1
