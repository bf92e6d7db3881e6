"""The embedded broker: queues in one SQLite file, for many processes of one machine.

sqlite:///data/queues.sqlite3     relative to the working directory
sqlite:////srv/queues.sqlite3     an absolute path

A message is on disk when `publish` or `settle` returns. `settle` is one transaction: all outputs
are stored and the inputs deleted, or nothing changes. Messages of a killed process are given to
others within a second, because the kernel releases its locks (`indexer.files.locks`).
"""

import time
from collections import deque
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Self

from indexer.broker import Consumer, Depth
from indexer.broker.moving import portions
from indexer.broker.sqlite import routing, store
from indexer.broker.sqlite.database import QueueDatabase
from indexer.broker.sqlite.upkeep import Upkeep
from indexer.broker.unheard import check_settled, returned
from indexer.errors import BrokerError, ConfigurationError
from indexer.messages.message import Delivery, Send
from indexer.messages.topology import Binding, Queue, Topology
from indexer.system.patience import growing
from indexer.text.url_parameters import check_file_parameters

PREFIX = "sqlite:///"

TAKE = 100
"""The most messages that a consumer holds in memory, whatever its prefetch."""

SHORTEST_PAUSE, LONGEST_PAUSE = 0.001, 0.05
"""Seconds between two checks whether another process has changed the file."""


class SQLiteBroker:
    """Queues in an SQLite file. `clock` returns seconds since the epoch."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._database = QueueDatabase(path)
        self._upkeep = Upkeep(self._database, clock)
        self._consumers: set[SQLiteConsumer] = set()

    @classmethod
    def open(cls, url: str) -> Self:
        """The broker of a URL. Raises ConfigurationError, BrokerError."""
        path = url[len(PREFIX) :]
        if not url.lower().startswith(PREFIX) or not path:
            # The error doesn't quote the URL: it may be another service's, with a password.
            raise ConfigurationError(f"not {PREFIX}PATH, with three slashes")
        check_file_parameters("the broker's URL", url)
        return cls(Path(path).absolute())

    def declare(self, topology: Topology) -> None:
        """See `Broker.declare`. Also changes the settings of queues that differ."""
        queues = [(queue.name, *_settings(queue), self._clock()) for queue in topology.queues]
        exchanges = [(name,) for name in topology.all_exchanges]
        with self._database.transaction(durable=True) as connection:
            connection.executemany(
                "INSERT INTO queues (name, dead_letter, delivery_limit, keep, expires_after, "
                "unused) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
                "dead_letter = excluded.dead_letter, keep = excluded.keep, "
                "delivery_limit = excluded.delivery_limit, expires_after = excluded.expires_after, "
                "unused = excluded.unused",
                queues,
            )
            connection.executemany("INSERT OR IGNORE INTO exchanges VALUES (?)", exchanges)
            for name in topology.all_exchanges:
                for old in topology.superfluous(name, [*routing.bound(connection, name)]):
                    routing.unbind(connection, old)
            for binding in topology.bindings:
                routing.bind(connection, binding)

    def declared(self, topology: Topology) -> list[str]:
        """See `Broker.declared`."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT name, dead_letter, delivery_limit, keep, expires_after FROM queues"
            )
            queues = {row[0]: row[1:] for row in rows}
            exchanges = {row[0] for row in connection.execute("SELECT name FROM exchanges")}
            bound = {e: [*routing.bound(connection, e)] for e in topology.all_exchanges}
        return [*_differences(topology, queues, exchanges, bound)]

    def delete(self, topology: Topology) -> None:
        """See `Broker.delete`."""
        with self._database.transaction(durable=True) as connection:
            queues = [(queue.name,) for queue in topology.queues]
            connection.executemany("DELETE FROM queues WHERE name = ?", queues)
            exchanges = [(name,) for name in (*topology.exchanges, *topology.instances)]
            connection.executemany("DELETE FROM exchanges WHERE name = ?", exchanges)
            for name in topology.shared:
                if not [*routing.bound(connection, name)]:
                    connection.execute("DELETE FROM exchanges WHERE name = ?", (name,))

    def publish(self, sends: Iterable[Send]) -> list[Send]:
        """See `Broker.publish`. One transaction for each portion."""
        requests = []
        for portion in portions(sends):
            with self._database.transaction(durable=True) as connection:
                unheard = store.publish(connection, portion, self._clock())
            requests += returned(unheard)
        return requests

    def consume(self, queue: str, prefetch: int) -> Consumer:
        """See `Broker.consume`."""
        consumer = SQLiteConsumer(self._database, self._upkeep, queue, prefetch)
        self._consumers.difference_update([each for each in (*self._consumers,) if each.closed])
        self._consumers.add(consumer)
        return consumer

    def peek(self, queue: str, limit: int) -> Generator[Delivery, None, None]:
        """See `Broker.peek`. The messages are only read."""
        place = store.START
        while limit > 0:
            with self._database.reading() as connection:
                store.check_queue(connection, queue)
                self._upkeep.run()
                found = store.peek(connection, queue, place, min(limit, TAKE))
            if not found:
                return
            for _, delivery in found:
                yield delivery
            place = found[-1][0]
            limit -= len(found)

    def queues(self) -> list[str]:
        """See `Broker.queues`."""
        return self._names("queues")

    def exchanges(self) -> list[str]:
        """See `Broker.exchanges`."""
        return self._names("exchanges")

    def routes(self) -> Topology:
        """See `Broker.routes`."""
        with self._database.reading() as connection:
            queues = connection.execute("SELECT name, dead_letter FROM queues ORDER BY name")
            names = connection.execute("SELECT name FROM exchanges ORDER BY name").fetchall()
            return Topology(
                queues=[Queue(name, dead_letter) for name, dead_letter in queues],
                bindings=[each for (name,) in names for each in routing.bound(connection, name)],
            )

    def depth(self, queue: str) -> Depth | None:
        """See `Broker.depth`."""
        with self._database.reading() as connection:
            self._upkeep.run()
            return store.depth(connection, queue)

    def purge(self, queue: str) -> int:
        """See `Broker.purge`."""
        with self._database.transaction(durable=True) as connection:
            store.check_queue(connection, queue)
            return connection.execute(
                "DELETE FROM messages WHERE queue = ? AND holder IS NULL", (queue,)
            ).rowcount

    def close(self) -> None:
        """See `Broker.close`."""
        with ExitStack() as stack:
            stack.callback(self._database.close)
            while self._consumers:
                stack.callback(self._consumers.pop().close)

    def _names(self, table: str) -> list[str]:
        with self._database.reading() as connection:
            rows = connection.execute(f"SELECT name FROM {table} ORDER BY name")  # noqa: S608 - ours
            return [name for (name,) in rows]


