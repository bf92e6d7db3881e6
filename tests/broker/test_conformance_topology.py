"""The promises of every broker about queues, exchanges and bindings."""

from dataclasses import replace

import pytest

from indexer.broker import Broker, Depth
from indexer.errors import BrokerError
from indexer.messages.message import Send
from indexer.messages.pipelines import Pipeline, Step
from indexer.messages.topics import matches
from indexer.messages.topology import (
    Binding,
    Destination,
    Queue,
    Topology,
    input_queue,
    waiting_queues,
)
from tests.broker.conftest import Place, bodies, soon
from tests.messages.test_topics import KEYS, PATTERNS
from tests.patience import PATIENCE


def test_a_declared_topology_has_no_differences(broker: Broker, place: Place) -> None:
    assert broker.declared(place.topology) == []


def test_the_routes_are_all_queues_with_dead_letters_and_all_bindings(
    broker: Broker, place: Place
) -> None:
    front = Binding(place.lost, place.out, "a.*", Destination.EXCHANGE)
    broker.declare(replace(place.topology, bindings=[*place.topology.bindings, front]))
    routes = broker.routes()
    assert routes
    ours = {q.name: q.dead_letter for q in routes.queues if q.name.startswith(place.name)}
    assert ours == {queue.name: queue.dead_letter for queue in place.topology.queues}
    found = {each for each in routes.bindings if each.exchange.startswith(place.name)}
    assert found == {*place.topology.bindings, front}


def test_a_long_wait_in_one_queue_holds_up_no_other_queue(broker: Broker, place: Place) -> None:
    steps = Pipeline("p", [Step(place.source, to=[place.step]), Step(place.step)]).compile()
    broker.declare(steps)
    *others, longest = waiting_queues(place.step)
    broker.publish([Send("", longest, b"long", delay=3600)])
    broker.publish([Send("", name, name.encode(), delay=0.01) for name in others])
    found = bodies(broker, input_queue(place.step), len(others))
    broker.delete(steps)
    assert sorted(found) == sorted(name.encode() for name in others)


def test_missing_queues_and_exchanges_are_listed(broker: Broker, place: Place) -> None:
    more = Topology([Queue(place.other)], [place.third], [Binding(place.out, place.next, "more")])
    missing = "\n".join(broker.declared(more))
    assert f"no queue {place.other}" in missing
    assert f"no exchange {place.third}" in missing


def test_other_settings_are_listed(broker: Broker, place: Place) -> None:
    other = Topology([Queue(place.input, dead_letter=place.next)])
    [line] = broker.declared(other)
    assert f"queue {place.input} has other settings" in line


def test_declaring_twice_changes_nothing(broker: Broker, place: Place) -> None:
    broker.publish([place.send(b"kept")])
    broker.declare(place.topology)
    assert broker.declared(place.topology) == []
    assert bodies(broker, place.input, 1) == [b"kept"]


def test_a_binding_that_is_no_longer_wanted_is_removed(broker: Broker, place: Place) -> None:
    without_copy = replace(place.topology, bindings=[Binding(place.out, place.next, "#")])
    assert any(place.copy in line for line in broker.declared(without_copy))
    broker.declare(without_copy)
    assert broker.declared(without_copy) == []
    broker.publish([Send(place.out, "default", b"x")])
    assert broker.depth(place.next)[0] == 1  # type: ignore[index]
    assert broker.depth(place.copy)[0] == 0  # type: ignore[index]


def test_bindings_of_other_exchanges_are_left_alone(broker: Broker, place: Place) -> None:
    broker.declare(Topology(exchanges=[place.lost]))
    assert broker.declared(place.topology) == []


def test_deleted_queues_are_gone(broker: Broker, place: Place) -> None:
    broker.publish([place.send(b"x")])
    broker.delete(place.topology)
    assert broker.depth(place.input) is None
    assert len(broker.declared(place.topology)) >= len(place.topology.queues)
    broker.declare(place.topology)
    assert broker.depth(place.input)[0] == 0  # type: ignore[index]


def test_deleting_missing_queues_is_no_error(broker: Broker, place: Place) -> None:
    broker.delete(Topology([Queue(place.other)], [place.third]))


def test_depth_counts_messages_and_consumers(broker: Broker, place: Place) -> None:
    broker.publish(place.send(b"12345") for _ in range(3))
    consumer = broker.consume(place.input, 1)
    assert consumer.receive(PATIENCE)
    depth = broker.depth(place.input)
    assert depth
    assert (depth.ready, depth.consumers) == (2, 1)
    assert depth.unsettled in (1, None)
    assert depth.size in (10, None)
    consumer.close()
    assert soon(lambda: (broker.depth(place.input) or Depth(0, 0, 0))[::2] == (3, 0))


def test_an_absent_queue_has_no_depth(broker: Broker, place: Place) -> None:
    assert broker.depth(place.nowhere) is None
    assert broker.depth(place.input)


def test_purging_deletes_waiting_messages_and_returns_their_number(
    broker: Broker, place: Place
) -> None:
    broker.publish(place.send(b"x") for _ in range(5))
    consumer = broker.consume(place.input, 1)
    held = consumer.receive(PATIENCE)
    assert held
    assert broker.purge(place.input) == 4
    assert broker.depth(place.input)[0] == 0  # type: ignore[index]
    consumer.settle([held])
    consumer.close()
    assert broker.purge(place.input) == 0


def test_an_absent_queue_is_named(broker: Broker, place: Place) -> None:
    for act in (lambda: broker.consume(place.nowhere, 1), lambda: broker.purge(place.nowhere)):
        with pytest.raises(BrokerError, match=rf"{place.nowhere}.*configure"):
            act()


def test_a_consumer_fails_when_its_queue_is_deleted(broker: Broker, place: Place) -> None:
    consumer = broker.consume(place.input, 1)
    broker.delete(Topology([Queue(place.input)]))
    with pytest.raises(BrokerError, match=place.input):
        consumer.receive(PATIENCE)


def test_keys_match_as_the_topology_says(broker: Broker, place: Place) -> None:
    queues = {pattern: f"{place.name}-{number}" for number, pattern in enumerate(PATTERNS)}
    rest = f"{place.name}-rest"
    topology = Topology(
        queues=[*map(Queue, queues.values()), Queue(rest, keep=False)],
        exchanges=[place.keys],
        bindings=[Binding(place.keys, queue, pattern) for pattern, queue in queues.items()]
        + [Binding(place.keys, rest, "#")],
    )
    broker.declare(topology)
    try:
        broker.publish(Send(place.keys, key, b"") for key in KEYS)
        counts = {pattern: broker.depth(queue)[0] for pattern, queue in queues.items()}  # type: ignore[index]
    finally:
        broker.delete(topology)
    assert counts == {p: sum(matches(p, key) for key in KEYS) for p in PATTERNS}
