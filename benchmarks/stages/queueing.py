"""Queues: messages of 35 kB taken from one queue, and put into the next one.

Ours is the message loop with a worker that does nothing, and the default prefetch. On RabbitMQ the
alternative is a transaction for each message, as in the existing system; in SQLite it is a table,
with a transaction for each message. The floors are pika alone with the same prefetch, confirms and
an acknowledgement for each message; and the table with a transaction for many.
"""

import os
import random
import sqlite3
import threading
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any, ClassVar, Self

import pika

from benchmarks.measuring.corpus import CorpusPage
from benchmarks.measuring.rounds import cpu_seconds
from benchmarks.measuring.stage import Done, Stage, Unit, Unmeasured
from indexer.broker import Broker, open_broker
from indexer.loops.inbox import Inbox
from indexer.loops.runner import Runner
from indexer.messages.message import UNKNOWN, Origin, Send
from indexer.messages.outcome import Outcome, RetryPolicy
from indexer.messages.pipelines import Pipeline, Step
from indexer.messages.worker import Worker

URL = "TEST_RABBITMQ_URL"
BODY = random.Random(13).randbytes(35_000)  # noqa: S311 - any bytes
COUNT, TRANSACTIONS = 1000, 200
"""The messages of a turn, and those of a turn with a transaction each."""

PIKA, TOGETHER = "pika alone", "a table, 25 together"
FLOORS = {
    PIKA: "no threads, routes, outcomes",
    TOGETHER: "one process, no routes, no second delivery",
}
"""The contenders that do less than we do, and what they lack."""

Clock = Callable[[], float]
Turn = Callable[[Clock], Done]


@dataclass
class Bytes:
    """A payload that is not read."""

    data: bytes
    key: str = "default"
    label: ClassVar = "message"
    origin: ClassVar[Origin] = UNKNOWN

    def dump(self) -> bytes:
        """The data."""
        return self.data

    @classmethod
    def load(cls, data: bytes, key: str) -> Self:
        """The payload of the data."""
        return cls(data, key)


class Pass(Worker[Bytes, Bytes]):
    """Returns what it takes."""

    takes = Bytes

    def process(self, payload: Bytes) -> Bytes:
        """The payload."""
        return payload


@dataclass(frozen=True)
class Place:
    """A queue, and the queue after it, under names of their own."""

    broker: Broker
    name: str

    def filled(self, count: int) -> None:
        """Empty both queues, then put messages into the first one."""
        for queue in (f"{self.name}-in", f"{self.name}-next-in"):
            self.broker.purge(queue)
        self.broker.publish(Send("", f"{self.name}-in", BODY) for _ in range(count))

    def loop(self, clock: Clock) -> Done:
        """Our loop, from the first message to the last one's confirm."""
        self.filled(COUNT)
        stop, seen = threading.Event(), list[Outcome]()

        def observe(outcome: Outcome) -> None:
            seen.append(outcome)
            if len(seen) == COUNT:
                stop.set()

        started = clock()
        with closing(self.broker.consume(f"{self.name}-in", Pass.prefetch)) as consumer:
            Runner(Pass(), Inbox(consumer, RetryPolicy(self.name), [observe])).run(stop)
        return Done(COUNT, clock() - started)

    def transactions(self, clock: Clock) -> Done:
        """A transaction of AMQP for each message."""
        self.filled(TRANSACTIONS)
        with closing(pika.BlockingConnection(pika.URLParameters(os.environ[URL]))) as connection:
            channel = connection.channel()
            channel.tx_select()
            channel.basic_qos(prefetch_count=2)
            started = clock()
            for number, (method, _, body) in enumerate(channel.consume(f"{self.name}-in"), 1):
                channel.basic_publish(f"{self.name}-out", "default", body, PERSISTENT)
                channel.basic_ack(method.delivery_tag)
                channel.tx_commit()
                if number == TRANSACTIONS:
                    break
            return Done(TRANSACTIONS, clock() - started)

    def pika_alone(self, clock: Clock) -> Done:
        """pika's callbacks and nothing else."""
        self.filled(COUNT)
        started = clock()
        _Callbacks(self.name).run()
        return Done(COUNT, clock() - started)


PERSISTENT = pika.BasicProperties(delivery_mode=2)


