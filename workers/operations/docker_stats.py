"""Report the tasks of Docker Swarm's services once a minute.

Gauges of each service: service.running, service.desired and, for jobs, service.completed. Service
names lack the stack's prefix. The program must run on a manager node of the swarm, with Docker's
socket mounted into its container.

Examples:
  story-indexer program docker-stats --stack prod-indexer --metrics :9100
  story-indexer program docker-stats --json
"""

import sys
from collections.abc import Sequence
from contextlib import closing

import msgspec
import requests

from indexer.errors import ConfigurationError, InputError
from indexer.http.urls.parts import without_credentials
from indexer.metrics import gauge
from indexer.programs.periodic import Periodic, run_periodic
from indexer.system.options import Options, option

RUNNING = gauge("service.running", "running tasks of a service", "name")
DESIRED = gauge("service.desired", "wanted tasks of a service", "name")
COMPLETED = gauge("service.completed", "completed tasks of a job", "name")

STACK_LABEL = "com.docker.stack.namespace"

TIMEOUT = 10
"""Seconds to wait for Docker's answer."""


class DockerStatsOptions(Options):
    """The selection of the services."""

    stack: str = option("", "only the services of this stack", "DOCKER_STACK")
    docker_url: str = option("unix:///var/run/docker.sock", "URL of Docker's API", "DOCKER_HOST")


class Tasks(msgspec.Struct, rename="pascal"):
    """`ServiceStatus` of Docker's API, which has it since version 1.41."""

    running_tasks: int = 0
    desired_tasks: int = 0
    completed_tasks: int = 0


class _Spec(msgspec.Struct, rename="pascal"):
    name: str


class DockerService(msgspec.Struct, rename="pascal"):
    """The used fields of a service."""

    spec: _Spec
    service_status: Tasks


class DockerStats(Periodic):
    """Sets the gauges of services (stories.md 9.3)."""

    name = "docker-stats"

    def __init__(self, options: DockerStatsOptions) -> None:
        """Raises ConfigurationError if the URL is not one of Docker's API."""
        self._url = options.docker_url
        self._stack = options.stack
        if not self._url.startswith(("unix://", "tcp://", "http://", "https://")):
            raise ConfigurationError("--docker-url must be unix:///FILE or tcp://HOST:PORT")

    def tick(self) -> None:
        """Report once. Raises InputError."""
        for service in self._services():
            name = service.spec.name.removeprefix(f"{self._stack}_")
            RUNNING.set(service.service_status.running_tasks, name=name)
            DESIRED.set(service.service_status.desired_tasks, name=name)
            COMPLETED.set(service.service_status.completed_tasks, name=name)

    def _services(self) -> list[DockerService]:
        """Return all services. Raises InputError if Docker does not answer or is too old."""
        import docker  # noqa: PLC0415 - used only here

        filters = {"label": f"{STACK_LABEL}={self._stack}"} if self._stack else None
        try:
            # A new client each time: Docker may have been restarted or upgraded meanwhile.
            with closing(docker.APIClient(self._url, version="auto", timeout=TIMEOUT)) as client:
                return msgspec.convert(client.services(filters, status=True), list[DockerService])
        except (docker.errors.DockerException, requests.RequestException) as error:
            raise InputError(self._shown(f"Docker at {self._url}: {error}")) from error
        except ValueError as error:
            raise InputError(
                self._shown(f"Docker at {self._url}: an unexpected answer: {error}")
            ) from error

    def _shown(self, text: str) -> str:
        """Remove the URL's credentials from an error's text."""
        # The library rewrites the scheme (tcp to http), so only the rest of the URL is replaced.
        _, _, address = self._url.partition("//")
        _, _, shown = without_credentials(self._url).partition("//")
        return text.replace(address, shown)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program; return its exit status."""
    return run_periodic(DockerStats, DockerStatsOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
