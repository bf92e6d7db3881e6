"""What RabbitMQ's management API tells of queues and nodes, as the gauges of stories.md 9.3.

`ack`, `deliver`, `publish` and `redeliver` are counts since the queue, or its node, was started.
"""

from typing import Any, Protocol, TypeVar
from urllib.parse import quote

import msgspec
import requests

from indexer.errors import BrokerError, ConfigurationError
from indexer.metrics import Gauge, gauge

QUEUE_GAUGES = {
    "memory": gauge("queues.mem", "memory that a queue takes, in bytes", "name"),
    "messages_ready": gauge("queues.ready", "messages of a queue that wait", "name"),
    "messages_unacknowledged": gauge(
        "queues.unacked", "messages of a queue that are in its consumers' hands", "name"
    ),
    "consumers": gauge("queues.consumers", "consumers of a queue", "name"),
}

COUNT_GAUGES = {
    "ack": gauge("queues.ack", "messages of a queue that were acknowledged, so far", "name"),
    "deliver": gauge("queues.deliver", "deliveries to a queue's consumers, so far", "name"),
    "publish": gauge("queues.publish", "messages that came into a queue, so far", "name"),
    "redeliver": gauge("queues.redeliver", "deliveries of a queue after the first", "name"),
}

NODE_GAUGES = {
    "fd_used": gauge("nodes.fds", "file descriptors that a node of RabbitMQ has open", "name"),
    "mem_used": gauge("nodes.memory", "memory that a node of RabbitMQ takes, in bytes", "name"),
    "sockets_used": gauge("nodes.sockets", "sockets that a node of RabbitMQ has open", "name"),
}


class MessageCounts(msgspec.Struct):
    """What has happened at a queue: nothing of a kind that is not told."""

    ack: int = 0
    deliver: int = 0
    publish: int = 0
    redeliver: int = 0


class QueueStats(msgspec.Struct):
    """A queue. A number is None while RabbitMQ doesn't know it: the queue's node is down."""

    name: str
    memory: int | None = None
    messages_ready: int | None = None
    messages_unacknowledged: int | None = None
    consumers: int | None = None
    message_stats: MessageCounts | None = None


class Node(msgspec.Struct):
    """A node of the cluster. A number is None while it is down."""

    name: str
    fd_used: int | None = None
    mem_used: int | None = None
    sockets_used: int | None = None


class Api(Protocol):
    """The management API, as `indexer.broker.rabbitmq.management` asks it."""

    url: str

    def get(self, path: str) -> Any:
        """An answer of the API. Raises requests.RequestException, ValueError."""


class Overview:
    """Looks at the queues of one virtual host, and at the nodes of its cluster."""

    def __init__(self, api: Api, virtual_host: str) -> None:
        self._api = api
        self._virtual_host = quote(virtual_host, safe="")

    def report(self) -> None:
        """Set the gauges. Raises BrokerError."""
        for queue in self.queues():
            _tell(QUEUE_GAUGES, queue.name, queue)
            _tell(COUNT_GAUGES, queue.name, queue.message_stats or MessageCounts())
        for node in self.nodes():
            _tell(NODE_GAUGES, node.name, node)

    def queues(self) -> list[QueueStats]:
        """All queues. Raises BrokerError."""
        return self._ask(f"queues/{self._virtual_host}", list[QueueStats], QueueStats)

    def nodes(self) -> list[Node]:
        """All nodes. Raises BrokerError."""
        return self._ask("nodes", list[Node], Node)

    def _ask(self, path: str, rows: "type[R]", row: type[msgspec.Struct]) -> "R":
        columns = ",".join(row.__struct_fields__)
        try:
            answer = self._api.get(f"/api/{path}?columns={columns}")
            return msgspec.convert(answer, rows)
        except (requests.RequestException, ValueError) as error:
            raise BrokerError(f"RabbitMQ's management API: {_why(error)}") from error


R = TypeVar("R")


def open_overview(url: str) -> Overview:
    """What there is to see at the broker of an AMQP URL. Raises ConfigurationError.

    The management API is on the port of AMQP plus 10,000, or where `?management=URL` says.
    """
    if not url.startswith(("amqp://", "amqps://")):
        raise ConfigurationError("--broker-url: amqp://…, a RabbitMQ: others have no statistics")
    from indexer.broker.rabbitmq.address import parse  # noqa: PLC0415 - loads the library of the backend

    parameters, management = parse(url)
    if not management.url:
        raise ConfigurationError(
            "--broker-url: ?management= says that there is no management API, which tells the "
            "numbers"
        )
    return Overview(management, parameters.virtual_host)


def _tell(gauges: dict[str, Gauge], name: str, numbers: msgspec.Struct) -> None:
    for field, each in gauges.items():
        if (value := getattr(numbers, field)) is not None:
            each.set(value, name=name)


def _why(error: Exception) -> str:
    """Without the URL, which may hold a password."""
    if isinstance(error, requests.HTTPError) and error.response is not None:
        return f"{error.response.status_code} {error.response.reason}"
    if isinstance(error, msgspec.ValidationError):
        return f"an answer that makes no sense: {error}"
    return type(error).__name__
