"""Databases of both kinds, and their common promises."""

import fcntl
import sqlite3
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import IO

import pytest
from sqlalchemy import Column, Integer, MetaData, String, Table, select, text

from indexer.database import Database, open_database
from indexer.errors import ConfigurationError, StorageError
from tests.each_row import each_row
from tests.patience import PATIENCE

PACKAGE, VERSIONS = "tests.toy.migrations", "toy_version"

toys = Table("toys", MetaData(), Column("id", Integer, primary_key=True), Column("name", String))


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """A database with a table."""
    opened = open_database(database_url)
    opened.migrate(PACKAGE, VERSIONS)
    yield opened
    opened.close()


def names(database: Database) -> list[str | None]:
    with database.reading() as connection:
        return [*connection.scalars(select(toys.c.name).order_by(toys.c.id))]


def add(database: Database, id: int, name: str) -> None:
    with database.writing() as connection:
        connection.execute(toys.insert(), {"id": id, "name": name})


def test_migrations_make_the_tables_and_change_nothing_the_second_time(database: Database) -> None:
    add(database, 1, "bear")
    database.migrate(PACKAGE, VERSIONS)
    assert names(database) == ["bear"]
    with database.reading() as connection:
        assert [*connection.scalars(text("SELECT version_num FROM toy_version"))] == ["2"]


def test_writers_of_a_file_wait_for_their_turn_however_long_it_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("indexer.database.BUSY_SECONDS", 0)
    url, waits, lock = f"sqlite:///{tmp_path}/x.sqlite3", threading.Event(), fcntl.flock

    def locked(file: IO[bytes], operation: int) -> None:
        waits.set()
        lock(file, operation)

    with closing(open_database(url)) as one, closing(open_database(url)) as other:
        one.migrate(PACKAGE, VERSIONS)
        with ThreadPoolExecutor(1) as pool:
            with one.writing() as connection:
                monkeypatch.setattr(fcntl, "flock", locked)
                second = pool.submit(add, other, 2, "bear")
                assert waits.wait(PATIENCE)
                connection.execute(toys.insert(), {"id": 1, "name": "ball"})
            second.result()
        assert names(one) == ["ball", "bear"]


def test_programs_that_start_at_once_make_the_tables_once(database_url: str) -> None:
    def start(_: int) -> list[str | None]:
        opened = open_database(database_url)
        opened.migrate(PACKAGE, VERSIONS)
        found = names(opened)
        opened.close()
        return found

    with ThreadPoolExecutor(4) as pool:
        assert [*pool.map(start, range(4))] == [[]] * 4


def test_the_tables_of_a_newer_program_are_left_alone(database: Database) -> None:
    with database.writing() as connection:
        connection.execute(text("UPDATE toy_version SET version_num = '99'"))
    with pytest.raises(ConfigurationError, match="may be too old"):
        database.migrate(PACKAGE, VERSIONS)


def test_a_migration_that_fails_changes_nothing(database_url: str) -> None:
    opened = open_database(database_url)
    with opened.writing() as connection:
        connection.execute(text("CREATE TABLE labels (id INTEGER)"))
    with pytest.raises(StorageError, match="labels"):
        opened.migrate(PACKAGE, VERSIONS)
    with pytest.raises(StorageError, match="toys"):
        names(opened)
    opened.close()


def test_a_transaction_that_fails_changes_nothing(database: Database) -> None:
    def fail() -> None:
        with database.writing() as connection:
            connection.execute(toys.insert(), {"id": 1, "name": "bear"})
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert names(database) == []


def test_a_reading_transaction_sees_one_state_and_blocks_no_writer(database: Database) -> None:
    add(database, 1, "bear")
    with database.reading() as connection:
        found = connection.scalars(select(toys.c.name).execution_options(yield_per=1))
        add(database, 2, "duck")
        assert [*found] == ["bear"]
        assert [*connection.scalars(select(toys.c.name))] == ["bear"]


@pytest.mark.external
def test_a_reading_transaction_cannot_write(postgresql_url: str) -> None:
    opened = open_database(postgresql_url)
    with pytest.raises(StorageError, match="read-only"), opened.reading() as connection:
        connection.execute(text("CREATE TABLE toys (id INTEGER)"))
    opened.close()


def test_writers_wait_for_each_other(database: Database) -> None:
    begun = threading.Barrier(4, timeout=PATIENCE)

    def write(number: int) -> None:
        begun.wait()
        with database.writing() as connection:
            insert = database.insert(toys).values(id=1, name="1")
            longer = {"name": toys.c.name + "1"}
            connection.execute(insert.on_conflict_do_update(index_elements=["id"], set_=longer))

    with ThreadPoolExecutor(4) as pool:
        assert [*pool.map(write, range(4))] == [None] * 4
    assert names(database) == ["1111"]


def test_an_error_says_which_database_and_no_data(database: Database) -> None:
    add(database, 1, "secret")
    with pytest.raises(StorageError) as raised:
        add(database, 1, "secret")
    assert str(raised.value).startswith(str(database))
    assert "secret" not in str(raised.value)


