"""How many tasks of each service of a Docker Swarm run, as the gauges of stories.md 9.3."""

from contextlib import closing

import msgspec
import requests

from indexer.errors import ConfigurationError, InputError
from indexer.http.urls.redaction import without_credentials
from indexer.metrics import gauge

RUNNING = gauge("service.running", "tasks of a service that run", "name")
DESIRED = gauge("service.desired", "tasks of a service that should run", "name")
COMPLETED = gauge("service.completed", "tasks of a job that are done", "name")

STACK_LABEL = "com.docker.stack.namespace"

TIMEOUT = 10
"""Seconds that Docker may take to answer."""


class Tasks(msgspec.Struct, rename="pascal"):
    """`ServiceStatus` of Docker's API, since 1.41."""

    running_tasks: int = 0
    desired_tasks: int = 0
    completed_tasks: int = 0


class _Spec(msgspec.Struct, rename="pascal"):
    name: str


class Service(msgspec.Struct, rename="pascal"):
    """A service, as far as it matters here."""

    spec: _Spec
    service_status: Tasks


class Services:
    """Looks at the services of a stack, or of all. `url` is that of Docker's API.

    Raises ConfigurationError if it can't be one.
    """

    def __init__(self, url: str, stack: str = "") -> None:
        if not url.startswith(("unix://", "tcp://", "http://", "https://")):
            raise ConfigurationError("--docker-url: unix:///FILE or tcp://HOST:PORT")
        self._url = url
        self._stack = stack

    def report(self) -> None:
        """Set the gauges; a service has its name without that of the stack. Raises InputError."""
        for service in self.services():
            name = service.spec.name.removeprefix(f"{self._stack}_")
            RUNNING.set(service.service_status.running_tasks, name=name)
            DESIRED.set(service.service_status.desired_tasks, name=name)
            COMPLETED.set(service.service_status.completed_tasks, name=name)

    def services(self) -> list[Service]:
        """All of them. Raises InputError when Docker can't be asked, or is too old."""
        import docker  # type: ignore[import-untyped]  # noqa: PLC0415 - untyped; only this needs it

        try:
            # A new client each minute: Docker may have been restarted, even updated, meanwhile.
            client = docker.APIClient(self._url, version="auto", timeout=TIMEOUT)
            with closing(client):
                return msgspec.convert(client.services(self._filters, status=True), list[Service])
        except (docker.errors.DockerException, requests.RequestException) as error:
            raise InputError(self._shown(f"Docker at {self._url}: {error}")) from error
        except ValueError as error:
            raise InputError(
                self._shown(f"Docker at {self._url}: an answer that makes no sense: {error}")
            ) from error

    def _shown(self, text: str) -> str:
        """An error's text, in which the URL, also with another scheme, has no credentials."""
        _, _, address = self._url.partition("//")
        _, _, shown = without_credentials(self._url).partition("//")
        return text.replace(address, shown)

    @property
    def _filters(self) -> dict[str, str] | None:
        return {"label": f"{STACK_LABEL}={self._stack}"} if self._stack else None
