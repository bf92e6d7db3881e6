"""Regular work that RabbitMQ's server would do, and here each process does for all of them.

Expired messages are moved to dead letters; messages of killed consumers are given back; queues that
expire are deleted when they were unused for their time.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from indexer.broker.sqlite import store
from indexer.broker.sqlite.database import QueueDatabase
from indexer.files.locks import FileLock, is_locked

PROBE_SECONDS = 0.5
"""The time between two checks whether the other consumers are alive."""

SHORTEST_WAIT = 0.001


class Upkeep:
    """The upkeep of one file, and the locks of this process's consumers.

    `clock` returns seconds since the epoch.
    """

    def __init__(self, database: QueueDatabase, clock: Callable[[], float]) -> None:
        self._database = database
        self.clock = clock
        self._own: dict[int, FileLock] = {}
        self._next_probe = 0.0

    def join(self, queue: str) -> int:
        """Register a consumer of a queue; returns its id. Raises BrokerError."""
        with self._database.transaction(durable=False) as connection:
            store.check_queue(connection, queue)
            id = store.add_consumer(connection, queue)
            # Locked before the commit: another process that saw the consumer without its lock would
            # take it for dead. `acquire` waits, as `is_locked` holds a lock for a moment.
            lock = FileLock(self._database.locks / str(id))
            lock.acquire()
        self._own[id] = lock
        return id

    def leave(self, id: int, unseen: Sequence[int]) -> None:
        """Remove a consumer, and give back its messages, of which `unseen` weren't delivered."""
        lock = self._own.pop(id)
        try:
            with self._database.transaction(durable=False) as connection:
                store.uncount(connection, id, unseen)
                store.give_back(connection, id, self.clock())
        finally:
            lock.remove()

    def run(self) -> float:
        """Do the upkeep that is due; returns the seconds until the next time."""
        if time.monotonic() >= self._next_probe:
            self._next_probe = time.monotonic() + PROBE_SECONDS
            self._give_back_of_dead()
            self._delete_unused()
        if self._until_expiry() <= 0:
            with self._database.transaction(durable=False) as connection:
                store.expire(connection, self.clock())
        return min(max(self._until_expiry(), SHORTEST_WAIT), PROBE_SECONDS)

    def _until_expiry(self) -> float:
        with self._database.reading() as connection:
            expiry = store.next_expiry(connection)
        return PROBE_SECONDS if expiry is None else expiry - self.clock()

    def _give_back_of_dead(self) -> None:
        with self._database.reading() as connection:
            others = [id for id in store.consumers(connection) if id not in self._own]
        for id in others:
            path = self._database.locks / str(id)
            if not is_locked(path):
                with self._database.transaction(durable=False) as connection:
                    store.give_back(connection, id, self.clock())
                # After the commit: without the file, too, the consumer counts as dead.
                with suppress(OSError):
                    path.unlink()

    def _delete_unused(self) -> None:
        with self._database.reading() as connection:
            is_due = store.has_unused(connection, self.clock())
        if is_due:
            with self._database.transaction(durable=False) as connection:
                store.delete_unused(connection, self.clock())
