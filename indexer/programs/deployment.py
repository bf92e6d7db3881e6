"""The deployment that a broker is configured for: programs wait until it is their own.

`pipeline.py configure` declares all queues first, then an exchange with the deployment's name, and
deletes the exchanges of older deployments (stories.md 3.2).
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
    """Mark the broker as configured for this deployment only.

    Raises ConfigurationError if the name isn't a deployment's.
    """
    # First, so that a bad name raises before anything is deleted.
    topology = _marker(deployment)
    exchanges = broker.exchanges()
    older = [name for name in exchanges if name.startswith(PREFIX) and name != deployment]
    broker.delete(Topology(exchanges=older))
    broker.declare(topology)


def withdraw(broker: Broker, deployment: str) -> None:
    """Remove the mark of a deployment."""
    broker.delete(_marker(deployment))


def is_announced(broker: Broker, deployment: str) -> bool:
    """Whether the broker is configured for a deployment. Raises ConfigurationError."""
    return not broker.declared(_marker(deployment))


def wait(
    broker: Broker, deployment: str, stop: threading.Event, pause: float = PAUSE_SECONDS
) -> None:
    """Wait until the broker is configured for a deployment, or `stop` is set.

    Checks every `pause` seconds. Raises ConfigurationError.
    """
    while not is_announced(broker, deployment) and not stop.is_set():
        _log.warning("the broker is not configured for %s yet: waiting", deployment)
        stop.wait(pause)


def _marker(deployment: str) -> Topology:
    if not deployment.startswith(PREFIX):
        raise ConfigurationError(f"DEPLOYMENT_ID: the name of a deployment starts with {PREFIX}")
    return Topology(exchanges=[deployment])
