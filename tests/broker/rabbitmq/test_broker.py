"""RabbitMQ's broker, beyond the promises of every broker."""

import gc
import socket
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import pytest
from pika import BlockingConnection, URLParameters

from indexer.broker.rabbitmq import consumer, publisher
from indexer.broker.rabbitmq.address import parse
from indexer.broker.rabbitmq.broker import RabbitMQBroker
from indexer.broker.rabbitmq.channel import Channel
from indexer.broker.rabbitmq.connection import BrokerTimeouts, Connection
from indexer.errors import BrokerError
from indexer.messages.message import Send
from indexer.messages.pipelines import Pipeline, Step
from indexer.messages.topology import Queue, Topology
from scripts.services.rabbitmq import manage
from tests.broker.conftest import soon
from tests.patience import PATIENCE
from tests.relay import Relay, silent_server


def test_an_unreachable_broker_is_an_error_without_credentials() -> None:
    started = time.monotonic()
    with pytest.raises(BrokerError, match=r"127.0.0.1:1: .*refused") as caught:
        RabbitMQBroker.open("amqp://user:secret@127.0.0.1:1/?connection_attempts=3&retry_delay=0.1")
    assert time.monotonic() - started > 0.19
    assert "secret" not in repr(caught.value)


def test_a_server_that_says_nothing_is_given_up() -> None:
    with silent_server() as port, pytest.raises(BrokerError, match=str(port)):
        RabbitMQBroker.open(f"amqp://user:secret@127.0.0.1:{port}/?stack_timeout=0.2")


def test_a_name_lookup_without_an_answer_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    answered = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_a, **_k: answered.wait())
    parameters, _ = parse("amqp://host/?stack_timeout=0.05&retry_delay=0")
    with pytest.raises(BrokerError, match="host:5672 has not answered"):
        Connection(parameters, BrokerTimeouts(reply=0.05, close=0.1))
    answered.set()


@pytest.mark.external
def test_queues_of_the_existing_system_are_all_named(rabbitmq_url: str) -> None:
    existing = BlockingConnection(URLParameters(rabbitmq_url.partition("?")[0]))
    # As stories.md 3 and 4 tell: classic durable queues, an exchange that is direct or fanout.
    channel = existing.channel()
    channel.queue_declare("b-in", durable=True)
    channel.queue_declare("b-quar", durable=True)
    dead = {"x-dead-letter-exchange": "", "x-dead-letter-routing-key": "b-in"}
    channel.queue_declare("b-delay", durable=True, arguments=dead)
    channel.exchange_declare("a-out", "fanout", durable=True)
    channel.queue_bind("b-in", "a-out", routing_key="default")
    channel.basic_publish("a-out", "default", b"pickled")
    topology = Pipeline("p", [Step("a", to=["b"]), Step("b")]).compile()
    with closing(RabbitMQBroker.open(rabbitmq_url)) as broker:
        with pytest.raises(BrokerError, match="made by another system") as caught:
            broker.declare(topology)
        for name in ("queue b-in", "queue b-quar", "queue b-delay", "exchange a-out"):
            assert f"{name}," in str(caught.value) or f"{name}." in str(caught.value)
        assert "virtual host of its own" in str(caught.value)
        depth = broker.depth("b-in")
        assert depth
        assert depth.ready == 1
        broker.purge("b-in")
        broker.delete(topology)
        broker.declare(topology)
        assert broker.declared(topology) == []
    existing.close()


