"""The embedded broker, beyond the promises of every broker."""

import gc
import sqlite3
import weakref
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from indexer.broker.sqlite.broker import SQLiteBroker
from indexer.broker.sqlite.database import QueueDatabase
from indexer.errors import BrokerError, ConfigurationError
from indexer.messages.message import Send
from indexer.messages.topology import Queue, Topology
from tests.broker.sqlite.conftest import TOPOLOGY
from tests.clock import Clock
from tests.each_row import each_row


def ready(broker: SQLiteBroker, queue: str) -> int:
    depth = broker.depth(queue)
    assert depth
    return depth.ready


@each_row("url", ["sqlite:", "sqlite://", "sqlite:///", "sqlite://user:secret@host/q"])
def test_a_url_without_a_path_is_refused(url: str) -> None:
    with pytest.raises(ConfigurationError, match="three slashes") as caught:
        SQLiteBroker.open(url)
    assert "secret" not in str(caught.value)


def test_a_relative_path_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    SQLiteBroker.open("sqlite:///new/folder/q.sqlite3").close()
    assert (tmp_path / "new/folder/q.sqlite3").exists()


def test_a_database_of_something_else_is_refused(path: Path) -> None:
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE documents (id)")
    with pytest.raises(ConfigurationError, match="not of queues"):
        SQLiteBroker(path)


def test_a_file_of_another_format_is_refused(path: Path, broker: SQLiteBroker) -> None:
    with sqlite3.connect(path) as other:
        other.execute("PRAGMA user_version = 99")
    with pytest.raises(ConfigurationError, match="format 99"):
        SQLiteBroker(path)


def test_a_file_that_is_no_database_is_an_error(path: Path) -> None:
    path.write_text("no database, but a text that is long enough" * 100)
    with pytest.raises(BrokerError, match="not a database"):
        SQLiteBroker(path)


def test_a_place_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ConfigurationError, match="can't use"):
        SQLiteBroker(tmp_path / "file" / "queues.sqlite3")


def test_settings_of_a_queue_can_be_changed(broker: SQLiteBroker) -> None:
    changed = Topology([Queue("in", dead_letter="delay", delivery_limit=3)])
    assert broker.declared(changed) == ["queue in has other settings"]
    broker.declare(changed)
    assert broker.declared(changed) == []


def test_returned_messages_keep_their_place_and_count_if_they_were_received(
    broker: SQLiteBroker,
) -> None:
    broker.publish(Send("", "in", b"%d" % number) for number in range(5))
    consumer = broker.consume("in", 3)
    held = [consumer.receive(0), consumer.receive(0)]
    assert held[1]
    consumer.settle([held[1]])
    consumer.close()
    again = broker.consume("in", 9)
    came = [delivery for _ in range(9) if (delivery := again.receive(0))]
    assert [(d.body, d.deliveries) for d in came] == [(b"0", 2), (b"2", 1), (b"3", 1), (b"4", 1)]


def test_messages_that_were_never_received_are_never_dead_lettered(broker: SQLiteBroker) -> None:
    broker.publish([Send("", "in", b"first"), Send("", "in", b"behind it")])
    for _ in range(21):
        consumer = broker.consume("in", 2)
        assert consumer.receive(0)
        consumer.close()
    assert (ready(broker, "quar"), ready(broker, "in")) == (1, 1)
    last = broker.consume("in", 2).receive(0)
    assert last
    assert (last.body, last.deliveries) == (b"behind it", 1)


def test_closed_consumers_take_no_memory(broker: SQLiteBroker) -> None:
    references = []
    for _ in range(3):
        consumer = broker.consume("in", 1)
        references.append(weakref.ref(consumer))
        consumer.close()
    del consumer
    broker.consume("in", 1)
    gc.collect()
    assert [reference() for reference in references] == [None] * 3


def test_an_output_that_cannot_be_sent_undoes_the_others(broker: SQLiteBroker) -> None:
    broker.publish([Send("", "in", b"input")])
    consumer = broker.consume("in", 1)
    delivery = consumer.receive(0)
    assert delivery
    with pytest.raises(BrokerError):
        consumer.settle([delivery], [Send("", "quar", b"fine"), Send("", "nowhere", b"")])
    assert ready(broker, "quar") == 0
    consumer.settle([delivery], [Send("", "quar", b"fine")])
    assert ready(broker, "quar") == 1


def test_a_message_of_a_deleted_queue_cannot_be_settled(broker: SQLiteBroker) -> None:
    broker.publish([Send("", "in", b"input")])
    consumer = broker.consume("in", 1)
    delivery = consumer.receive(0)
    assert delivery
    broker.delete(Topology([Queue("in")]))
    with pytest.raises(BrokerError, match="can't be settled"):
        consumer.settle([delivery], [Send("", "quar", b"output")])
    assert ready(broker, "quar") == 0


def test_a_settlement_takes_the_next_messages_in_its_transaction(
    broker: SQLiteBroker, monkeypatch: pytest.MonkeyPatch
) -> None:
    broker.publish([Send("", "in", b"%d" % number) for number in range(6)])
    consumer = broker.consume("in", prefetch=2)
    held = [delivery for _ in range(2) if (delivery := consumer.receive(0))]
    transaction, begun = QueueDatabase.transaction, list[bool]()

    def counted(
        self: QueueDatabase, *, durable: bool
    ) -> AbstractContextManager[sqlite3.Connection]:
        begun.append(durable)
        return transaction(self, durable=durable)

    monkeypatch.setattr(QueueDatabase, "transaction", counted)
    consumer.settle(held)
    assert [each.body for _ in range(2) if (each := consumer.receive(0))] == [b"2", b"3"]
    assert begun == [True]
    assert ready(broker, "in") == 2


def test_a_long_delay_ends_when_the_clock_says_so(path: Path, clock: Clock) -> None:
    broker = SQLiteBroker(path, clock)
    broker.declare(TOPOLOGY)
    broker.publish([Send("", "delay", b"x", delay=3600)])
    clock.sleep(3599)
    assert (ready(broker, "delay"), ready(broker, "in")) == (1, 0)
    clock.sleep(2)
    assert (ready(broker, "delay"), ready(broker, "in")) == (0, 1)


def test_a_delay_where_nothing_is_dead_lettered_loses_nothing(broker: SQLiteBroker) -> None:
    broker.publish([Send("", "quar", b"x", delay=0)])
    assert ready(broker, "quar") == 1


def test_a_delayed_message_stays_while_its_target_is_missing(broker: SQLiteBroker) -> None:
    broker.publish([Send("", "delay", b"x", delay=0)])
    broker.delete(Topology([Queue("in")]))
    assert ready(broker, "delay") == 1
    broker.declare(TOPOLOGY)
    assert (ready(broker, "delay"), ready(broker, "in")) == (0, 1)


def test_published_and_settled_messages_are_on_disk(path: Path) -> None:
    database = QueueDatabase(path)
    for durable, level in [(True, 2), (False, 1)]:
        with database.transaction(durable=durable) as connection:
            assert connection.execute("PRAGMA synchronous").fetchone() == (level,)
    assert database.reading().__enter__().execute("PRAGMA journal_mode").fetchone() == ("wal",)
    database.close()


def test_waiting_costs_nearly_nothing(
    broker: SQLiteBroker, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[None] = []
    real = QueueDatabase.version

    def version(database: QueueDatabase) -> tuple[int, int]:
        looks.append(None)
        return real(database)

    monkeypatch.setattr(QueueDatabase, "version", version)
    assert broker.consume("in", 1).receive(0.2) is None
    assert 2 < len(looks) < 20
