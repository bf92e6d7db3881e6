"""Programs wait until the broker is configured for their deployment."""

import threading
from collections.abc import Iterator

import pytest

from indexer.broker import Broker, open_broker
from indexer.errors import ConfigurationError
from indexer.messages.topology import Topology
from indexer.programs import deployment

OLD, NEW = "mc-configuration-2026-01-01-staging", "mc-configuration-2026-01-02-staging"


@pytest.fixture
def broker(broker_url: str) -> Iterator[Broker]:
    opened = open_broker(broker_url)
    yield opened
    opened.close()


def test_only_the_latest_configuration_is_announced(broker: Broker) -> None:
    broker.declare(Topology(exchanges=["parser-out"]))
    deployment.announce(broker, OLD)
    assert deployment.is_announced(broker, OLD)
    deployment.announce(broker, NEW)
    assert deployment.is_announced(broker, NEW)
    assert not deployment.is_announced(broker, OLD)
    assert broker.declared(Topology(exchanges=["parser-out"])) == []


def test_waiting_ends_when_it_is_announced(broker: Broker) -> None:
    announced = threading.Timer(0.2, deployment.announce, (broker, NEW))
    announced.start()
    deployment.wait(broker, NEW, threading.Event(), pause=0.05)
    announced.join()
    assert deployment.is_announced(broker, NEW)


def test_waiting_ends_when_the_program_is_to_stop(broker: Broker) -> None:
    stop = threading.Event()
    stop.set()
    deployment.wait(broker, NEW, stop, pause=60)
    assert not deployment.is_announced(broker, NEW)


def test_a_name_that_is_none_of_a_deployment_is_refused(broker: Broker) -> None:
    with pytest.raises(ConfigurationError, match="mc-configuration-"):
        deployment.announce(broker, "parser-out")
    assert broker.declared(Topology(exchanges=["parser-out"])) != []
