"""Report RabbitMQ's queues and nodes once a minute.

Gauges of each queue of the URL's virtual host: queues.ready, queues.unacked, queues.consumers,
queues.mem; and totals since its start: queues.publish, queues.deliver, queues.ack,
queues.redeliver. Gauges of each node: nodes.fds, nodes.memory, nodes.sockets. The management API
provides the numbers.

Examples:
  python -m workers.operations.rabbitmq_stats -U amqp://USER:PASSWORD@HOST/ --metrics :9100
  python -m workers.operations.rabbitmq_stats -U amqp://USER:PASSWORD@HOST/ --json
"""

import sys
from collections.abc import Sequence

from indexer.operations.rabbitmq_overview import open_overview
from indexer.programs.periodic import Periodic, run_periodic
from indexer.programs.settings import BrokerOptions


class RabbitmqStatsOptions(BrokerOptions):
    """The broker."""


class RabbitmqStats(Periodic):
    """Sets the gauges of queues and nodes."""

    name = "rabbitmq-stats"

    def __init__(self, options: RabbitmqStatsOptions) -> None:
        """Raises ConfigurationError."""
        self._overview = open_overview(options.broker)

    def tick(self) -> None:
        """Report once. Raises BrokerError."""
        self._overview.report()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program; return its exit status."""
    return run_periodic(RabbitmqStats, RabbitmqStatsOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