@each_row(
    ("url", "says"),
    [
        ("", "sqlite:///FILE or postgresql://"),
        ("pipeview", "not the URL of a database"),
        ("mysql://user:hunter2@host/db", "no database for 'mysql'"),
        ("postgresql://user:hunter2@host:port/db", "not the URL of a database"),
        ("sqlite://", "has to be in a file"),
        ("sqlite:///:memory:", "has to be in a file"),
        ("sqlite:////dev/null/sub/x.sqlite3", "can't use"),
    ],
)
def test_a_url_that_cannot_work_is_said_without_its_password(url: str, says: str) -> None:
    with pytest.raises(ConfigurationError, match=says) as raised:
        open_database(url)
    assert "hunter2" not in str(raised.value)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://user:hunter2@127.0.0.1:9/db",
        "postgresql+psycopg://user:hunter2@127.0.0.1:9/db?sslmode=disable",
        "postgres://user@127.0.0.1:9/db?password=hunter2",
    ],
)
def test_a_server_that_is_away_is_said_without_the_password(url: str) -> None:
    opened = open_database(url)
    with pytest.raises(StorageError, match=r"@127\.0\.0\.1:9/db: ") as raised:
        names(opened)
    assert "hunter2" not in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_file_that_is_no_database_is_said(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("these are notes, and not a database at all\n" * 100)
    with pytest.raises(StorageError, match="not a database"):
        names(open_database(f"sqlite:///{file}"))
    assert file.read_text().startswith("these are notes")


@pytest.mark.external
def test_a_statement_takes_no_longer_than_it_may(postgresql_url: str) -> None:
    opened = open_database(postgresql_url)

    def sleep() -> None:
        with opened.reading(seconds=0.05) as connection:
            connection.execute(text("SELECT pg_sleep(60)"))

    # Between two statements the limit ends the transaction, if the test is that slow.
    with pytest.raises(StorageError, match=r"statement timeout|terminating connection|closed"):
        sleep()
    opened.close()


@pytest.mark.external
def test_an_idle_reading_transaction_ends_after_its_time(
    postgresql_url: str,
) -> None:
    opened = open_database(postgresql_url)
    gone = text("SELECT count(*) = 0 FROM pg_stat_activity WHERE pid = :pid")

    def dawdle() -> None:
        with opened.reading(seconds=0.05) as connection:
            pid = connection.scalars(text("SELECT pg_backend_pid()")).one()
            deadline = time.monotonic() + PATIENCE
            while time.monotonic() < deadline:
                with opened.writing() as other:
                    if other.scalars(gone, {"pid": pid}).one():
                        break
                time.sleep(0.05)
            connection.execute(text("SELECT 1"))

    with pytest.raises(StorageError, match=r"terminating connection|closed"):
        dawdle()
    opened.close()


def test_a_missing_file_is_not_made_without_make(tmp_path: Path) -> None:
    file = tmp_path / "new" / "toys.sqlite3"
    with pytest.raises(ConfigurationError, match=r"there is no database .*toys\.sqlite3"):
        open_database(f"sqlite:///{file}", make=False)
    assert not file.parent.exists()


def test_tables_are_looked_at_and_not_made(database_url: str) -> None:
    opened = open_database(database_url)
    with pytest.raises(ConfigurationError, match="tables are missing"):
        opened.check_migrated(PACKAGE, VERSIONS)
    with pytest.raises(StorageError, match="toys"):
        names(opened)
    opened.migrate(PACKAGE, VERSIONS)
    opened.check_migrated(PACKAGE, VERSIONS)
    with opened.writing() as connection:
        connection.execute(text("UPDATE toy_version SET version_num = '1'"))
    with pytest.raises(ConfigurationError, match="have another version"):
        opened.check_migrated(PACKAGE, VERSIONS)
    opened.close()


@pytest.mark.external
def test_an_old_postgresql_is_refused(postgresql_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("indexer.database.OLDEST_POSTGRESQL", 999)
    with pytest.raises(ConfigurationError, match="PostgreSQL 999 or newer"):
        open_database(postgresql_url).migrate(PACKAGE, VERSIONS)


def test_on_sqlite_others_may_read_the_file_too(tmp_path: Path) -> None:
    opened = open_database(f"sqlite:///{tmp_path / 'toys.sqlite3'}")
    opened.migrate(PACKAGE, VERSIONS)
    add(opened, 1, "bear")
    opened.close()
    other = sqlite3.connect(tmp_path / "toys.sqlite3")
    assert other.execute("SELECT name FROM toys").fetchall() == [("bear",)]
    other.close()


@pytest.mark.external
def test_one_transaction_holds_a_lock_until_it_ends(postgresql_url: str) -> None:
    one, other = open_database(postgresql_url), open_database(postgresql_url)
    with one.writing() as first, other.writing() as second:
        assert one.try_lock(first, "name")
        assert not other.try_lock(second, "name")
        assert other.try_lock(second, "another name")
    with other.writing() as second:
        assert other.try_lock(second, "name")
    one.close()
    other.close()
