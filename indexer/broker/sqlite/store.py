"""The statements of the embedded broker, within a transaction: route, take, give back, delete."""

import json
import math
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

from indexer.broker import Depth
from indexer.broker.sqlite import routing
from indexer.errors import BrokerError, Unroutable
from indexer.messages.exchanges import Unheard
from indexer.messages.message import Delivery, Send, check, storable

TAKE_BYTES = 16 * 1024 * 1024
"""The limit for the bodies of messages taken at once; the first one may exceed it."""


_DUE = """
SELECT messages.id, dead_letter, expires
FROM messages CROSS JOIN queues ON queues.name = messages.queue
WHERE expires <= ? AND holder IS NULL AND dead_letter IN (SELECT name FROM queues)
ORDER BY expires LIMIT ?
"""
"""Expired messages whose dead-letter queue exists. CROSS JOIN makes SQLite start with the index
`expiring`, which is in the wanted order."""


_FIRST = """
SELECT id FROM (
    SELECT id, size, sum(size) OVER (ORDER BY since, id) AS total FROM (
        SELECT id, since, size FROM messages
        WHERE queue = ? AND holder IS NULL AND (since, id) > (?, ?) ORDER BY since, id LIMIT ?
    )
) WHERE total = size OR total <= ?
"""
"""The first messages that wait in a queue behind a place, up to a number and a size."""

_MESSAGE = """
since, id, key, headers, deliveries, (SELECT body FROM bodies WHERE bodies.id = messages.id)
"""

Place = tuple[float, int]
"""A message's place in its queue: the time when it came, and its id."""

START: Place = (-math.inf, 0)
"""Before all messages."""


class _Target(NamedTuple):
    """A queue to which a message is routed."""

    name: str
    dead_letters: bool
    keep: bool


def publish(connection: sqlite3.Connection, sends: Iterable[Send], now: float) -> list[Send]:
    """Store messages in all queues to which their keys are bound.

    Returns those that no queue takes. Raises Unroutable if that is an error for one of them.
    """
    unheard = []
    # Cached for this transaction only: the next one may find other bindings.
    route = cache(lambda exchange, key: _route(connection, exchange, key))
    for send in sends:
        check(send)
        if not (targets := route(send.exchange, send.key)):
            if send.unheard is not Unheard.ERROR:
                unheard.append(send)
                continue
            raise Unroutable(
                f"no queue receives messages to {send.exchange!r} with key {send.key!r}"
            )
        for target in targets:
            if target.keep:
                _insert(connection, target, send, now)
    return unheard


def _route(connection: sqlite3.Connection, exchange: str, key: str) -> list[_Target]:
    names = routing.destinations(connection, exchange, key) if exchange else {key}
    queues = connection.execute("SELECT name, dead_letter <> '', keep FROM queues ORDER BY name")
    return [_Target(name, bool(dead), bool(keep)) for name, dead, keep in queues if name in names]


def _insert(connection: sqlite3.Connection, queue: _Target, send: Send, now: float) -> None:
    # Without a dead-letter queue an expired message would be lost: it doesn't expire.
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
        raise BrokerError(
            f"no queue {queue}: `story-indexer pipeline configure` makes missing queues"
        )


def consumers(connection: sqlite3.Connection) -> list[int]:
    """The ids of all consumers."""
    return [id for (id,) in connection.execute("SELECT id FROM consumers")]


def add_consumer(connection: sqlite3.Connection, queue: str) -> int:
    """Register a consumer; returns its id, which is never used again."""
    return connection.execute("INSERT INTO consumers (queue) VALUES (?)", (queue,)).lastrowid or 0


def waiting(connection: sqlite3.Connection, queue: str) -> bool:
    """Whether a message waits in a queue."""
    rows = connection.execute(
        "SELECT 1 FROM messages WHERE queue = ? AND holder IS NULL LIMIT 1", (queue,)
    )
    return rows.fetchone() is not None


