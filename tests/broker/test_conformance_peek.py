"""The promises of every broker about peeking into queues, and listing them."""

import time

import pytest

from indexer.broker import Broker
from indexer.errors import BrokerError
from indexer.messages.message import Send, first_key
from tests.broker.conftest import Place, bodies, soon
from tests.patience import PATIENCE


def ready(broker: Broker, queue: str) -> int:
    depth = broker.depth(queue)
    assert depth
    return depth.ready


def test_peeking_shows_the_first_messages_as_they_were_sent(broker: Broker, place: Place) -> None:
    broker.publish(Send(place.out, "a.key", b"%d" % n, {"number": n}) for n in range(5))
    seen = [*broker.peek(place.next, 3)]
    assert [(d.body, d.key, d.headers) for d in seen] == [
        (b"%d" % n, "a.key", {"number": n}) for n in range(3)
    ]


def test_peeking_leaves_the_queue_as_it_was(broker: Broker, place: Place) -> None:
    broker.publish(Send("", place.quar, b"%d" % n) for n in range(300))
    for limit in (32, 250, 1000):
        assert len({delivery.body for delivery in broker.peek(place.quar, limit)}) == min(
            limit, 300
        )
        assert soon(lambda: ready(broker, place.quar) == 300)
    assert {*bodies(broker, place.quar, 300)} == {b"%d" % n for n in range(300)}


def test_peeked_messages_are_still_first_and_in_order(broker: Broker, place: Place) -> None:
    broker.publish(Send("", place.quar, b"%d" % n) for n in range(40))
    for _ in range(2):
        assert [d.body for d in broker.peek(place.quar, 20)] == [b"%d" % n for n in range(20)]
        assert soon(lambda: ready(broker, place.quar) == 40)
    assert bodies(broker, place.quar, 40) == [b"%d" % n for n in range(40)]


def test_a_closed_peek_leaves_the_queue_as_it_was(broker: Broker, place: Place) -> None:
    broker.publish(Send("", place.quar, b"%d" % n) for n in range(5))
    looking = broker.peek(place.quar, 5)
    assert next(looking).body == b"0"
    looking.close()
    assert soon(lambda: ready(broker, place.quar) == 5)
    assert bodies(broker, place.quar, 5) == [b"%d" % n for n in range(5)]


def test_peeking_does_not_show_messages_of_a_consumer(broker: Broker, place: Place) -> None:
    broker.publish(Send("", place.quar, b"%d" % n) for n in range(3))
    consumer = broker.consume(place.quar, 1)
    assert consumer.receive(PATIENCE)
    assert [delivery.body for delivery in broker.peek(place.quar, 3)] == [b"1", b"2"]


@pytest.mark.parametrize("limit", [0, -1, 5])
def test_peeking_into_an_empty_queue_shows_nothing(
    broker: Broker, place: Place, limit: int
) -> None:
    assert [*broker.peek(place.input, limit)] == []


def test_peeking_into_a_missing_queue_is_an_error(broker: Broker, place: Place) -> None:
    with pytest.raises(BrokerError, match=place.nowhere):
        next(broker.peek(place.nowhere, 1))


def test_no_message_is_dead_lettered_by_peeking(broker: Broker, place: Place) -> None:
    broker.publish(Send(place.out, "a.key", b"%d" % n) for n in range(2))
    broker.publish([place.send(b"seen often", headers={"x": 1})])
    for _ in range(5):  # the limit of the queue is one
        assert [delivery.body for delivery in broker.peek(place.input, 1)] == [b"seen often"]
        assert soon(lambda: ready(broker, place.input) == 1)
    [delivery] = broker.peek(place.input, 1)
    assert (delivery.headers["x"], first_key(delivery)) == (1, place.input)
    assert ready(broker, place.quar) == 0


def test_a_peeked_message_expires_when_its_time_is_over(broker: Broker, place: Place) -> None:
    # On a busy machine a message may expire before it is peeked; then another one waits longer.
    for seconds in (0.3, 3.0, 30.0):
        started = time.monotonic()
        broker.publish([Send("", place.delay, b"later", delay=seconds)])
        peeked = [delivery.body for delivery in broker.peek(place.delay, 1)]
        assert bodies(broker, place.input, 1) == [b"later"]
        assert time.monotonic() - started > seconds - 0.01
        if peeked:
            break
    assert peeked == [b"later"]


def test_the_names_of_all_queues_are_known(broker: Broker, place: Place) -> None:
    names = broker.queues()
    assert names is not None
    assert {queue.name for queue in place.topology.queues} <= {*names}
    assert names == sorted(names)


def test_the_names_of_all_exchanges_are_known(broker: Broker, place: Place) -> None:
    names = broker.exchanges()
    assert {*place.topology.exchanges} <= {*names}
    assert names == sorted(names)
    assert not {name for name in names if not name or name.startswith("amq.")}
