"""The promises of every broker to programs that publish and consume."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import pytest

from indexer.broker import Broker, Consumer
from indexer.errors import BrokerError, Unroutable
from indexer.messages.message import Delivery, Headers, Send
from tests.broker.conftest import Place, bodies, soon
from tests.each_row import each_row
from tests.patience import PATIENCE


def receive(consumer: Consumer) -> Delivery:
    delivery = consumer.receive(PATIENCE)
    assert delivery
    return delivery


def test_a_message_arrives_as_it_was_sent(broker: Broker, place: Place) -> None:
    headers: Headers = {"text": "Ελλάδα 漢字 😀", "number": -5, "large": 2**40}
    broker.publish([Send(place.out, "a.key", b"body", headers)])
    delivery = receive(broker.consume(place.next, 1))
    assert (delivery.body, delivery.key, delivery.headers) == (b"body", "a.key", headers)
    assert delivery.deliveries == 1


@each_row("body", [b"", b"\x00", bytes(range(256)), b"\r\n\r\n", bytes(5_000_000)])
def test_any_body_arrives_whole(broker: Broker, place: Place, body: bytes) -> None:
    broker.publish([place.send(body)])
    assert bodies(broker, place.input, 1) == [body]


def test_a_header_that_is_not_unicode_is_escaped(broker: Broker, place: Place) -> None:
    broker.publish([place.send(b"", headers={"what": "bad \ud800"})])
    assert receive(broker.consume(place.input, 1)).headers == {"what": r"bad \ud800"}


def test_messages_come_in_the_order_they_were_sent(broker: Broker, place: Place) -> None:
    sent = [b"%d" % number for number in range(200)]
    broker.publish(place.send(body) for body in sent)
    assert bodies(broker, place.input, 200) == sent


def test_an_exchange_sends_a_copy_to_each_queue_once(broker: Broker, place: Place) -> None:
    broker.publish([Send(place.out, "default", b"both"), Send(place.out, "other", b"one")])
    assert bodies(broker, place.next, 2) == [b"both", b"one"]
    assert bodies(broker, place.copy, 1) == [b"both"]


def test_a_queue_that_does_not_keep_swallows(broker: Broker, place: Place) -> None:
    broker.publish([Send(place.last, "default", b"x"), Send("", place.end, b"x")])
    assert broker.depth(place.end) == (0, *broker.depth(place.end)[1:])  # type: ignore[index]
    assert broker.consume(place.end, 1).receive(0.1) is None


UNROUTABLE = ["", "lost", "unknown"]


def unroutable(place: Place, exchange: str) -> Send:
    return Send(exchange and getattr(place, exchange), place.nowhere, b"lost")


@each_row("exchange", UNROUTABLE)
def test_a_message_for_no_queue_is_refused(broker: Broker, place: Place, exchange: str) -> None:
    with pytest.raises(Unroutable, match=place.name):
        broker.publish([unroutable(place, exchange)])
    broker.publish([place.send(b"next")])
    assert bodies(broker, place.input, 1) == [b"next"]


@each_row(("exchange", "raised_by"), list(product(UNROUTABLE, ["receive", "settle", "close"])))
def test_an_unroutable_output_leaves_the_input_unsettled(
    broker: Broker, place: Place, exchange: str, raised_by: str
) -> None:
    broker.publish([place.send(b"input")])
    consumer = broker.consume(place.input, 1)
    sends = [Send(place.out, "default", b"fine"), unroutable(place, exchange)]
    delivery = receive(consumer)
    with pytest.raises(Unroutable):  # noqa: PT012 - one or the other says it
        consumer.settle([delivery], sends)
        if raised_by == "receive":
            consumer.receive(PATIENCE)
        while raised_by == "settle":
            consumer.settle([])
        consumer.close()
    consumer.close()
    assert bodies(broker, place.input, 1) == [b"input"]


def test_settle_publishes_outputs_and_deletes_the_input(broker: Broker, place: Place) -> None:
    broker.publish([place.send(b"input")])
    consumer = broker.consume(place.input, 1)
    consumer.settle([receive(consumer)], [Send(place.out, "default", b"output")])
    consumer.close()
    assert bodies(broker, place.next, 1) == [b"output"]
    assert broker.consume(place.input, 1).receive(0.1) is None


def test_a_message_is_settled_once(broker: Broker, place: Place) -> None:
    broker.publish([place.send(b"x")])
    consumer = broker.consume(place.input, 1)
    delivery = receive(consumer)
    consumer.settle([delivery])
    with pytest.raises(BrokerError, match="twice"):
        consumer.settle([delivery])


def test_closing_gives_back_unsettled_messages(broker: Broker, place: Place) -> None:
    broker.publish(place.send(b"%d" % number) for number in range(4))
    consumer = broker.consume(place.input, 3)
    assert receive(consumer).body == b"0"
    consumer.settle([receive(consumer)])
    consumer.close()
    assert sorted(bodies(broker, place.input, 3)) == [b"0", b"2", b"3"]


def test_a_message_that_ends_its_programs_is_put_aside(broker: Broker, place: Place) -> None:
    broker.publish([place.send(b"poison"), place.send(b"fine")])
    for deliveries in (1, 2):  # its limit, and one more
        consumer = broker.consume(place.input, 1)
        delivery = receive(consumer)
        assert (delivery.body, delivery.deliveries) == (b"poison", deliveries)
        consumer.close()
    assert bodies(broker, place.quar, 1) == [b"poison"]
    assert bodies(broker, place.input, 1) == [b"fine"]


def test_a_delayed_message_comes_when_its_time_is_over(broker: Broker, place: Place) -> None:
    broker.publish([Send("", place.delay, b"tomorrow", delay=86_400)])
    assert broker.depth(place.delay)[0] == 1  # type: ignore[index]
    assert broker.depth(place.input)[0] == 0  # type: ignore[index]
    broker.purge(place.delay)
    started = time.monotonic()
    broker.publish([Send("", place.delay, b"later", {"of": "it"}, delay=0.2)])
    delivery = receive(broker.consume(place.input, 1))
    assert time.monotonic() - started > 0.19
    assert (delivery.body, delivery.headers, delivery.key) == (b"later", {"of": "it"}, place.input)
    assert delivery.deliveries == 1
    assert broker.depth(place.delay)[0] == 0  # type: ignore[index]


def test_a_delayed_message_is_counted_where_it_went(broker: Broker, place: Place) -> None:
    broker.publish([Send("", place.delay, b"soon", delay=0)])
    assert soon(lambda: broker.depth(place.input)[0] == 1)  # type: ignore[index]


def test_a_shorter_delay_behind_a_longer_one_is_not_lost(broker: Broker, place: Place) -> None:
    broker.publish(
        [Send("", place.delay, b"long", delay=0.2), Send("", place.delay, b"short", delay=0.05)]
    )
    assert sorted(bodies(broker, place.input, 2)) == [b"long", b"short"]


def test_receive_waits_as_long_as_it_should(broker: Broker, place: Place) -> None:
    consumer = broker.consume(place.input, 1)
    started = time.monotonic()
    assert consumer.receive(0.1) is None
    assert time.monotonic() - started > 0.09


def test_a_consumer_knows_that_its_queue_is_empty(broker: Broker, place: Place) -> None:
    consumer = broker.consume(place.input, 1)
    assert consumer.receive(0) is None
    assert consumer.is_empty()
    broker.publish([place.send(b"x")])
    while (delivery := consumer.receive(0)) is None:
        assert not consumer.is_empty()
    assert delivery.body == b"x"


def test_receive_wakes_up_for_a_message(broker: Broker, place: Place) -> None:
    consumer = broker.consume(place.input, 1)
    timer = threading.Timer(0.1, broker.publish, [[place.send(b"x")]])
    timer.start()
    receive(consumer)
    timer.join()


def test_no_more_than_the_prefetch_is_handed_out(broker: Broker, place: Place) -> None:
    broker.publish(place.send(b"%d" % number) for number in range(4))
    consumer = broker.consume(place.input, 2)
    held = [receive(consumer), receive(consumer)]
    assert consumer.receive(0.1) is None
    assert broker.depth(place.input)[0] == 2  # type: ignore[index]
    consumer.settle(held[:1])
    assert receive(consumer).body == b"2"
    assert consumer.receive(0.1) is None


def test_threads_may_publish_at_once(broker: Broker, place: Place) -> None:
    with ThreadPoolExecutor(8) as pool:
        for thread in range(8):
            pool.submit(broker.publish, [place.send(b"%d" % (thread * 20 + n)) for n in range(20)])
    assert sorted(map(int, bodies(broker, place.input, 160))) == [*range(160)]


def test_threads_may_settle_messages_that_another_received(broker: Broker, place: Place) -> None:
    broker.publish(place.send(b"%d" % number) for number in range(100))
    consumer = broker.consume(place.input, 20)
    with ThreadPoolExecutor(8) as pool:
        for _ in range(100):
            delivery = receive(consumer)
            pool.submit(consumer.settle, [delivery], [Send(place.out, "x", delivery.body)])
    consumer.close()
    assert sorted(map(int, bodies(broker, place.next, 100))) == [*range(100)]
    assert broker.consume(place.input, 1).receive(0.1) is None


def test_consumers_share_a_queue_each_message_once(broker: Broker, place: Place) -> None:
    broker.publish(place.send(b"%d" % number) for number in range(300))
    consumers = [broker.consume(place.input, 3) for _ in range(3)]

    seen: list[bytes] = []

    def work(consumer: Consumer) -> None:
        end = time.monotonic() + PATIENCE
        while len(seen) < 300 and time.monotonic() < end:
            if delivery := consumer.receive(0.05):
                consumer.settle([delivery])
                seen.append(delivery.body)

    with ThreadPoolExecutor() as pool:
        list(pool.map(work, consumers * 2))
    assert sorted(map(int, seen)) == [*range(300)]


def test_a_batch_is_settled_in_one_call(broker: Broker, place: Place) -> None:
    broker.publish(place.send(b"%d" % number) for number in range(250))
    consumer = broker.consume(place.input, 250)
    batch = [receive(consumer) for _ in range(250)]
    consumer.settle(batch, [Send(place.out, "x", b"one for all")])
    consumer.close()
    assert bodies(broker, place.next, 1) == [b"one for all"]
    assert soon(lambda: broker.depth(place.input)[0] == 0)  # type: ignore[index]


def test_a_closed_broker_or_consumer_refuses(broker: Broker, place: Place) -> None:
    consumer = broker.consume(place.input, 1)
    consumer.close()
    consumer.close()
    with pytest.raises(BrokerError):
        consumer.receive(0)
    broker.close()
    broker.close()
    with pytest.raises(BrokerError):
        broker.publish([place.send(b"x")])
    with pytest.raises(BrokerError):
        broker.depth(place.input)
