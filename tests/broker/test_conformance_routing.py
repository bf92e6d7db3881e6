"""The promises of every broker about messages that no queue takes, and shared exchanges."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from indexer.broker import Broker
from indexer.errors import BrokerError, Unroutable
from indexer.messages.exchanges import Unheard
from indexer.messages.message import Send
from indexer.messages.topology import Binding, Destination, Queue, Topology, instance_topology
from indexer.metrics import attached
from indexer.metrics.snapshot import Snapshot
from tests.broker.conftest import Place, bodies, soon
from tests.broker.test_conformance import receive
from tests.each_row import each_row

ERROR, RETURNED, DROPPED = Unheard
TO_EXCHANGE = Destination.EXCHANGE


def said(place: Place, key: str, unheard: Unheard, exchange: str = "all") -> Send:
    """A message to the exchange, or to another one of the place."""
    return Send(exchange and getattr(place, exchange), key, key.encode(), unheard=unheard)


def declare_all(broker: Broker, place: Place) -> Topology:
    """Declare the exchange `all`, from which `next` gets the key `heard`; `front` leads to it."""
    topology = Topology(
        [Queue(place.next)],
        [place.all, place.front],
        [
            Binding(place.all, place.next, "heard"),
            Binding(place.front, place.all, "#", TO_EXCHANGE),
        ],
    )
    broker.declare(topology)
    return topology


@contextmanager
def dropped() -> Iterator[Counter[str]]:
    """The messages that are counted as dropped, by exchange; known at the end."""
    counted: Counter[str] = Counter()
    snapshot = Snapshot()
    with attached(snapshot):
        yield counted
    for row in snapshot.rows():
        if row["name"] == "unheard-msgs":
            counted[row["labels"]["dest"]] += int(row["value"])


@each_row("exchange", ["all", "front"])
def test_a_request_that_no_queue_takes_comes_back(
    broker: Broker, place: Place, exchange: str
) -> None:
    declare_all(broker, place)
    request = said(place, "nobody", RETURNED, exchange)
    with dropped() as counted:
        [returned] = broker.publish([request])
    assert returned is request
    assert not counted
    assert broker.publish([said(place, "heard", RETURNED, exchange)]) == []
    assert bodies(broker, place.next, 1) == [b"heard"]


@each_row("exchange", ["all", "front"])
def test_a_notice_that_no_queue_takes_is_counted_and_dropped(
    broker: Broker, place: Place, exchange: str
) -> None:
    declare_all(broker, place)
    notices = [said(place, key, DROPPED, exchange) for key in ("nobody", "heard", "nobody")]
    with dropped() as counted:
        assert broker.publish(notices) == []
    assert counted == {getattr(place, exchange): 2}
    assert bodies(broker, place.next, 1) == [b"heard"]


@each_row("exchange", ["all", "front"])
def test_an_unheard_message_without_a_table_is_an_error(
    broker: Broker, place: Place, exchange: str
) -> None:
    declare_all(broker, place)
    with pytest.raises(Unroutable, match="nobody"):
        broker.publish([said(place, "nobody", ERROR, exchange)])


def test_a_queue_that_is_missing_may_be_a_request_nobody_serves(
    broker: Broker, place: Place
) -> None:
    request = said(place, place.nowhere, RETURNED, exchange="")
    assert broker.publish([request]) == [request]


@each_row("unheard", list(Unheard))
def test_a_missing_exchange_is_an_error_whatever_its_table_says(
    broker: Broker, place: Place, unheard: Unheard
) -> None:
    with pytest.raises(Unroutable, match=place.unknown):
        broker.publish([said(place, "nobody", unheard, exchange="unknown")])


def test_meanings_may_be_mixed_in_one_exchange(broker: Broker, place: Place) -> None:
    declare_all(broker, place)
    sends = [
        said(place, key, unheard)
        for key in ("heard", "nobody")
        for unheard in (RETURNED, DROPPED, RETURNED)
    ] + [said(place, "heard", ERROR)]
    with dropped() as counted:
        returned = broker.publish(sends)
    # Equal messages: only the object tells which of them came back.
    assert [id(send) for send in returned] == [id(sends[3]), id(sends[5])]
    assert counted == {place.all: 1}
    assert bodies(broker, place.next, 4) == [b"heard"] * 4


def test_an_error_loses_nothing_that_was_published_before(broker: Broker, place: Place) -> None:
    declare_all(broker, place)
    broker.publish([said(place, "heard", ERROR)])
    mixed = [
        said(place, "nobody", RETURNED),
        said(place, "nobody", DROPPED),
        said(place, "nobody", ERROR),
        said(place, "nobody", RETURNED),
    ]
    with pytest.raises(Unroutable):
        broker.publish(mixed)
    assert broker.publish(mixed[:2]) == mixed[:1]
    assert bodies(broker, place.next, 1) == [b"heard"]


def test_an_error_between_settlements_loses_no_input(broker: Broker, place: Place) -> None:
    declare_all(broker, place)
    broker.publish(place.send(b"%d" % number) for number in range(6))
    consumer = broker.consume(place.input, 6)
    with pytest.raises(Unroutable):  # noqa: PT012 - one of them raises it
        for number in range(6):
            key = "nobody" if number == 3 else "heard"
            output = Send(place.all, key, b"%d" % number)
            consumer.settle([receive(consumer)], [output, said(place, "nobody", DROPPED)])
        consumer.close()
    consumer.close()
    consumers = [broker.consume(queue, 20) for queue in (place.input, place.next)]
    found: set[bytes] = set()

    def complete() -> bool:
        found.update(d.body for each in consumers if (d := each.receive(0.01)))
        return len(found) == 6

    # RabbitMQ returns the unsettled messages a moment after the channel is closed.
    assert soon(complete)


def test_a_notice_is_dropped_when_its_input_is_settled(broker: Broker, place: Place) -> None:
    declare_all(broker, place)
    broker.publish([place.send(b"input")])
    consumer = broker.consume(place.input, 1)
    with dropped() as counted:
        sends = [said(place, "nobody", DROPPED), said(place, "heard", ERROR)]
        consumer.settle([receive(consumer)], sends)
        consumer.close()
    assert counted == {place.all: 1}
    assert bodies(broker, place.next, 1) == [b"heard"]
    assert broker.consume(place.input, 1).receive(0.1) is None


def test_what_may_come_back_is_not_settled(broker: Broker, place: Place) -> None:
    declare_all(broker, place)
    broker.publish([place.send(b"input")])
    consumer = broker.consume(place.input, 1)
    delivery = receive(consumer)
    with pytest.raises(BrokerError, match="published, not settled"):
        consumer.settle([delivery], [said(place, "heard", RETURNED)])
    consumer.close()
    assert bodies(broker, place.input, 1) == [b"input"]
    assert broker.consume(place.next, 1).receive(0.1) is None


def test_a_message_reaches_a_queue_once_however_many_ways_lead_there(
    broker: Broker, place: Place
) -> None:
    broker.declare(
        Topology(
            [Queue(place.next)],
            [place.front, place.left, place.right],
            [
                Binding(place.front, place.left, "a.#", TO_EXCHANGE),
                Binding(place.front, place.right, "#", TO_EXCHANGE),
                Binding(place.front, place.next, "a.b"),
                Binding(place.left, place.next, "#"),
                Binding(place.right, place.next, "*.b"),
                # A circle.
                Binding(place.right, place.front, "#", TO_EXCHANGE),
            ],
        )
    )
    keys = ["a.b", "a.c", "b.b", "c"]
    sends = [Send(place.front, key, key.encode(), unheard=RETURNED) for key in keys]
    assert broker.publish(sends) == sends[3:]
    assert bodies(broker, place.next, 3) == [b"a.b", b"a.c", b"b.b"]
    assert broker.consume(place.next, 1).receive(0.1) is None


def test_bindings_of_exchanges_are_checked_and_removed(broker: Broker, place: Place) -> None:
    whole = declare_all(broker, place)
    assert broker.declared(whole) == []
    less = Topology(whole.queues, whole.exchanges, whole.bindings[:1])
    [line] = broker.declared(less)
    assert f"exchange {place.all} should not be bound to {place.front} (#)" in line
    broker.declare(less)
    assert broker.declared(less) == []
    [line] = broker.declared(whole)
    assert f"exchange {place.all} is not bound to {place.front} (#)" in line


def shared_by(place: Place, queue: str, *keys: str) -> Topology:
    """A topology with a queue and an output exchange, on an exchange that others use, too."""
    return Topology(
        [Queue(queue)],
        [f"{queue}-out"],
        [
            *(Binding(place.all, queue, key) for key in keys),
            Binding(f"{queue}-out", place.all, "#", TO_EXCHANGE),
        ],
        shared=[place.all],
    )


def test_of_a_shared_exchange_only_own_bindings_are_removed(broker: Broker, place: Place) -> None:
    foreign, old = shared_by(place, place.foreign, "a"), shared_by(place, place.own, "a", "b")
    new = shared_by(place, place.own, "b", "c")
    for topology in (foreign, old, new):
        broker.declare(topology)
    assert broker.declared(foreign) == broker.declared(new) == []
    assert broker.publish([Send(place.all, "a", b"foreign"), Send(place.all, "c", b"own")]) == []
    assert bodies(broker, place.foreign, 1) == [b"foreign"]
    assert bodies(broker, place.own, 1) == [b"own"]


def test_a_shared_exchange_is_deleted_by_its_last_user(broker: Broker, place: Place) -> None:
    one, other = shared_by(place, place.one, "a"), shared_by(place, place.other, "a")
    broker.declare(one)
    broker.declare(other)
    broker.delete(one)
    assert broker.declared(other) == []
    assert broker.declared(one)
    broker.delete(other)
    with pytest.raises(Unroutable):
        broker.publish([Send(place.all, "a", b"")])


def with_instances(place: Place) -> Topology:
    """A step whose instances get the key `stop`, each in a queue of its own."""
    exchange = f"{place.name}-instances"
    return Topology(
        exchanges=[place.all],
        bindings=[Binding(place.all, exchange, "stop", TO_EXCHANGE)],
        instances=[exchange],
    )


def test_each_instance_gets_what_all_are_to_hear(broker: Broker, place: Place) -> None:
    step = with_instances(place)
    broker.declare(step)
    request = Send(place.all, "stop", b"x", unheard=RETURNED)
    assert broker.publish([request]) == [request]
    instances = [instance_topology(place.name, name) for name in ("one", "two")]
    for instance in instances:
        broker.declare(instance)
        # A restarted instance finds its queue again.
        broker.declare(instance)
    broker.declare(step)
    assert broker.declared(step) == []
    assert broker.publish([request]) == []
    for instance in instances:
        assert bodies(broker, instance.queues[0].name, 1) == [b"x"]
    broker.delete(step)
    assert broker.declared(step)


def test_an_instance_of_a_step_that_is_not_configured_is_an_error(
    broker: Broker, place: Place
) -> None:
    with pytest.raises(BrokerError, match=rf"to {place.name}-instances: .*configure"):
        broker.declare(instance_topology(place.name, "one"))


def test_another_expiry_is_another_setting(broker: Broker, place: Place) -> None:
    queue = Queue(place.expiring, expires=600)
    broker.declare(Topology([queue]))
    assert broker.declared(Topology([queue])) == []
    [line] = broker.declared(Topology([Queue(place.expiring, expires=601)]))
    assert f"queue {place.expiring} has other settings" in line