def take(connection: sqlite3.Connection, queue: str, holder: int, limit: int) -> list[Delivery]:
    """Give the first messages of a queue, at most `limit`, to a consumer."""
    rows = connection.execute(
        "UPDATE messages SET holder = ?, deliveries = deliveries + 1"  # noqa: S608 - our own text
        f" WHERE id IN ({_FIRST}) RETURNING {_MESSAGE}",
        (holder, queue, *START, limit, TAKE_BYTES),
    )
    return [delivery for _, delivery in _in_order(rows)]


def peek(
    connection: sqlite3.Connection, queue: str, behind: Place, limit: int
) -> list[tuple[Place, Delivery]]:
    """The first messages of a queue behind a place, at most `limit`, each with its own place."""
    rows = connection.execute(
        f"SELECT {_MESSAGE} FROM messages WHERE id IN ({_FIRST})",  # noqa: S608 - our own text
        (queue, *behind, limit, TAKE_BYTES),
    )
    # The count as if this were a delivery: so it is on RabbitMQ.
    return [
        (place, replace(delivery, deliveries=delivery.deliveries + 1))
        for place, delivery in _in_order(rows)
    ]


def _in_order(rows: Iterable[Sequence[Any]]) -> list[tuple[Place, Delivery]]:
    """The deliveries of rows, in the order of the queue."""
    # Neither RETURNING nor IN keeps the order of its subquery.
    return sorted(
        (
            ((since, id), Delivery(id, body, key, json.loads(headers or "{}"), deliveries))
            for since, id, key, headers, deliveries, body in rows
        ),
        key=lambda found: found[0],
    )


def forget(connection: sqlite3.Connection, holder: int, tags: Sequence[int]) -> None:
    """Delete messages that a consumer holds. Raises BrokerError if it no longer holds one."""
    deleted = connection.executemany(
        "DELETE FROM messages WHERE id = ? AND holder = ?", [(tag, holder) for tag in tags]
    )
    if tags and deleted.rowcount != len(tags):
        raise BrokerError(
            "a message can't be settled: its queue was deleted, or another consumer has it"
        )


def uncount(connection: sqlite3.Connection, holder: int, tags: Sequence[int]) -> None:
    """Take back the count of a delivery: the consumer's program never received the messages."""
    connection.executemany(
        "UPDATE messages SET deliveries = deliveries - 1 WHERE id = ? AND holder = ?",
        [(tag, holder) for tag in tags],
    )


def give_back(connection: sqlite3.Connection, holder: int, now: float) -> None:
    """Give back a consumer's messages, and remove it; its queue is unused from now on.

    A message that was delivered too often goes to the dead letters. That counts deliveries that
    ended by a kill and those that ended by an exception, after which programs close their consumer.
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
    connection.execute(
        "UPDATE queues SET unused = ? WHERE name = (SELECT queue FROM consumers WHERE id = ?)",
        (now, holder),
    )
    connection.execute("DELETE FROM consumers WHERE id = ?", (holder,))


def next_expiry(connection: sqlite3.Connection) -> float | None:
    """The time at which the next message expires; None if none does."""
    row = connection.execute(_DUE, (math.inf, 1)).fetchone()
    return row[2] if row else None


def expire(connection: sqlite3.Connection, now: float) -> None:
    """Move the expired messages to the dead-letter queues of their queues."""
    due = connection.execute(_DUE, (now, -1)).fetchall()
    connection.executemany(
        "UPDATE messages SET queue = ?2, key = ?2, since = ?3, expires = NULL, deliveries = 0"
        " WHERE id = ?1",
        due,
    )


_UNUSED = """
FROM queues WHERE expires_after > 0 AND unused + expires_after <= ?
    AND NOT EXISTS (SELECT 1 FROM consumers WHERE consumers.queue = queues.name)
"""
"""The queues that expire, and had no consumer for their time."""


def has_unused(connection: sqlite3.Connection, now: float) -> bool:
    """Whether a queue that expires was unused for its time."""
    return connection.execute(f"SELECT 1 {_UNUSED}", (now,)).fetchone() is not None


def delete_unused(connection: sqlite3.Connection, now: float) -> None:
    """Delete the queues that expire and were unused for their time, with their messages."""
    connection.execute(f"DELETE {_UNUSED}", (now,))


def depth(connection: sqlite3.Connection, queue: str) -> Depth | None:
    """The depth of a queue; None if there is no such queue."""
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
