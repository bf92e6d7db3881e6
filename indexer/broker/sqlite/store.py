"""What the embedded broker does within a transaction: route, take, give back, forget."""

import json
import math
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

from indexer.broker import Depth
from indexer.errors import BrokerError, Unroutable
from indexer.messages.limits import check, storable
from indexer.messages.message import Delivery, Send
from indexer.messages.topology import matches

TAKE_BYTES = 16 * 1024 * 1024
"""Bodies taken at once, beyond the first."""


_DUE = """
SELECT messages.id, dead_letter, expires
FROM messages CROSS JOIN queues ON queues.name = messages.queue
WHERE expires <= ? AND holder IS NULL AND dead_letter IN (SELECT name FROM queues)
ORDER BY expires LIMIT ?
"""
"""Messages that can go on from where they wait; CROSS JOIN reads them in the order of an index."""


_FIRST = """
SELECT id FROM (
    SELECT id, size, sum(size) OVER (ORDER BY since, id) AS total FROM (
        SELECT id, since, size FROM messages
        WHERE queue = ? AND holder IS NULL AND (since, id) > (?, ?) ORDER BY since, id LIMIT ?
    )
) WHERE total = size OR total <= ?
"""
"""The first messages that wait in a queue behind a place, no more than some bytes."""

_MESSAGE = """
since, id, key, headers, deliveries, (SELECT body FROM bodies WHERE bodies.id = messages.id)
"""

Place = tuple[float, int]
"""Where a message is in its queue: since when, and its id."""

START: Place = (-math.inf, 0)
"""Before the first."""


class _Target(NamedTuple):
    """A queue that a message is routed to."""

    name: str
    dead_letters: bool
    keep: bool


def publish(connection: sqlite3.Connection, sends: Iterable[Send], now: float) -> None:
    """Put messages into all queues that their keys are bound to. Raises Unroutable."""
    route = cache(lambda exchange, key: _route(connection, exchange, key))
    for send in sends:
        check(send)
        if not (targets := route(send.exchange, send.key)):
            raise Unroutable(f"no queue gets what is sent to {send.exchange!r} as {send.key!r}")
        for target in targets:
            if target.keep:
                _insert(connection, target, send, now)


def _route(connection: sqlite3.Connection, exchange: str, key: str) -> list[_Target]:
    if not exchange:
        names = {key}
    else:
        bindings = connection.execute(
            "SELECT queue, key FROM bindings WHERE exchange = ?", (exchange,)
        )
        names = {queue for queue, pattern in bindings if matches(pattern, key)}
    queues = connection.execute("SELECT name, dead_letter <> '', keep FROM queues ORDER BY name")
    return [_Target(name, bool(dead), bool(keep)) for name, dead, keep in queues if name in names]


def _insert(connection: sqlite3.Connection, queue: _Target, send: Send, now: float) -> None:
    # Where nothing is dead-lettered, a message that expired would be lost: it doesn't.
    waits = send.delay is not None and queue.dead_letters
    expires = now + max(send.delay or 0.0, 0.0) if waits else None
    headers = json.dumps(storable(send.headers)) if send.headers else ""
    row = (queue.name, now, len(send.body), send.key, headers, expires)
    cursor = connection.execute(
        "INSERT INTO messages (queue, since, size, key, headers, expires)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        row,
    )
    connection.execute("INSERT INTO bodies VALUES (?, ?)", (cursor.lastrowid, send.body))


def check_queue(connection: sqlite3.Connection, queue: str) -> None:
    """Raise BrokerError if there is no such queue."""
    if not connection.execute("SELECT 1 FROM queues WHERE name = ?", (queue,)).fetchone():
        raise BrokerError(f"no queue {queue}: `python pipeline.py configure` makes what is missing")


def consumers(connection: sqlite3.Connection) -> list[int]:
    """The ids of all consumers."""
    return [id for (id,) in connection.execute("SELECT id FROM consumers")]


def add_consumer(connection: sqlite3.Connection, queue: str) -> int:
    """The id of a new consumer; none is used twice."""
    return connection.execute("INSERT INTO consumers (queue) VALUES (?)", (queue,)).lastrowid or 0


def waiting(connection: sqlite3.Connection, queue: str) -> bool:
    """Whether a queue has a message to take."""
    rows = connection.execute(
        "SELECT 1 FROM messages WHERE queue = ? AND holder IS NULL LIMIT 1", (queue,)
    )
    return rows.fetchone() is not None


