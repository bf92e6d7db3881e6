"""The numbers of tasks of each Docker Swarm service, as the gauges of stories.md 9.3."""

from contextlib import closing

import msgspec
import requests

from indexer.errors import ConfigurationError, InputError
from indexer.http.urls.redaction import without_credentials
from indexer.metrics import gauge

RUNNING = gauge("service.running", "running tasks of a service", "name")
DESIRED = gauge("service.desired", "wanted tasks of a service", "name")
COMPLETED = gauge("service.completed", "completed tasks of a job", "name")

STACK_LABEL = "com.docker.stack.namespace"

TIMEOUT = 10
"""Seconds to wait for Docker's answer."""


class Tasks(msgspec.Struct, rename="pascal"):
    """`ServiceStatus` of Docker's API, which has it since version 1.41."""

    running_tasks: int = 0
    desired_tasks: int = 0
    completed_tasks: int = 0


class _Spec(msgspec.Struct, rename="pascal"):
    name: str


class Service(msgspec.Struct, rename="pascal"):
    """The used fields of a service."""

    spec: _Spec
    service_status: Tasks


class Services:
    """The services of a stack, or of all stacks. `url` is that of Docker's API.

    Raises ConfigurationError for other URLs.
    """

    def __init__(self, url: str, stack: str = "") -> None:
        if not url.startswith(("unix://", "tcp://", "http://", "https://")):
            raise ConfigurationError("--docker-url must be unix:///FILE or tcp://HOST:PORT")
        self._url = url
        self._stack = stack

    def report(self) -> None:
        """Set the gauges, by service names without the stack's prefix. Raises InputError."""
        for service in self.services():
            name = service.spec.name.removeprefix(f"{self._stack}_")
            RUNNING.set(service.service_status.running_tasks, name=name)
            DESIRED.set(service.service_status.desired_tasks, name=name)
            COMPLETED.set(service.service_status.completed_tasks, name=name)

    def services(self) -> list[Service]:
        """Return all services. Raises InputError if Docker does not answer or is too old."""
        import docker  # type: ignore[import-untyped]  # noqa: PLC0415 - untyped; used only here

        try:
            # A new client each time: Docker may have been restarted or upgraded meanwhile.
            client = docker.APIClient(self._url, version="auto", timeout=TIMEOUT)
            with closing(client):
                return msgspec.convert(client.services(self._filters, status=True), list[Service])
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

    @property
    def _filters(self) -> dict[str, str] | None:
        return {"label": f"{STACK_LABEL}={self._stack}"} if self._stack else None
