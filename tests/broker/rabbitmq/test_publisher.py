"""Publisher confirms: every kind that RabbitMQ may send, in any order."""

import threading
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from pika.spec import Basic, BasicProperties

from indexer.broker.rabbitmq.channel import Channel
from indexer.broker.rabbitmq.connection import BrokerTimeouts
from indexer.broker.rabbitmq.publisher import LONGEST_DELAY, Publisher
from indexer.errors import BrokerError, Unroutable
from indexer.messages.exchanges import Unheard
from indexer.messages.message import Send
from tests.each_row import each_row


class Server(Channel):
    """A channel to a broker that the test plays, in the test's own thread."""

    give_back: Callable[..., None]
    on_confirm: Callable[..., None]

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.timeouts = BrokerTimeouts(confirm=0.05)
        self.is_failure_known = False
        self._failure = None
        self.published: list[Any] = []
        self.pika = SimpleNamespace(
            is_open=True,
            basic_publish=lambda *a, **k: self.published.append((a, k)),
            add_on_return_callback=lambda callback: setattr(self, "give_back", callback),
            close=lambda: setattr(self.pika, "is_open", False),
        )

    def post(self, callback: Callable[[], None]) -> None:
        if self.pika.is_open:
            callback()

    def ask(self, method: str, **arguments: Any) -> Any:
        self.on_confirm = arguments["ack_nack_callback"]

    def confirm(self, tag: int, *, multiple: bool = False, nack: bool = False) -> None:
        method = (Basic.Nack if nack else Basic.Ack)(delivery_tag=tag, multiple=multiple)
        self.on_confirm(SimpleNamespace(method=method))


def publish(server: Server, *counts: int) -> tuple[Publisher, list[int]]:
    """Publish batches of so many messages; the list gets the number of each confirmed batch."""
    publisher = Publisher(server)
    confirmed: list[int] = []
    for number, count in enumerate(counts):
        sends = [Send("", "queue", b"body")] * count
        publisher.publish(sends, then=lambda number=number: confirmed.append(number))  # type: ignore[misc]
    return publisher, confirmed


@each_row(
    ("counts", "confirms", "confirmed"),
    [
        ([1], [], []),
        ([1], [(1, False)], [0]),
        ([0], [], [0]),
        ([2], [(1, False)], []),
        ([2], [(2, False)], []),
        ([2], [(2, True)], [0]),
        ([2], [(2, False), (1, False)], [0]),
        ([1, 1, 1], [(3, False), (2, True)], [2, 0, 1]),
        ([2, 2], [(3, True)], [0]),
        ([2, 2], [(3, False), (4, True)], [0, 1]),
    ],
)
def test_a_batch_is_confirmed_when_all_of_it_is(
    counts: Sequence[int], confirms: Sequence[tuple[int, bool]], confirmed: Sequence[int]
) -> None:
    server = Server()
    _, seen = publish(server, *counts)
    for tag, multiple in confirms:
        server.confirm(tag, multiple=multiple)
    assert seen == confirmed


def test_a_refused_message_confirms_nothing_more() -> None:
    server = Server()
    publisher, confirmed = publish(server, 1, 1)
    server.confirm(1, nack=True)
    server.confirm(2)
    assert confirmed == []
    with pytest.raises(BrokerError, match="refused"):
        publisher.drain(0)


def test_a_returned_message_does_not_count_as_confirmed() -> None:
    server = Server()
    publisher, confirmed = publish(server, 1)
    server.give_back(None, SimpleNamespace(exchange="e", routing_key="k"), BasicProperties(), b"")
    server.confirm(1)
    assert confirmed == []
    with pytest.raises(Unroutable, match="'e' with key 'k'"):
        publisher.publish([Send("", "queue", b"")])


def give_back(server: Server, number: int) -> None:
    """Return a message that was published, as RabbitMQ does: without its number."""
    (exchange, key, body, properties), _ = server.published[number - 1]
    server.give_back(None, SimpleNamespace(exchange=exchange, routing_key=key), properties, body)


@each_row("multiple", [True, False])
def test_returned_messages_are_told_apart_though_they_are_equal(multiple: bool) -> None:
    server = Server()
    publisher = Publisher(server)
    meanings = [Unheard.ERROR, Unheard.RETURNED, Unheard.DROPPED, Unheard.RETURNED]
    sends = [Send("e", "key", b"body", unheard=meaning) for meaning in meanings]
    publisher.publish(sends)
    for number in (3, 4):
        give_back(server, number)
    for tag in [4] if multiple else [2, 1, 4, 3]:
        server.confirm(tag, multiple=multiple)
    publisher.drain(0)
    assert [id(send) for send in publisher.returned] == [id(sends[3])]


def test_an_error_among_messages_that_may_return_is_an_error() -> None:
    server = Server()
    publisher = Publisher(server)
    publisher.publish([Send("e", "k", b"", unheard=Unheard.RETURNED), Send("e", "k", b"")])
    give_back(server, 1)
    give_back(server, 2)
    with pytest.raises(Unroutable, match="'e' with key 'k'"):
        publisher.drain(0)


def test_messages_without_confirms_are_given_up() -> None:
    publisher, _ = publish(Server(), 3)
    with pytest.raises(BrokerError, match=r"not confirmed .* for 0 s \(3 waiting"):
        publisher.drain(0)


def test_messages_are_mandatory_and_persistent() -> None:
    server = Server()
    publish(server, 1)
    [((exchange, key, body, properties), arguments)] = server.published
    assert (exchange, key, body) == ("", "queue", b"body")
    assert arguments == {"mandatory": True}
    assert properties.delivery_mode == 2


@each_row(
    ("delay", "expiration"),
    [
        (None, None),
        (0.0, "0"),
        (0.0004, "0"),
        (1.5, "1500"),
        (-1.0, "0"),
        (1e9, str(LONGEST_DELAY)),
    ],
)
def test_a_delay_is_a_time_to_live_in_milliseconds(
    delay: float | None, expiration: str | None
) -> None:
    server = Server()
    Publisher(server).publish([Send("", "q", b"", delay=delay)])
    [((*_, properties), _)] = server.published
    assert properties.expiration == expiration