class Proxy(Relay):
    """A relay to RabbitMQ; `url` is the server's URL, through the relay."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        super().__init__(parts.hostname or "", parts.port or 0)
        user = parts.netloc.rpartition("@")[0]
        netloc = f"{user}@127.0.0.1:{self.port}"
        self.url = urlunsplit(parts._replace(netloc=netloc, query="management="))


@pytest.fixture
def proxy(rabbitmq_url: str) -> Iterator[Proxy]:
    """A relay to a RabbitMQ that has a queue named "in"."""
    direct = RabbitMQBroker.open(rabbitmq_url)
    direct.declare(Topology([Queue("in")]))
    direct.close()
    with Proxy(rabbitmq_url) as proxy:
        yield proxy


@pytest.fixture
def broker(proxy: Proxy) -> Iterator[RabbitMQBroker]:
    """A broker behind the proxy."""
    broker = RabbitMQBroker.open(proxy.url)
    yield broker
    broker.close()


def with_timeouts(proxy: Proxy, timeouts: BrokerTimeouts) -> RabbitMQBroker:
    """A broker with short timeouts."""
    parameters, management = parse(proxy.url)
    return RabbitMQBroker(Connection(parameters, timeouts), management)


def send(*bodies: bytes) -> Iterator[Send]:
    return (Send("", "in", body) for body in bodies)


CALLS: dict[str, Callable[[RabbitMQBroker], object]] = {
    "publish": lambda broker: broker.publish(send(b"x")),
    "depth": lambda broker: broker.depth("in"),
    "consume": lambda broker: broker.consume("in", 1),
    "purge": lambda broker: broker.purge("in"),
    "declare": lambda broker: broker.declare(Topology([Queue("in")])),
    "declared": lambda broker: broker.declared(Topology([Queue("in")])),
    "delete": lambda broker: broker.delete(Topology([Queue("in")])),
}


@pytest.mark.external
def test_a_lost_connection_ends_every_call(broker: RabbitMQBroker, proxy: Proxy) -> None:
    broker.publish(send(b"x"))
    consumer = broker.consume("in", 1)
    delivery = consumer.receive(PATIENCE)
    assert delivery
    with ThreadPoolExecutor() as pool:
        waiting = [pool.submit(consumer.receive, 60) for _ in range(3)]
        proxy.cut()
        for future in waiting:
            with pytest.raises(BrokerError, match="lost the connection"):
                future.result(PATIENCE)
    with pytest.raises(BrokerError, match="lost the connection"):
        consumer.settle([delivery])
    for call in CALLS.values():
        with pytest.raises(BrokerError, match="lost the connection"):
            call(broker)
    broker.close()


@pytest.mark.external
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())
def test_a_waiting_call_fails_when_the_connection_is_lost(
    broker: RabbitMQBroker, proxy: Proxy, call: Callable[[RabbitMQBroker], object]
) -> None:
    proxy.fall_silent()
    with ThreadPoolExecutor() as pool:
        waiting = pool.submit(call, broker)
        with pytest.raises(TimeoutError):
            waiting.result(0.1)
        proxy.cut()
        with pytest.raises(BrokerError, match="lost the connection"):
            waiting.result(PATIENCE)


@pytest.mark.external
def test_unsettled_messages_of_a_lost_connection_come_again(
    broker: RabbitMQBroker, proxy: Proxy
) -> None:
    broker.publish(send(b"x"))
    assert broker.consume("in", 1).receive(PATIENCE)
    proxy.cut()
    with suppress(BrokerError):
        broker.close()
    again = RabbitMQBroker.open(proxy.url)
    delivery = again.consume("in", 1).receive(PATIENCE)
    assert delivery
    assert (delivery.body, delivery.deliveries) == (b"x", 2)
    again.close()


@pytest.mark.external
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())
def test_a_broker_that_falls_silent_is_given_up(
    proxy: Proxy,
    call: Callable[[RabbitMQBroker], object],
) -> None:
    broker = with_timeouts(proxy, BrokerTimeouts(reply=0.2, close=0.05))
    proxy.fall_silent()
    with pytest.raises(BrokerError, match=r"not answered for 0\.2 s"):
        call(broker)
    broker.close()


@pytest.mark.external
def test_closing_waits_for_confirms_but_not_for_ever(proxy: Proxy) -> None:
    broker = with_timeouts(proxy, BrokerTimeouts(drain=0.1, close=0.05))
    broker.publish(send(b"x"))
    taking = broker.consume("in", 1)
    delivery = taking.receive(PATIENCE)
    assert delivery
    proxy.fall_silent()
    taking.settle([delivery], [*send(b"output")])
    with pytest.raises(BrokerError, match=r"not confirmed .* \(1 waiting"):
        broker.close()


@pytest.mark.external
def test_publishing_waits_while_too_much_is_in_flight(
    broker: RabbitMQBroker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publisher, "IN_FLIGHT", 2)
    broker.publish(send(*[b"x"] * 30))
    taking = broker.consume("in", 30)
    for _ in range(30):
        delivery = taking.receive(PATIENCE)
        assert delivery
        taking.settle([delivery], [*send(b"a", b"b")])
    taking.close()
    assert soon(lambda: (broker.depth("in") or (0,))[0] == 60)


@pytest.mark.external
def test_a_large_prefetch_is_asked_for_in_portions(
    broker: RabbitMQBroker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consumer, "PORTION", 3)
    broker.publish(send(*[b"%d" % number for number in range(25)]))
    taking = broker.consume("in", 10)
    assert soon(lambda: (broker.depth("in") or (0,))[0] == 22)  # a portion is on its way
    for start in (0, 10):
        batch = [taking.receive(PATIENCE) for _ in range(10)]
        assert [d and d.body for d in batch] == [b"%d" % n for n in range(start, start + 10)]
        assert taking.receive(0.1) is None
        taking.settle([delivery for delivery in batch[::-1] if delivery])
    assert taking.receive(PATIENCE)


@pytest.mark.external
def test_messages_before_the_first_unsettled_one_are_acknowledged_together(
    broker: RabbitMQBroker, monkeypatch: pytest.MonkeyPatch
) -> None:
    broker.publish(send(*[b"x"] * 7))
    taking = broker.consume("in", 10)
    deliveries = [each for _ in range(7) if (each := taking.receive(PATIENCE))]
    acknowledged: list[tuple[int, bool]] = []
    channel = taking._channel.pika  # type: ignore[attr-defined] # a RabbitMQConsumer
    acknowledge = channel.basic_ack

    def record(tag: int, multiple: bool = False) -> None:
        acknowledged.append((tag, multiple))
        acknowledge(tag, multiple)

    monkeypatch.setattr(channel, "basic_ack", record)
    for tags in ([2], [1], [4, 3], [7, 6], [5]):
        taking.settle([deliveries[tag - 1] for tag in tags])
    taking.close()
    assert acknowledged[:3] == [(2, False), (1, True), (4, True)]
    assert sorted(acknowledged[3:5]) == [(6, False), (7, False)]
    assert acknowledged[5:] == [(5, True)]
    assert soon(lambda: (broker.depth("in") or (1,))[0] == 0)


@pytest.mark.external
def test_a_message_that_a_queue_refuses_is_an_error(broker: RabbitMQBroker) -> None:
    name = f"full-{uuid4().hex}"
    with broker.channel() as channel:
        arguments = {"x-max-length": 1, "x-overflow": "reject-publish"}
        channel.ask("queue_declare", queue=name, arguments=arguments, exclusive=True)
        with pytest.raises(BrokerError, match="refused"):
            broker.publish([Send("", name, b"x")] * 5)


@pytest.mark.external
def test_depth_keeps_one_channel_and_replaces_it_when_it_fails(
    broker: RabbitMQBroker, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Channel] = []

    def opening(connection: Connection) -> Channel:
        opened.append(Channel(connection))
        return opened[-1]

    monkeypatch.setattr("indexer.broker.rabbitmq.broker.Channel", opening)
    with ThreadPoolExecutor(4) as pool:
        depths = list(pool.map(broker.depth, ["in"] * 8))
    assert depths == [(0, None, 0, None)] * 8
    assert len(opened) == 1
    assert broker.depth("nowhere") is None
    assert broker.depth("in") == broker.depth("in") == depths[0]
    assert len(opened) == 2


@pytest.mark.external
def test_closed_consumers_take_no_memory(broker: RabbitMQBroker) -> None:
    references = []
    for _ in range(3):
        consumer = broker.consume("in", 1)
        references.append(weakref.ref(consumer))
        consumer.close()
    del consumer
    broker.consume("in", 1)
    gc.collect()
    assert [reference() for reference in references] == [None] * 3


@pytest.mark.external
def test_a_queue_with_other_settings_is_an_error_with_advice(broker: RabbitMQBroker) -> None:
    other = Topology([Queue("in", dead_letter="quar")])
    with pytest.raises(BrokerError, match=r"other settings: queue in\. .*pipeline delete"):
        broker.declare(other)


@pytest.mark.external
def test_a_queue_of_somebody_else_is_an_error(broker: RabbitMQBroker, rabbitmq_url: str) -> None:
    other = RabbitMQBroker.open(rabbitmq_url)
    with other.channel() as channel:
        channel.ask("queue_declare", queue="own", exclusive=True)
        for call in (
            lambda: broker.depth("own"),
            lambda: broker.purge("own"),
            lambda: broker.declared(Topology([Queue("own")])),
        ):
            with pytest.raises(BrokerError, match=r"queue own: .*LOCKED"):
                call()
    other.close()


@pytest.mark.external
def test_a_user_without_configure_permission_can_check_a_topology(
    broker: RabbitMQBroker, rabbitmq_url: str
) -> None:
    url = urlsplit(rabbitmq_url)
    user = f"reader-{uuid4().hex[:8]}"
    rights = {"configure": "", "write": ".*", "read": ".*"}
    manage(rabbitmq_url, "PUT", f"users/{user}", {"password": "secret", "tags": ""})
    manage(rabbitmq_url, "PUT", f"permissions{url.path}/{user}", rights)
    netloc = f"{user}:secret@{url.hostname}:{url.port}"
    reader = RabbitMQBroker.open(urlunsplit(url._replace(netloc=netloc)))
    assert reader.declared(Topology([Queue("in", dead_letter="other")])) == []
    assert reader.declared(Topology([Queue("out")])) == ["no queue out"]
    reader.close()
    manage(rabbitmq_url, "DELETE", f"users/{user}")


@pytest.mark.external
def test_a_channel_is_not_used_after_its_end(broker: RabbitMQBroker) -> None:
    with broker.channel() as channel:
        pass
    channel.post(lambda: pytest.fail("it is closed"))
    with pytest.raises(BrokerError, match="closed"):
        channel.ask("queue_declare", queue="in", passive=True)


@pytest.mark.external
def test_an_error_in_the_io_thread_ends_every_call(broker: RabbitMQBroker) -> None:
    def broken() -> None:
        raise ZeroDivisionError

    taking = broker.consume("in", 1)
    with broker.channel() as channel:
        channel.post(broken)
        with pytest.raises(BrokerError, match="lost the connection"):
            taking.receive(PATIENCE)


@pytest.mark.external
def test_the_connection_has_a_thread_of_its_own(rabbitmq_url: str) -> None:
    io = Connection(parse(rabbitmq_url)[0])
    channel = Channel(io)
    ran: list[threading.Thread] = []
    channel.post(lambda: ran.append(threading.current_thread()))
    channel.close()
    io.close()
    assert ran[0] is not threading.current_thread()
    assert not ran[0].is_alive()