class SQLiteConsumer:
    """Receives messages of one queue of an SQLite file. See `Consumer`."""

    def __init__(self, database: QueueDatabase, upkeep: Upkeep, queue: str, prefetch: int) -> None:
        self._database = database
        self._upkeep = upkeep
        self._queue = queue
        self._prefetch = max(prefetch, 1)
        self._buffer: deque[Delivery] = deque()
        self._unsettled: set[int] = set()
        self._seen: tuple[int, int] | None = None
        self._look_again = 0.0
        self.closed = False
        self._id = upkeep.join(queue)

    def receive(self, timeout: float) -> Delivery | None:
        """See `Consumer.receive`."""
        deadline = time.monotonic() + timeout
        pauses = growing(SHORTEST_PAUSE, LONGEST_PAUSE)
        with self._database.changed:
            while (delivery := self._next()) is None:
                if (left := deadline - time.monotonic()) <= 0:
                    return None
                # This process's changes wake it at once; those of others it has to look for.
                self._database.changed.wait(min(next(pauses), left))
            return delivery

    def is_empty(self) -> bool:
        """See `Consumer.is_empty`: `receive` has looked at the file itself."""
        return True

    def settle(self, deliveries: Sequence[Delivery], sends: Sequence[Send] = ()) -> None:
        """See `Consumer.settle`. One transaction, which is on disk when it returns.

        If no message is left in memory, the same transaction takes the next ones.
        """
        check_settled(sends)
        tags = [delivery.tag for delivery in deliveries]
        with self._database.changed:
            self._check()
            if not self._unsettled.issuperset(tags) or len(set(tags)) != len(tags):
                raise BrokerError(f"{self._queue}: settled twice, or another consumer's message")
            with self._database.transaction(durable=True) as connection:
                unheard = store.publish(connection, sends, self._upkeep.clock())
                store.forget(connection, self._id, tags)
                room = 0 if self._buffer else self._room(len(tags))
                taken = store.take(connection, self._queue, self._id, room) if room > 0 else []
            self._unsettled.difference_update(tags)
            self._keep(taken)
        returned(unheard)

    def close(self) -> None:
        """See `Consumer.close`."""
        with self._database.changed:
            if self.closed:
                return
            self.closed = True
            unseen = [delivery.tag for delivery in self._buffer]
            self._buffer.clear()
            self._upkeep.leave(self._id, unseen)

    def _next(self) -> Delivery | None:
        self._check()
        room = self._room()
        if not self._buffer and room > 0 and self._something_new():
            self._keep(self._take(room))
        return self._buffer.popleft() if self._buffer else None

    def _room(self, settled: int = 0) -> int:
        """How many messages may be taken, when so many are settled."""
        return min(self._prefetch - len(self._unsettled) + settled, TAKE)

    def _keep(self, taken: Sequence[Delivery]) -> None:
        self._buffer.extend(taken)
        self._unsettled.update(delivery.tag for delivery in taken)

    def _something_new(self) -> bool:
        """Whether there may be new messages: a cheap check, made every few milliseconds."""
        if time.monotonic() >= self._look_again:
            self._look_again = time.monotonic() + self._upkeep.run()
            return True
        return self._database.version() != self._seen

    def _take(self, limit: int) -> list[Delivery]:
        # The version from before the query: a message that arrives after it is then noticed.
        seen = self._database.version()
        with self._database.reading() as connection:
            if not store.waiting(connection, self._queue):
                store.check_queue(connection, self._queue)
                self._seen = seen
                return []
        # Only now a transaction, for which consumers of all processes wait in turn. It is not
        # durable: a taken message that a power cut gives back is just delivered again.
        with self._database.transaction(durable=False) as connection:
            return store.take(connection, self._queue, self._id, limit)

    def _check(self) -> None:
        if self.closed:
            raise BrokerError(f"the consumer of {self._queue} is closed")


def _settings(queue: Queue) -> tuple[str, int, int, float]:
    return queue.dead_letter, queue.delivery_limit, int(queue.keep), queue.expires


def _differences(
    topology: Topology,
    queues: Mapping[str, tuple[str, int, int, float]],
    exchanges: Collection[str],
    bound: Mapping[str, Collection[Binding]],
) -> Iterator[str]:
    for queue in topology.queues:
        if queue.name not in queues:
            yield f"no queue {queue.name}"
        elif queues[queue.name] != _settings(queue):
            yield f"queue {queue.name} has other settings"
    for name in topology.all_exchanges:
        if name not in exchanges:
            yield f"no exchange {name}"
        yield from topology.binding_differences(name, bound[name])
