"""Statistics of RabbitMQ's queues and nodes from its management API, as gauges (stories.md 9.3).

`ack`, `deliver`, `publish` and `redeliver` count since the start of the queue or its node.
"""

from typing import Any, Protocol, TypeVar
from urllib.parse import quote

import msgspec
import requests

from indexer.errors import BrokerError, ConfigurationError
from indexer.metrics import Gauge, gauge

QUEUE_GAUGES = {
    "memory": gauge("queues.mem", "memory of a queue, in bytes", "name"),
    "messages_ready": gauge("queues.ready", "waiting messages of a queue", "name"),
    "messages_unacknowledged": gauge(
        "queues.unacked", "delivered, unacknowledged messages of a queue", "name"
    ),
    "consumers": gauge("queues.consumers", "consumers of a queue", "name"),
}

COUNT_GAUGES = {
    "ack": gauge("queues.ack", "acknowledged messages of a queue since its start", "name"),
    "deliver": gauge("queues.deliver", "deliveries of a queue since its start", "name"),
    "publish": gauge("queues.publish", "messages published to a queue since its start", "name"),
    "redeliver": gauge("queues.redeliver", "redeliveries of a queue since its start", "name"),
}

NODE_GAUGES = {
    "fd_used": gauge("nodes.fds", "open file descriptors of a RabbitMQ node", "name"),
    "mem_used": gauge("nodes.memory", "memory of a RabbitMQ node, in bytes", "name"),
    "sockets_used": gauge("nodes.sockets", "open sockets of a RabbitMQ node", "name"),
}


# The API omits a count until the first event of its kind.
R = TypeVar("R", bound=msgspec.Struct)


class MessageCounts(msgspec.Struct):
    """The numbers of events of a queue."""

    ack: int = 0
    deliver: int = 0
    publish: int = 0
    redeliver: int = 0


class QueueStats(msgspec.Struct):
    """A queue. Its numbers are None while its node is down."""

    name: str
    memory: int | None = None
    messages_ready: int | None = None
    messages_unacknowledged: int | None = None
    consumers: int | None = None
    message_stats: MessageCounts | None = None


class Node(msgspec.Struct):
    """A node of the cluster. Its numbers are None while it is down."""

    name: str
    fd_used: int | None = None
    mem_used: int | None = None
    sockets_used: int | None = None


class Api(Protocol):
    """The management API; `indexer.broker.rabbitmq.management` implements it."""

    url: str

    def get(self, path: str) -> Any:
        """Return an answer of the API. Raises requests.RequestException, ValueError."""


class Overview:
    """The queues of one virtual host, and the nodes of its cluster."""

    def __init__(self, api: Api, virtual_host: str) -> None:
        self._api = api
        self._virtual_host = quote(virtual_host, safe="")

    def report(self) -> None:
        """Set the gauges. Raises BrokerError."""
        for queue in self.queues():
            _set(QUEUE_GAUGES, queue.name, queue)
            _set(COUNT_GAUGES, queue.name, queue.message_stats or MessageCounts())
        for node in self.nodes():
            _set(NODE_GAUGES, node.name, node)

    def queues(self) -> list[QueueStats]:
        """Return all queues. Raises BrokerError."""
        return self._rows(f"queues/{self._virtual_host}", QueueStats)

    def nodes(self) -> list[Node]:
        """Return all nodes. Raises BrokerError."""
        return self._rows("nodes", Node)

    def _rows(self, path: str, row: type[R]) -> list[R]:
        # Without `columns` an answer has megabytes: hundreds of fields for each queue.
        columns = ",".join(row.__struct_fields__)
        try:
            answer = self._api.get(f"/api/{path}?columns={columns}")
            return msgspec.convert(answer, list[row])  # type: ignore[valid-type]  # `row` is a class
        except (requests.RequestException, ValueError) as error:
            raise BrokerError(f"RabbitMQ's management API: {_why(error)}") from error


def open_overview(url: str) -> Overview:
    """Open the management API of the RabbitMQ at an AMQP URL. Raises ConfigurationError.

    The API's port is that of AMQP plus 10,000, unless the URL has `?management=URL`.
    """
    if not url.startswith(("amqp://", "amqps://")):
        raise ConfigurationError("--broker-url must be amqp://…: only RabbitMQ has statistics")
    from indexer.broker.rabbitmq.address import parse  # noqa: PLC0415 - loads the library of the backend

    parameters, management = parse(url)
    if not management.url:
        raise ConfigurationError(
            "--broker-url: statistics need the management API, which ?management= has disabled"
        )
    return Overview(management, parameters.virtual_host)


def _set(gauges: dict[str, Gauge], name: str, numbers: msgspec.Struct) -> None:
    for field, each in gauges.items():
        if (value := getattr(numbers, field)) is not None:
            each.set(value, name=name)


def _why(error: Exception) -> str:
    """Describe an error without the URL, which may contain a password."""
    if isinstance(error, requests.HTTPError) and error.response is not None:
        return f"{error.response.status_code} {error.response.reason}"
    if isinstance(error, msgspec.ValidationError):
        return f"an unexpected answer: {error}"
    return type(error).__name__
