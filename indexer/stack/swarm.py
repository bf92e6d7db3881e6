"""A Docker swarm, by means of the `docker` command, which knows its users' contexts and logins."""

import json
import subprocess
import threading
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from indexer.errors import SwarmError

NAMESPACE = "com.docker.stack.namespace"
"""The label that Docker gives to all that belongs to a stack."""

RECORD = "story-indexer.stack"
"""The label of our records: the stack files that were deployed, as the swarm's configs."""

STATES_OF_FAILURE = ("paused", "rollback_started", "rollback_paused", "rollback_completed")
"""States of an update that ended with a failure (Docker's API: UpdateStatus)."""

LOOK_SECONDS = 2.0

Run = Callable[[Sequence[str], bytes | None, Path | None], str]


class RunningService(NamedTuple):
    """A service as it runs. `why` is the error of its last task, or of its update."""

    name: str
    image: str
    running: int
    desired: int
    ended: bool = False
    why: str = ""

    @property
    def settled(self) -> bool:
        """Whether it is as the stack file says."""
        return not self.why and (self.ended or self.running == self.desired)


class StackRecord(NamedTuple):
    """A stack file that was deployed; `tag` names the deployment, and sorts by its time."""

    tag: str
    text: str


def docker(
    arguments: Sequence[str], content: bytes | None = None, folder: Path | None = None
) -> str:
    """Run a command of Docker, and return its output. Raises SwarmError with Docker's reason."""
    try:
        done = subprocess.run(
            ["docker", *arguments], input=content, cwd=folder, capture_output=True, check=False
        )
    except OSError as error:
        raise SwarmError(f"no command `docker` here: {error.strerror}") from error
    if done.returncode:
        why = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise SwarmError(f"docker {arguments[0]}: {why[-1] if why else done.returncode}")
    return done.stdout.decode("utf-8", "replace")


class Swarm:
    """The swarm that `docker` talks to. All methods raise SwarmError."""

    def __init__(self, run: Run = docker) -> None:
        self._run = run

    def check(self) -> None:
        """Raise SwarmError unless Docker answers, and is a manager of a swarm."""
        state = json.loads(self._docker("info", "--format", "{{json .Swarm}}"))
        if not state.get("ControlAvailable"):
            raise SwarmError(
                "this Docker is no manager of a swarm: `docker swarm init` makes it one, "
                "`docker context use` chooses another Docker"
            )

    def deploy(self, name: str, text: str, folder: Path) -> None:
        """Deploy a stack file, whose paths are relative to `folder`; removes other services."""
        arguments = ["stack", "deploy", "--prune", "--with-registry-auth", "-c", "-", name]
        self._run(arguments, text.encode(), folder)

    def remove(self, name: str, *, volumes: bool, stop: threading.Event) -> bool:
        """Remove a stack with its records, and its volumes on this node if asked to.

        Returns whether its containers on this node have ended; not if `stop` was set before.
        """
        self._docker("stack", "rm", name)
        self.forget(name, self.records(name))
        while self.containers(name):
            if stop.wait(LOOK_SECONDS):
                return False
        if volumes:
            for volume in self._list("volume", f"{NAMESPACE}={name}"):
                self._docker("volume", "rm", "--force", volume["Name"])
        return True

    def containers(self, name: str) -> list[str]:
        """The containers of a stack on this node, those that have ended included."""
        found = self._docker("ps", "--all", "--quiet", "--filter", f"label={NAMESPACE}={name}")
        return found.split()

    def services(self, name: str) -> list[RunningService]:
        """The services of a stack, by name."""
        found = [self._service(name, each) for each in self._list("service", f"{NAMESPACE}={name}")]
        return sorted(found)

    def record(self, name: str, record: StackRecord) -> None:
        """Keep a stack file that was deployed."""
        arguments = ["config", "create", "--label", f"{RECORD}={name}"]
        self._run([*arguments, f"{name}-{record.tag}", "-"], record.text.encode(), None)

    def records(self, name: str) -> list[str]:
        """The tags of the stack files that were deployed, the newest first."""
        names = [each["Name"] for each in self._list("config", f"{RECORD}={name}")]
        return sorted((each.removeprefix(f"{name}-") for each in names), reverse=True)

    def forget(self, name: str, tags: Sequence[str]) -> None:
        """Remove records of stack files."""
        for tag in tags:
            self._docker("config", "rm", f"{name}-{tag}")

    def recorded(self, name: str, tag: str) -> StackRecord:
        """A stack file that was deployed."""
        shown = json.loads(self._docker("config", "inspect", f"{name}-{tag}"))
        return StackRecord(tag, b64decode(shown[0]["Spec"]["Data"]).decode())

    def _service(self, stack: str, listed: Mapping[str, Any]) -> RunningService:
        running, _, desired = listed["Replicas"].split(" ")[0].partition("/")
        inspected = json.loads(self._docker("service", "inspect", listed["Name"]))[0]
        update = inspected.get("UpdateStatus") or {}
        tasks = [*self._tasks(listed["Name"])]
        ended = [task for task in tasks if task["CurrentState"].startswith("Complete")]
        why = update.get("Message", "") if update.get("State") in STATES_OF_FAILURE else ""
        if int(running) < int(desired) and not ended:
            why = why or next((task["Error"] for task in tasks if task["Error"]), "")
        return RunningService(
            listed["Name"].removeprefix(f"{stack}_"),
            listed["Image"],
            int(running),
            int(desired),
            bool(ended) and not int(running),
            why,
        )

    def _tasks(self, service: str) -> Iterator[dict[str, Any]]:
        output = self._docker("service", "ps", "--no-trunc", "--format", "{{json .}}", service)
        return map(json.loads, output.splitlines())

    def _list(self, kind: str, label: str) -> list[dict[str, Any]]:
        listing = ("ls", "--filter", f"label={label}", "--format", "{{json .}}")
        return [json.loads(line) for line in self._docker(kind, *listing).splitlines()]

    def _docker(self, *arguments: str) -> str:
        return self._run(arguments, None, None)
