"""Report RabbitMQ's queues and nodes once a minute.

Gauges of each queue of the URL's virtual host: queues.ready, queues.unacked, queues.consumers,
queues.mem; and totals since its start: queues.publish, queues.deliver, queues.ack,
queues.redeliver. Gauges of each node: nodes.fds, nodes.memory, nodes.sockets. The management API
provides the numbers.

Examples:
  story-indexer program rabbitmq-stats -U amqp://USER:PASSWORD@HOST/ --metrics :9100
  story-indexer program rabbitmq-stats -U amqp://USER:PASSWORD@HOST/ --json
"""

import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, TypeVar
from urllib.parse import quote

import msgspec

from indexer.errors import BrokerError, ConfigurationError, InputError
from indexer.metrics import Gauge, gauge
from indexer.programs.periodic import Periodic, run_periodic
from indexer.programs.settings import BrokerOptions

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

R = TypeVar("R", bound=msgspec.Struct)

Get: TypeAlias = Callable[[str], Any]
"""Returns the management API's answer for a path. Raises InputError, ConfigurationError."""


class MessageCounts(msgspec.Struct):
    """The numbers of events of a queue. The API omits a number until the first event."""

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


class RabbitmqStatsOptions(BrokerOptions):
    """The broker."""


class RabbitmqStats(Periodic):
    """Sets the gauges of queues and nodes (stories.md 9.3)."""

    name = "rabbitmq-stats"

    def __init__(self, options: RabbitmqStatsOptions) -> None:
        """Raises ConfigurationError."""
        self._get, self._virtual_host = management_api(options.broker)

    def tick(self) -> None:
        """Report once. Raises BrokerError."""
        report(self._get, self._virtual_host)


def management_api(url: str) -> tuple[Get, str]:
    """Return the management API of the RabbitMQ at an AMQP URL, and the virtual host.

    The API's port is that of AMQP plus 10,000, unless the URL has `?management=URL`. Raises
    ConfigurationError.
    """
    if not url.startswith(("amqp://", "amqps://")):
        raise ConfigurationError("--broker-url must be amqp://…: only RabbitMQ has statistics")
    from indexer.broker.rabbitmq.address import parse  # noqa: PLC0415 - loads the library of the backend

    parameters, management = parse(url)
    if not management.url:
        raise ConfigurationError(
            "--broker-url: statistics need the management API, which ?management= has disabled"
        )
    return management.get, parameters.virtual_host


def report(get: Get, virtual_host: str) -> None:
    """Set the gauges of the virtual host's queues and of the nodes. Raises BrokerError."""
    for queue in _rows(get, f"queues/{quote(virtual_host, safe='')}", QueueStats):
        _set(QUEUE_GAUGES, queue.name, queue)
        _set(COUNT_GAUGES, queue.name, queue.message_stats or MessageCounts())
    for node in _rows(get, "nodes", Node):
        _set(NODE_GAUGES, node.name, node)


def _rows(get: Get, path: str, row: type[R]) -> list[R]:
    # Without `columns` an answer has megabytes: hundreds of fields for each queue.
    columns = ",".join(row.__struct_fields__)
    try:
        answer = get(f"/api/{path}?columns={columns}")
        return msgspec.convert(answer, list[row])  # type: ignore[valid-type]  # `row` is a class
    except msgspec.ValidationError as error:
        raise BrokerError(f"RabbitMQ's management API: an unexpected answer: {error}") from error
    except (InputError, ConfigurationError) as error:
        raise BrokerError(str(error)) from error


def _set(gauges: dict[str, Gauge], name: str, numbers: msgspec.Struct) -> None:
    for field, each in gauges.items():
        if (value := getattr(numbers, field)) is not None:
            each.set(value, name=name)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program; return its exit status."""
    return run_periodic(RabbitmqStats, RabbitmqStatsOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
