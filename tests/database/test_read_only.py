"""A database in a file that its user may read but not write."""

from pathlib import Path

import pytest

from indexer.database import Database, open_database
from indexer.errors import AccessDenied, StorageError
from tests.database.test_database import PACKAGE, VERSIONS, add, names
from tests.read_only import read_only


@pytest.fixture
def url(tmp_path: Path) -> str:
    """A database with a row."""
    url = f"sqlite:///{tmp_path}/x.sqlite3"
    database = open_database(url)
    database.migrate(PACKAGE, VERSIONS)
    add(database, 1, "bear")
    database.close()
    return url


def opened(url: str) -> Database:
    return open_database(url, make=False)


def test_it_is_read_and_nothing_is_written(url: str, tmp_path: Path) -> None:
    before = sorted(tmp_path.iterdir())
    with read_only(tmp_path):
        database = opened(url)
        database.check_migrated(PACKAGE, VERSIONS)
        assert names(database) == ["bear"]
    assert sorted(tmp_path.iterdir()) == before


def test_it_is_read_while_another_user_writes(url: str, tmp_path: Path) -> None:
    writer = open_database(url)
    with read_only(tmp_path):
        database = opened(url)
        assert names(database) == ["bear"]
    add(writer, 2, "ball")
    with read_only(tmp_path):
        assert names(database) == ["bear", "ball"]
    writer.close()


def test_writing_is_refused(url: str, tmp_path: Path) -> None:
    with read_only(tmp_path), pytest.raises(AccessDenied, match="you may not write this file"):
        add(opened(url), 2, "ball")


def test_changes_that_can_only_be_read_by_writing_are_explained(url: str, tmp_path: Path) -> None:
    (tmp_path / "x.sqlite3-wal").write_bytes(b"of a program that was killed")
    with read_only(tmp_path), pytest.raises(StorageError, match="has to open it first"):
        names(opened(url))


def test_a_file_that_may_not_be_read_is_explained(url: str, tmp_path: Path) -> None:
    (tmp_path / "x.sqlite3").chmod(0)
    with read_only(tmp_path), pytest.raises(StorageError, match="you may not read this file"):
        names(opened(url))
