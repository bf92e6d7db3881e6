"""The bindings of the embedded broker, and the queues to which they route a message."""

import sqlite3
from collections.abc import Iterator

from indexer.errors import BrokerError, Unroutable
from indexer.messages.topics import matches
from indexer.messages.topology import Binding, Destination

_TABLES = {
    Destination.QUEUE: ("bindings", "queue"),
    Destination.EXCHANGE: ("exchange_bindings", "destination"),
}
"""The table for each kind of destination, and its column of destinations."""


def bound(connection: sqlite3.Connection, exchange: str) -> Iterator[Binding]:
    """The bindings of an exchange."""
    for kind, (table, column) in _TABLES.items():
        rows = connection.execute(
            f"SELECT {column}, key FROM {table} WHERE exchange = ?",  # noqa: S608 - our own names
            (exchange,),
        )
        yield from (Binding(exchange, destination, key, kind) for destination, key in rows)


def bind(connection: sqlite3.Connection, binding: Binding) -> None:
    """Add a binding, unless it is there. Raises BrokerError if one of its ends is missing."""
    table, _ = _TABLES[binding.kind]
    row = (binding.exchange, binding.destination, binding.key)
    try:
        connection.execute(f"INSERT OR IGNORE INTO {table} VALUES (?, ?, ?)", row)  # noqa: S608 - ours
    except sqlite3.IntegrityError as error:
        raise BrokerError(
            f"binding of {binding.kind} {binding.destination} to {binding.exchange}: one of them "
            "is missing; `story-indexer pipeline configure` makes missing queues and exchanges"
        ) from error


def unbind(connection: sqlite3.Connection, binding: Binding) -> None:
    """Remove a binding."""
    table, column = _TABLES[binding.kind]
    row = (binding.exchange, binding.destination, binding.key)
    connection.execute(
        f"DELETE FROM {table} WHERE exchange = ? AND {column} = ? AND key = ?",  # noqa: S608 - ours
        row,
    )


def destinations(connection: sqlite3.Connection, exchange: str, key: str) -> set[str]:
    """The queues that get a message, each once, however many ways lead there.

    Raises Unroutable if there is no such exchange.
    """
    if not connection.execute("SELECT 1 FROM exchanges WHERE name = ?", (exchange,)).fetchone():
        raise Unroutable(f"no exchange {exchange!r}")
    queues: set[str] = set()
    seen: set[str] = set()
    todo = [exchange]
    while todo:
        current = todo.pop()
        # Exchanges may be bound to each other in a circle.
        if current in seen:
            continue
        seen.add(current)
        for binding in bound(connection, current):
            if matches(binding.key, key):
                is_queue = binding.kind is Destination.QUEUE
                queues.add(binding.destination) if is_queue else todo.append(binding.destination)
    return queues
