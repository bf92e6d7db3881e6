"""SQLite files that may not be written: what can be read, and what is said where it can't."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from indexer.errors import StorageError
from indexer.files.sqlite_reading import may_write, obstacle, read_only_uri, unchanged
from tests.each_row import each_row
from tests.read_only import read_only


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file in a folder of its own, whose name has characters with a meaning in a URI."""
    made = tmp_path / "a ?#%" / "x.sqlite3"
    made.parent.mkdir()
    with closing(writer(made)) as connection:
        connection.execute("CREATE TABLE rows (number)")
    return made


def writer(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    return connection


def add(connection: sqlite3.Connection) -> None:
    connection.execute("INSERT INTO rows VALUES (1)")


def rows(path: Path) -> int:
    with closing(sqlite3.connect(read_only_uri(path), uri=True)) as connection:
        return int(connection.execute("SELECT count(*) FROM rows").fetchone()[0])


def test_a_file_that_no_program_has_open_is_read(path: Path) -> None:
    with read_only(path.parent):
        assert not may_write(path)
        with unchanged(path):
            assert rows(path) == 0
        assert obstacle(path) == "you may not write this file"
    assert may_write(path)
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_a_file_is_read_while_another_program_writes_it(path: Path) -> None:
    with closing(writer(path)) as other:
        for number in range(3):
            with read_only(path.parent), unchanged(path):
                assert rows(path) == number
            add(other)
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        with read_only(path.parent), unchanged(path):
            assert rows(path) == 3


def killed(path: Path, *missing: str) -> None:
    """Leave the files of a writer that was killed, without some of them."""
    copies = {}
    with closing(writer(path)) as other:
        add(other)
        for each in path.parent.iterdir():
            copies[each] = each.read_bytes()
    for each, content in copies.items():
        if not each.name.endswith(missing):
            each.write_bytes(content)


def test_the_last_changes_of_a_writer_that_was_killed_are_read(path: Path) -> None:
    killed(path, "none")
    with read_only(path.parent):
        assert rows(path) == 1


def test_changes_that_can_only_be_read_by_writing_are_explained(path: Path) -> None:
    killed(path, "-shm")
    with read_only(path.parent):
        with pytest.raises(sqlite3.OperationalError):
            rows(path)
        assert "last changes are in x.sqlite3-wal" in obstacle(path)


@each_row(
    "make",
    [
        lambda path: path.with_name(f"{path.name}-wal").touch(),
        lambda path: path.with_name(f"{path.name}-shm").touch(),
    ],
)
def test_an_empty_rest_of_a_writer_is_no_obstacle(path: Path, make: Callable[[Path], None]) -> None:
    make(path)
    with read_only(path.parent):
        assert rows(path) == 0


def test_a_file_that_may_not_be_read_is_explained(path: Path) -> None:
    path.chmod(0)
    with read_only(path.parent):
        assert obstacle(path) == "you may not read this file"


def test_a_file_that_changes_while_it_is_read_is_an_error(path: Path) -> None:
    reading = unchanged(path)
    reading.__enter__()
    with closing(writer(path)) as other:
        add(other)
    with pytest.raises(StorageError, match="run the command again"):
        reading.__exit__(None, None, None)
