"""Report the tasks of Docker Swarm's services once a minute.

Gauges of each service: service.running, service.desired and, for jobs, service.completed. Service
names lack the stack's prefix. The program must run on a manager node of the swarm, with Docker's
socket mounted into its container.

Examples:
  python -m workers.operations.docker_stats --stack prod-indexer --metrics :9100
  python -m workers.operations.docker_stats --json
"""

import sys
from collections.abc import Sequence

from indexer.operations.docker_services import Services
from indexer.programs.periodic import Periodic, run_periodic
from indexer.system.options import Options, option


class DockerStatsOptions(Options):
    """The selection of the services."""

    stack: str = option("", "only the services of this stack", "DOCKER_STACK")
    docker_url: str = option("unix:///var/run/docker.sock", "URL of Docker's API", "DOCKER_HOST")


class DockerStats(Periodic):
    """Sets the gauges of services."""

    name = "docker-stats"

    def __init__(self, options: DockerStatsOptions) -> None:
        """Raises ConfigurationError."""
        self._services = Services(options.docker_url, options.stack)

    def tick(self) -> None:
        """Report once. Raises InputError."""
        self._services.report()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program; return its exit status."""
    return run_periodic(DockerStats, DockerStatsOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
