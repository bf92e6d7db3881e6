"""Programs look up where their messages will go before they take one."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from indexer.broker import Broker, open_broker
from indexer.errors import BrokerError
from indexer.messages.pipelines import Pipeline, Step
from indexer.messages.topology import Topology
from indexer.programs.destinations import advice, check_output, flavors, missing_tiers
from indexer.programs.settings import BrokerOptions
from tests.each_row import each_row

TYPE = "type this"

TIERS = ("-delay-short", "-delay-long")
"""The queues that brokers of older versions lack."""


@pytest.fixture
def broker(broker_url: str) -> Iterator[Broker]:
    """An open broker."""
    with closing(open_broker(broker_url)) as broker:
        yield broker


@pytest.fixture
def step(broker: Broker) -> Iterator[str]:
    """The name of a step; all that it may have is deleted at the end."""
    step = f"test-{uuid4().hex[:8]}"
    yield step
    broker.delete(topology(step))


def topology(step: str, *without: str) -> Topology:
    """What a step has, without some of its queues."""
    whole = Pipeline("p", [Step(f"{step}-first", to=[step]), Step(step)]).compile()
    left = [queue for queue in whole.queues if not queue.name.endswith(without)]
    return replace(whole, queues=left)


def test_a_step_with_all_that_it_needs_may_start(
    broker: Broker, step: str, caplog: pytest.LogCaptureFixture
) -> None:
    broker.declare(topology(step))
    check_output(broker, step, TYPE)
    assert missing_tiers(broker, step, TYPE) == []
    assert not caplog.records


def test_a_step_whose_output_nothing_takes_may_not_start(broker: Broker, step: str) -> None:
    with pytest.raises(BrokerError, match=f"no exchange {step}-out: type this"):
        check_output(broker, step, TYPE)
    broker.declare(Topology(exchanges=[f"{step}-out"]))
    with pytest.raises(BrokerError, match=f"nothing is bound to {step}-out: type this"):
        check_output(broker, step, TYPE)


@each_row("queue", ["-quar", "-fast", "-delay"])
def test_a_step_without_a_queue_that_it_needs_may_not_start(
    broker: Broker, step: str, queue: str
) -> None:
    broker.declare(topology(step, queue))
    with pytest.raises(BrokerError, match=f"no queue {step}{queue}: type this"):
        missing_tiers(broker, step, TYPE)
    broker.delete(topology(step))


def test_a_step_does_without_the_queues_that_an_older_version_did_not_have(
    broker: Broker, step: str, caplog: pytest.LogCaptureFixture
) -> None:
    broker.declare(topology(step, *TIERS))
    assert sorted(missing_tiers(broker, step, TYPE)) == sorted(f"{step}{tier}" for tier in TIERS)
    assert caplog.text.count(TYPE) == len(TIERS)
    broker.declare(topology(step))
    assert missing_tiers(broker, step, TYPE) == []


@each_row(
    ("given", "words"),
    [
        ({}, "--type queue-fetcher` makes"),
        ({"data": Path("my data")}, "--type queue-fetcher --data 'my data'` makes"),
        ({"broker_url": "sqlite:///q"}, "--type queue-fetcher --broker sqlite:///q` makes"),
        ({"broker_url": "amqp://me:secret@host/"}, "--type queue-fetcher --broker URL` makes"),
    ],
)
def test_what_to_type_names_the_flavor_and_the_broker(given: dict[str, Any], words: str) -> None:
    options = BrokerOptions.chosen(given)
    token = flavors.set({"fetcher": ["queue-fetcher", "csv"]})
    try:
        found = advice("fetcher", options)
    finally:
        flavors.reset(token)
    assert found.startswith(f"`story-indexer pipeline configure {words} what is missing")
    assert found.endswith("; --type can also be csv")
    assert "--type FLAVOR" in advice("unknown", options)
