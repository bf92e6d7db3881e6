"""A whole family on a shared exchange, on every broker: requests, statuses, a stop for all."""

import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

import pytest

from indexer.broker import Broker, open_broker
from indexer.loops.inbox import Inbox
from indexer.loops.runner import Runner
from indexer.messages.message import Send
from indexer.messages.outcome import Outcome, OutcomeKind, RetryPolicy
from indexer.messages.pipelines import Pipeline
from indexer.messages.topology import Binding, Queue, Topology, instance_topology
from indexer.messages.worker import Worker
from tests.broker.conftest import bodies
from tests.toy.family.flavor import PIPELINE
from tests.toy.family.note import EXCHANGE, Note
from tests.toy.family.painter import Painter
from tests.toy.family.requester import Requester

FOREIGN = Topology(
    [Queue("foreign_ui")],
    bindings=[Binding(EXCHANGE.name, "foreign_ui", "job.status.*.*")],
    shared=[EXCHANGE.name],
)
"""A requester that is not ours: it declares the exchange and binds its own queue."""


@pytest.fixture
def broker(broker_url: str) -> Iterator[Broker]:
    with closing(open_broker(broker_url)) as broker:
        broker.declare(PIPELINE.compile())
        yield broker


def run(broker: Broker, step: str, worker: Worker[Note, Note]) -> list[Outcome]:
    """Run a step's program until its queue is empty."""
    [place] = [each for each in PIPELINE.steps if each.name == step]
    outcomes: list[Outcome] = []
    with closing(broker.consume(place.input, 4)) as consumer:
        policy = RetryPolicy(step, exchange=worker.exchange)
        inbox = Inbox(consumer, policy, [outcomes.append], broker.publish, until_empty=True)
        Runner(worker, inbox).run(threading.Event())
    return outcomes


def request(key: str) -> Send:
    """A message as a foreign requester publishes it."""
    return Send(EXCHANGE.name, key, b"", unheard=EXCHANGE.meaning(key))


def test_a_request_is_answered_by_statuses_that_lead_to_the_next_request(broker: Broker) -> None:
    broker.publish([Send(EXCHANGE.name, "job.status.red.paint", b"job.start.blue.paint")])
    assert [o.status for o in run(broker, "requester", Requester())] == ["success"]
    [painted] = run(broker, "blue-painter", Painter())
    assert painted.kind is OutcomeKind.DONE
    statuses = run(broker, "requester", Requester())
    assert [o.label for o in statuses] == [
        "job.status.blue.paint running",
        "job.status.blue.paint completed",
    ]


def test_a_foreign_requester_is_served_and_hears_the_statuses(broker: Broker) -> None:
    broker.declare(FOREIGN)
    broker.declare(PIPELINE.compile())
    assert broker.publish([request("job.start.red.paint")]) == []
    run(broker, "red-painter", Painter())
    assert bodies(broker, "foreign_ui", 2) == [b"running", b"completed"]


def test_a_request_that_nobody_serves_is_handed_back(broker: Broker) -> None:
    unserved = request("job.start.green.paint")
    assert broker.publish([unserved]) == [unserved]
    broker.publish([Send(EXCHANGE.name, "job.status.red.paint", b"job.start.green.paint")])
    requester = Requester()
    [outcome] = run(broker, "requester", requester)
    assert (outcome.status, requester.refused) == ("refused", ["job.start.green.paint"])


def test_a_painter_works_while_nobody_hears_its_statuses(broker: Broker) -> None:
    alone: Pipeline = replace(PIPELINE, steps=PIPELINE.steps[1:])
    broker.delete(PIPELINE.compile())
    broker.declare(alone.compile())
    broker.publish([request("job.start.red.paint")])
    [outcome] = run(broker, "red-painter", Painter())
    assert (outcome.kind, outcome.status) == (OutcomeKind.DONE, "success")


def test_a_stop_reaches_each_running_painter(broker: Broker) -> None:
    instances = [instance_topology("red-painter", name, "red_painter") for name in ("a", "b")]
    for instance in instances:
        broker.declare(instance)
    broker.publish([request("job.stop.red.paint")])
    assert bodies(broker, "red_painter_a", 1) == bodies(broker, "red_painter_b", 1) == [b""]
    assert broker.declared(PIPELINE.compile()) == []
