"""The connection to RabbitMQ: as few calls of the system as possible."""

import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from types import SimpleNamespace
from typing import Any

import pytest
from pika import SelectConnection
from pika.adapters.utils.io_services_utils import _AsyncTransportBase

from indexer.broker.rabbitmq.address import parse
from indexer.broker.rabbitmq.broker import RabbitMQBroker
from indexer.broker.rabbitmq.connection import RECEIVED_BYTES, Connection, _Socket
from indexer.messages.message import Send
from indexer.messages.topology import Queue, Topology
from tests.each_row import each_row
from tests.patience import PATIENCE


@pytest.fixture
def connection(rabbitmq_url: str) -> Iterator[Connection]:
    """An open connection."""
    with closing(Connection(parse(rabbitmq_url)[0])) as connection:
        yield connection


@each_row(
    ("frames", "sent"),
    [
        ([b"ack"], [b"ack"]),
        ([b"method ", b"header"], [b"method header"]),
        ([b"method ", b"header ", b"body"], [b"method header body"]),
        ([b"method", b"header", b"1", b"2"], [b"method", b"header", b"1", b"2"]),
    ],
)
def test_a_small_message_is_sent_as_one_piece_and_a_large_one_in_parts(
    frames: list[bytes], sent: list[bytes]
) -> None:
    socket: Any = object.__new__(_Socket)
    socket.bytes_sent = socket.frames_sent = 0
    written: list[bytes] = []
    socket._transport = SimpleNamespace(write=written.append)
    socket._output_marshaled_frames(frames)
    assert written == sent


def test_pika_has_all_that_the_connection_replaces() -> None:
    assert hasattr(_AsyncTransportBase, "_MAX_RECV_BYTES")
    assert hasattr(SelectConnection, "_proto_connection_made")
    assert hasattr(SelectConnection, "_output_marshaled_frames")


@pytest.mark.external
def test_much_is_read_from_the_socket_at_once(connection: Connection) -> None:
    assert connection._pika._transport._MAX_RECV_BYTES == RECEIVED_BYTES


@pytest.mark.external
def test_many_messages_are_handed_to_the_thread_in_portions(
    rabbitmq_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    posted: list[Callable[[], None]] = []
    post = Connection.post

    def record(connection: Connection, callback: Callable[[], None]) -> None:
        posted.append(callback)
        post(connection, callback)

    with closing(RabbitMQBroker.open(rabbitmq_url)) as broker:
        broker.declare(Topology([Queue("in")]))
        monkeypatch.setattr(Connection, "post", record)
        broker.publish([Send("", "in", b"x")] * 1000)
    assert len(posted) < 20


@pytest.mark.external
def test_callbacks_run_in_their_order_after_one_wake(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop = connection._pika.ioloop
    busy, go, done = threading.Event(), threading.Event(), threading.Event()

    def wait() -> None:
        busy.set()
        go.wait(PATIENCE)

    connection.post(wait)
    assert busy.wait(PATIENCE)
    wakes: list[Callable[[], None]] = []
    wake = loop.add_callback_threadsafe

    def record(callback: Callable[[], None]) -> None:
        wakes.append(callback)
        wake(callback)

    monkeypatch.setattr(loop, "add_callback_threadsafe", record)
    ran: list[int] = []
    for number in range(100):
        connection.post(lambda number=number: ran.append(number))  # type: ignore[misc] # its default
    connection.post(done.set)
    go.set()
    assert done.wait(PATIENCE)
    assert ran == [*range(100)]
    assert len(wakes) == 1