def take(connection: sqlite3.Connection, queue: str, holder: int, limit: int) -> list[Delivery]:
    """Give the first messages of a queue to a consumer, at most `limit`, in their order."""
    rows = connection.execute(
        "UPDATE messages SET holder = ?, deliveries = deliveries + 1"  # noqa: S608 - our own text
        f" WHERE id IN ({_FIRST}) RETURNING {_MESSAGE}",
        (holder, queue, *START, limit, TAKE_BYTES),
    )
    return [delivery for _, delivery in _in_order(rows)]


def look(
    connection: sqlite3.Connection, queue: str, behind: Place, limit: int
) -> list[tuple[Place, Delivery]]:
    """The first messages of a queue behind a place, at most `limit`, each with its own place."""
    rows = connection.execute(
        f"SELECT {_MESSAGE} FROM messages WHERE id IN ({_FIRST})",  # noqa: S608 - our own text
        (queue, *behind, limit, TAKE_BYTES),
    )
    # As if it was delivered now, for who asks how often that has happened.
    return [
        (place, replace(delivery, deliveries=delivery.deliveries + 1))
        for place, delivery in _in_order(rows)
    ]


def _in_order(rows: Iterable[Sequence[Any]]) -> list[tuple[Place, Delivery]]:
    """The messages of rows, in the order of their queue."""
    return sorted(
        (
            ((since, id), Delivery(id, body, key, json.loads(headers or "{}"), deliveries))
            for since, id, key, headers, deliveries, body in rows
        ),
        key=lambda found: found[0],
    )


def forget(connection: sqlite3.Connection, holder: int, tags: Sequence[int]) -> None:
    """Delete messages that a consumer has. Raises BrokerError if one isn't its own any more."""
    deleted = connection.executemany(
        "DELETE FROM messages WHERE id = ? AND holder = ?", [(tag, holder) for tag in tags]
    )
    if tags and deleted.rowcount != len(tags):
        raise BrokerError("a message to settle is gone: its queue was deleted, or given to others")


def uncount(connection: sqlite3.Connection, holder: int, tags: Sequence[int]) -> None:
    """Messages that a consumer has taken have not been delivered: nobody has seen them."""
    connection.executemany(
        "UPDATE messages SET deliveries = deliveries - 1 WHERE id = ? AND holder = ?",
        [(tag, holder) for tag in tags],
    )


def give_back(connection: sqlite3.Connection, holder: int, now: float) -> None:
    """Put back what a consumer has not settled; what was delivered too often goes elsewhere.

    A program that ends by an exception closes its consumer, so that this counts like a kill.
    """
    connection.execute(
        """
        UPDATE messages SET queue = dead_letter, key = dead_letter, since = ?,
            expires = NULL, deliveries = 0, holder = NULL
        FROM queues WHERE queues.name = messages.queue AND holder = ?
            AND deliveries > delivery_limit AND dead_letter IN (SELECT name FROM queues)
        """,
        (now, holder),
    )
    connection.execute("UPDATE messages SET holder = NULL WHERE holder = ?", (holder,))
    connection.execute("DELETE FROM consumers WHERE id = ?", (holder,))


def next_expiry(connection: sqlite3.Connection) -> float | None:
    """When the next message that `expire` can move is due; None if there is none."""
    row = connection.execute(_DUE, (math.inf, 1)).fetchone()
    return row[2] if row else None


def expire(connection: sqlite3.Connection, now: float) -> None:
    """Move what has waited long enough to the queues that their queues name."""
    due = connection.execute(_DUE, (now, -1)).fetchall()
    connection.executemany(
        "UPDATE messages SET queue = ?2, key = ?2, since = ?3, expires = NULL, deliveries = 0"
        " WHERE id = ?1",
        due,
    )


def depth(connection: sqlite3.Connection, queue: str) -> Depth | None:
    """How full a queue is; None if there is no such queue."""
    row = connection.execute(
        """
        SELECT
            (SELECT count(*) FROM messages WHERE queue = name AND holder IS NULL),
            (SELECT count(*) FROM messages WHERE queue = name AND holder IS NOT NULL),
            (SELECT count(*) FROM consumers WHERE queue = name),
            (SELECT coalesce(sum(size), 0) FROM messages WHERE queue = name AND holder IS NULL)
        FROM queues WHERE name = ?
        """,
        (queue,),
    ).fetchone()
    return Depth(*row) if row else None