class _Callbacks:
    """Publishes each delivery, and acknowledges it when it is confirmed."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._unconfirmed: dict[int, int] = {}
        self._published = self._settled = 0
        self._channel: Any = None
        self._connection: Any = pika.SelectConnection(
            pika.URLParameters(os.environ[URL]),
            on_open_callback=lambda connection: connection.channel(on_open_callback=self._opened),
            on_close_callback=lambda *_: self._connection.ioloop.stop(),
        )

    def run(self) -> None:
        """Return when all messages are settled."""
        self._connection.ioloop.start()

    def _opened(self, channel: Any) -> None:
        self._channel = channel
        channel.confirm_delivery(self._confirmed)
        channel.basic_qos(prefetch_count=Pass.prefetch)
        channel.basic_consume(f"{self._name}-in", self._deliver)

    def _deliver(self, channel: Any, method: Any, _: Any, body: bytes) -> None:
        self._published += 1
        self._unconfirmed[self._published] = method.delivery_tag
        channel.basic_publish(f"{self._name}-out", "default", body, PERSISTENT, mandatory=True)

    def _confirmed(self, frame: Any) -> None:
        last = frame.method.delivery_tag
        upto = [number for number in self._unconfirmed if number <= last]
        for number in upto if frame.method.multiple else [last]:
            self._channel.basic_ack(self._unconfirmed.pop(number))
            self._settled += 1
        if self._settled == COUNT:
            self._connection.close()


def table(path: Path, clock: Clock, count: int, together: int) -> Done:
    """A table of messages in SQLite, and a transaction for so many that move together."""
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("CREATE TABLE messages (id INTEGER PRIMARY KEY, queue TEXT, body BLOB)")
        connection.execute("CREATE INDEX waiting ON messages (queue, id)")
        connection.execute("BEGIN")
        rows = [("first", BODY)] * count
        connection.executemany("INSERT INTO messages (queue, body) VALUES (?, ?)", rows)
        connection.execute("COMMIT")
        started = clock()
        for _ in range(count // together):
            connection.execute("BEGIN IMMEDIATE")
            _move(connection, together)
            connection.execute("COMMIT")
        return Done(count, clock() - started)


def _move(connection: sqlite3.Connection, count: int) -> None:
    found = connection.execute(
        "SELECT id, body FROM messages WHERE queue = 'first' ORDER BY id LIMIT ?", (count,)
    ).fetchall()
    bodies = [(body,) for _, body in found]
    connection.executemany("INSERT INTO messages (queue, body) VALUES ('second', ?)", bodies)
    connection.executemany("DELETE FROM messages WHERE id = ?", [(id,) for id, _ in found])


@contextmanager
def place(url: str) -> Iterator[Place]:
    """Two queues with unique names, deleted at the end."""
    name = f"bench-{uuid.uuid4().hex[:12]}"
    steps = [Step("source", to=[name]), Step(name, to=[f"{name}-next"]), Step(f"{name}-next")]
    topology = Pipeline("bench", steps).compile()
    with closing(open_broker(url)) as broker:
        broker.declare(topology)
        try:
            yield Place(broker, name)
        finally:
            broker.delete(topology)


@contextmanager
def stages(pages: Sequence[CorpusPage]) -> Iterator[Sequence[Stage | Unmeasured]]:  # noqa: ARG001 - the signature
    """The hop on SQLite, and on the RabbitMQ that `make services` has started."""
    with TemporaryDirectory() as folder, place(f"sqlite:///{folder}/queues.sqlite3") as local:
        path = Path(folder) / "table.sqlite3"
        turns: dict[str, Turn] = {
            "SQLite queue": local.loop,
            "a table, a transaction each": lambda clock: table(path, clock, TRANSACTIONS, 1),
            TOGETHER: lambda clock: table(path, clock, COUNT, 25),
        }
        hop = [_stage("SQLite queue, 35 kB", Unit.WALL_RATE, 2000, turns)]
        if not os.environ.get(URL):
            yield [*hop, Unmeasured("RabbitMQ hop, 35 kB", "`make services` starts RabbitMQ")]
            return
        with place(os.environ[URL]) as remote:
            turns = {
                "RabbitMQ queue": remote.loop,
                "a transaction each": remote.transactions,
                PIKA: remote.pika_alone,
            }
            name = "RabbitMQ hop, 35 kB"
            yield [
                *hop,
                _stage(name, Unit.WALL_RATE, 3000, turns),
                _stage(f"{name}, CPU", Unit.MILLISECONDS, 0.15, turns),
            ]


def _stage(name: str, unit: Unit, aim: float, turns: dict[str, Turn]) -> Stage:
    """The same turns, measured in a unit; the time to fill the queue is not counted."""
    clock = monotonic if unit is Unit.WALL_RATE else cpu_seconds
    contenders = {each: (lambda turn=turn: turn(clock)) for each, turn in turns.items()}
    return Stage(
        name, unit, aim, contenders, {each: FLOORS[each] for each in turns if each in FLOORS}
    )
