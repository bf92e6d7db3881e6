"""A stack on the tests' swarm, and what its containers say."""

import json
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import yaml

from scripts.docker.client import Client
from scripts.docker.servers import SERVERS
from scripts.services.service import Unavailable
from tests.paths import ROOT
from tests.patience import PATIENCE

HASTE = """
BATCH_SECONDS=10
REQUEUE_DELAY_SECONDS=5
RETRY_DELAY_MINUTES=0.5
"""
"""Settings by which stories wait seconds where they wait minutes."""

WITHOUT_IMAGE = ("grafana",)
"""Servers that no registry of packages has: tests leave them out of stacks."""

POOL = "10.64.0.0/16"
"""The addresses of the swarm's networks: apart from those of the engine's way out."""


def until(holds: Callable[[], bool], what: str, state: Callable[[], str] = str) -> None:
    """Wait until a condition holds; fail with its name and a state when that takes too long."""
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, f"{what}: not within {PATIENCE:.0f} s\n{state()}"
        time.sleep(1)


@contextmanager
def swarm(client: Client) -> Iterator[None]:
    """A new swarm of this engine alone."""
    # Volumes of earlier tests have their stories.
    client.tidy()
    client.run("swarm", "init", "--advertise-addr=127.0.0.1", f"--default-addr-pool={POOL}")
    yield
    client.run("swarm", "leave", "--force")


def stack_file(folder: Path, write: Callable[[Sequence[str]], object]) -> Path:
    """Write a stack file whose servers have the tests' images, into a new folder.

    `write` gets the options of `pipeline.py compose` that say so.
    """
    for name in ("docker", "operations"):
        shutil.copytree(ROOT / name, folder / name)
    made, settings = folder / "docker" / "test.yml", folder / "docker" / "dev.env"
    lines = settings.read_text(encoding="utf-8").splitlines()
    ours = [line for line in lines if f"\n{line.partition('=')[0]}=" not in HASTE]
    settings.write_text("\n".join(ours) + HASTE, encoding="utf-8")
    images = [f"--server-image={server.name}={server.image}" for server in SERVERS]
    write([f"--config={settings}", f"--output={made}", *images])
    document = yaml.safe_load(made.read_text(encoding="utf-8"))
    for name in WITHOUT_IMAGE:
        document["services"].pop(name, None)
        document["volumes"].pop(name, None)
    made.write_text(yaml.safe_dump(document, sort_keys=False), encoding="utf-8")
    return made


class Stack:
    """A stack on the swarm of an engine."""

    def __init__(self, client: Client, name: str, file: Path) -> None:
        self._client = client
        self.name = name
        self._file = file
        self.services: Mapping[str, Any] = yaml.safe_load(file.read_text())["services"]

    def inputs(self, queuer: str) -> list[str]:
        """The URLs that a queuer reads."""
        return [word for word in self.services[queuer]["command"] if "://" in word]

    def deploy(self) -> None:
        """Deploy the stack's file."""
        self._docker("stack", "deploy", "--resolve-image=never", f"-c={self._file}", self.name)

    def remove(self) -> None:
        """Remove the stack, with its volumes, and wait until nothing of it is left."""
        self._docker("stack", "rm", self.name)
        label = f"--filter=label=com.docker.stack.namespace={self.name}"
        for kind in (("ps", "--all"), ("network", "ls")):
            until(partial(self._is_gone, *kind, "-q", label), f"{kind[0]} is empty")
        for volume in self._lines("volume", "ls", "-q", label):
            self._docker("volume", "rm", volume)

    def wait(self, *services: str) -> None:
        """Wait until services have all their replicas healthy, or have ended well; default: all."""
        for name in services or self.services:
            until(partial(self._is_well, name), f"{name} is well", partial(self.state, name))

    def state(self, service: str) -> str:
        """The tasks of a service, and the last lines of their logs."""
        tasks = self._docker("service", "ps", "--no-trunc", self._full(service))
        return tasks + self._docker("service", "logs", "--tail=20", self._full(service))

    def containers(self, service: str) -> list[str]:
        """The ids of a service's running containers."""
        label = f"--filter=label=com.docker.swarm.service.name={self._full(service)}"
        return self._lines("ps", "-q", label)

    def image(self, service: str) -> set[str]:
        """The images of a service's running containers."""
        ids = self.containers(service)
        return {self._docker("inspect", "-f={{.Config.Image}}", each).strip() for each in ids}

    def scale(self, service: str, replicas: int) -> None:
        """Give a service so many replicas, and wait for them."""
        self._docker("service", "scale", f"{self._full(service)}={replicas}")
        until(lambda: len(self.containers(service)) == replicas, f"{service}={replicas}")
        if replicas:
            self.wait(service)

    def update(self, service: str, *options: str) -> None:
        """Update a service, or roll its update back, and wait for the end."""
        self._docker("service", "update", "--quiet", *options, self._full(service))

    def kill(self, service: str) -> str:
        """Kill the first container of a service. Returns its id."""
        victim = self.containers(service)[0]
        self._docker("kill", victim)
        return victim

    def run(self, service: str, *words: str) -> str:
        """Run a command in a container of a service; the output."""
        return self._docker("exec", self.containers(service)[0], *words)

    def rows(self, service: str, *words: str) -> list[dict[str, Any]]:
        """Run a command that prints lines of JSON; none while the container is not there."""
        try:
            return [json.loads(line) for line in self.run(service, *words).splitlines()]
        except (Unavailable, IndexError):
            return []

    def _is_gone(self, *words: str) -> bool:
        return not self._lines(*words)

    def _is_well(self, service: str) -> bool:
        name = self._full(service)
        rows = self._docker("service", "ls", "--format={{.Name}} {{.Replicas}}").splitlines()
        running, _, wanted = next(r.split()[1] for r in rows if r.split()[0] == name).partition("/")
        # The replicas of a service that has ended are not counted.
        states = self._docker("service", "ps", "--format={{.CurrentState}}", name)
        return running == wanted or "Complete" in states

    def _full(self, service: str) -> str:
        return f"{self.name}_{service}"

    def _lines(self, *words: str) -> list[str]:
        return self._docker(*words).split()

    def _docker(self, *words: str) -> str:
        return self._client.run(*words)
