"""Which configuration of a broker is in force: programs wait for the one they were deployed with.

`pipeline.py configure` makes an exchange that is named like the deployment, after all the others,
and deletes those of older ones (stories.md 3.2).
"""

import logging
import threading

from indexer.broker import Broker
from indexer.errors import ConfigurationError
from indexer.messages.topology import Topology

PREFIX = "mc-configuration-"
PAUSE_SECONDS = 30.0

_log = logging.getLogger(__name__)


def announce(broker: Broker, deployment: str) -> None:
    """Say that the broker is configured for a deployment, and for no other any more.

    Raises ConfigurationError if the name isn't one of a deployment.
    """
    topology = _marker(deployment)
    older = [name for name in broker.exchanges() if _is_other(name, deployment)]
    broker.delete(Topology(exchanges=older))
    broker.declare(topology)


def withdraw(broker: Broker, deployment: str) -> None:
    """Say that the broker is not configured for a deployment any more."""
    broker.delete(_marker(deployment))


def is_announced(broker: Broker, deployment: str) -> bool:
    """Whether the broker is configured for a deployment. Raises ConfigurationError."""
    return not broker.declared(_marker(deployment))


def wait(
    broker: Broker, deployment: str, stop: threading.Event, pause: float = PAUSE_SECONDS
) -> None:
    """Return when the broker is configured for a deployment, or when `stop` is set.

    Looks each `pause` seconds. Raises ConfigurationError.
    """
    while not is_announced(broker, deployment) and not stop.is_set():
        _log.warning("the broker is not configured for %s yet: waiting", deployment)
        stop.wait(pause)


def _is_other(name: str, deployment: str) -> bool:
    return name.startswith(PREFIX) and name != deployment


def _marker(deployment: str) -> Topology:
    if not deployment.startswith(PREFIX):
        raise ConfigurationError(f"DEPLOYMENT_ID: it starts with {PREFIX}")
    return Topology(exchanges=[deployment])
