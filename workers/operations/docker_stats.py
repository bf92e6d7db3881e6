"""Look at the services of a Docker Swarm once a minute: how many tasks run, and how many should.

Gauges of each service: service.running, service.desired, and service.completed, of jobs. The name
of a service is told without that of the stack. It must run on a manager of the swarm, with Docker's
socket in its container.

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
    """Which services, and when."""

    stack: str = option("", "only the services of this stack", "DOCKER_STACK")
    docker_url: str = option("unix:///var/run/docker.sock", "Docker's API", "DOCKER_HOST")


class DockerStats(Periodic):
    """Sets the gauges of services."""

    name = "docker-stats"

    def __init__(self, options: DockerStatsOptions) -> None:
        """Raises ConfigurationError."""
        self._services = Services(options.docker_url, options.stack)

    def tick(self) -> None:
        """Look once. Raises InputError."""
        self._services.report()


def main(arguments: Sequence[str] | None = None) -> int:
    """Be the program."""
    return run_periodic(DockerStats, DockerStatsOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
