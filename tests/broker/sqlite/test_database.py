"""The file of the embedded broker: those of older formats are changed in place."""

import os
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from indexer.broker.sqlite.broker import SQLiteBroker
from indexer.broker.sqlite.database import FORMAT, QueueDatabase
from indexer.errors import BrokerError, ConfigurationError
from indexer.files.locks import FileLock
from indexer.messages.message import Send
from indexer.messages.pipelines import Pipeline, Step
from indexer.messages.topology import Binding, Destination, Topology
from tests.broker.conftest import bodies
from tests.paths import DATA

PIPELINE = Pipeline("old", [Step("a", to=["b"]), Step("b")])


@pytest.fixture
def old_file(path: Path) -> Path:
    """A file of format 1, with a message that a consumer holds."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((DATA / "queues/format-1.sql").read_text())
    return path


@pytest.fixture
def old_consumer(path: Path) -> Iterator[FileLock]:
    """The consumer of an older version that holds the message: the lock by which it is alive."""
    directory = path.with_name(f"{path.name}-consumers")
    directory.mkdir()
    lock = FileLock(directory / "1")
    lock.acquire()
    yield lock
    lock.close()


def test_an_old_file_has_the_tables_of_a_new_one(old_file: Path, tmp_path: Path) -> None:
    new_file = tmp_path / "new.sqlite3"
    schemas = []
    for path in (old_file, new_file):
        SQLiteBroker(path).close()
        with closing(sqlite3.connect(path)) as file:
            assert file.execute("PRAGMA user_version").fetchone() == (FORMAT,)
            schemas.append({*file.execute("SELECT name, sql FROM sqlite_master").fetchall()})
    assert schemas[0] == schemas[1]


def of_old() -> float:
    """A time before the delayed message of the old file is due."""
    return 1_800_000_100.0


def test_the_messages_of_an_old_file_are_kept(old_file: Path) -> None:
    with closing(SQLiteBroker(old_file, of_old)) as broker:
        assert broker.declared(PIPELINE.compile()) == [
            "no queue b-delay-short",
            "no queue b-delay-long",
        ]
        consumer = broker.consume("b-in", 1)
        first = consumer.receive(1)
        assert first
        # Its consumer is dead: this is the second delivery.
        assert (first.body, first.headers, first.deliveries) == (b"first", {"x-mc-retries": 2}, 2)
        consumer.close()
        [_, second, third] = broker.peek("b-in", 9)
        assert (second.body, second.headers) == (b"second", {"text": "Ελλάδα"})
        assert (third.body, third.key) == (b"third\x00\xff", "other")
        assert bodies(broker, "b-quar", 1) == [b"aside"]
        assert broker.depth("b-delay") == (1, 0, 0, 5)
    with closing(SQLiteBroker(old_file, lambda: 1_800_003_601.0)) as broker:
        assert broker.depth("b-delay") == (0, 0, 0, 0)


def test_a_message_that_an_older_program_holds_is_still_its_own(
    old_file: Path, old_consumer: FileLock
) -> None:
    with closing(SQLiteBroker(old_file, of_old)) as broker:
        assert [each.body for each in broker.peek("b-in", 9)] == [b"second", b"third\x00\xff"]
        depth = broker.depth("b-in")
        assert depth
        assert (depth.ready, depth.unsettled, depth.consumers) == (2, 1, 1)
        old_consumer.close()
    # A new one looks at once which consumers are alive.
    with closing(SQLiteBroker(old_file, of_old)) as broker:
        assert bodies(broker, "b-in", 3) == [b"first", b"second", b"third\x00\xff"]


@pytest.mark.parametrize("left", [b"", "tables dropped"])
def test_a_file_that_lost_its_queues_is_refused_and_not_changed(
    path: Path, left: bytes | str
) -> None:
    SQLiteBroker(path).close()
    if left == b"":
        path.write_bytes(b"")
    else:
        path.unlink()
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
            connection.execute("PRAGMA journal_mode = WAL")
    before = path.read_bytes()
    log = path.with_name(f"{path.name}-wal")
    log.write_bytes(b"all messages")
    for _ in range(2):
        with pytest.raises(ConfigurationError, match="is empty, but had queues: replace it by"):
            SQLiteBroker(path)
    assert path.read_bytes() == before
    assert left or log.read_bytes() == b"all messages"


def test_a_deleted_file_is_made_anew_also_after_a_kill(path: Path) -> None:
    SQLiteBroker(path).close()
    path.unlink()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("indexer.broker.sqlite.database._upgrade", _killed)
        with pytest.raises(KeyboardInterrupt):
            SQLiteBroker(path)
    with closing(SQLiteBroker(path)) as broker:
        broker.declare(PIPELINE.compile())
        assert broker.declared(PIPELINE.compile()) == []


def test_the_mark_of_a_file_with_queues_may_be_another_users(path: Path) -> None:
    SQLiteBroker(path).close()
    mark = path.with_name(f"{path.name}-consumers") / "made"
    os.utime(mark, (1000, 1000))
    SQLiteBroker(path).close()
    assert mark.stat().st_mtime == 1000


def _killed(*_: object) -> None:
    raise KeyboardInterrupt


def test_programs_that_start_at_once_share_a_new_file(path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        for broker in pool.map(SQLiteBroker, [path] * 16):
            broker.close()


def test_an_error_on_a_full_disk_says_so(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = SimpleNamespace(free=4096)
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage)
    with closing(SQLiteBroker(path)) as broker:
        with pytest.raises(BrokerError, match=r"disk I/O error: the disk is full$"):
            _fail(broker)
        usage.free = 1 << 30
        with pytest.raises(BrokerError, match=r"disk I/O error$"):
            _fail(broker)


def _fail(broker: SQLiteBroker) -> None:
    with broker._database.transaction(durable=True):
        raise sqlite3.OperationalError("disk I/O error")


def test_an_old_file_takes_new_bindings(old_file: Path) -> None:
    with closing(SQLiteBroker(old_file, of_old)) as broker:
        bound = [Binding("all", "a-out", "x", Destination.EXCHANGE)]
        broker.declare(Topology(exchanges=["all"], bindings=bound))
        broker.publish([Send("all", "x", b"new")])
        assert b"new" in {delivery.body for delivery in broker.peek("b-in", 9)}


def test_deleted_messages_are_not_overwritten_in_the_file(path: Path) -> None:
    with closing(QueueDatabase(path)) as database, database.reading() as connection:
        assert connection.execute("PRAGMA secure_delete").fetchone() == (0,)
