"""A stand-in for the command `docker`: a swarm with the stacks that were deployed to it."""

import json
from base64 import b64encode
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import yaml

from indexer.errors import SwarmError


class FakeDocker:
    """Answers as Docker 20.10 does.

    `tasks` has the state and the error of the last task of a service; `update` the state of its
    update, with its message.
    """

    def __init__(self) -> None:
        self.is_manager = True
        self.stacks: dict[str, dict[str, Any]] = {}
        self.folders: list[Path | None] = []
        self.configs: dict[str, tuple[str, bytes]] = {}
        self.tasks: dict[str, tuple[str, str]] = {}
        self.running: dict[str, int] = {}
        self.update: dict[str, tuple[str, str]] = {}
        self.ending: list[list[str]] = []
        self.removed: list[str] = []

    def __call__(self, arguments: Sequence[str], content: bytes | None, folder: Path | None) -> str:
        kind, what, *words = [*arguments, ""]
        answer = getattr(self, f"_{kind}_{what}", None) or getattr(self, f"_{kind}", None)
        if answer is None:
            raise SwarmError(f"docker {kind}: the tests know nothing of {arguments}")
        self.folders.append(folder)
        return str(answer([word for word in words if word], content) or "")

    def _info(self, *_: object) -> str:
        return json.dumps({"ControlAvailable": self.is_manager})

    def _stack_deploy(self, words: list[str], content: bytes) -> None:
        self.stacks[words[-1]] = yaml.safe_load(content)

    def _stack_rm(self, words: list[str], _: None) -> None:
        del self.stacks[words[-1]]

    def _config_create(self, words: list[str], content: bytes) -> None:
        _, label, name, _ = words
        self.configs[name] = (label, content)

    def _config_rm(self, words: list[str], _: None) -> None:
        del self.configs[words[-1]]

    def _config_inspect(self, words: list[str], _: None) -> str:
        data = b64encode(self.configs[words[-1]][1]).decode()
        return json.dumps([{"Spec": {"Data": data}}])

    def _config_ls(self, words: list[str], _: None) -> str:
        found = [name for name, (label, _) in self.configs.items() if f"label={label}" == words[1]]
        return _lines({"Name": name} for name in found)

    def _service_ls(self, words: list[str], _: None) -> str:
        stack = words[1].rpartition("=")[2]
        return _lines(self._listed(stack, *each) for each in self._services(stack))

    def _service_inspect(self, words: list[str], _: None) -> str:
        given = self.update.get(words[-1], ())
        state = dict(zip(("State", "Message"), given, strict=False))
        return json.dumps([{"UpdateStatus": state} if state else {}])

    def _service_ps(self, words: list[str], _: None) -> str:
        state, error = self.tasks.get(words[-1], ("Running 2 seconds ago", ""))
        return _lines([{"CurrentState": state, "Error": error}])

    def _ps(self, *_: object) -> str:
        return "\n".join(self.ending.pop(0) if self.ending else [])

    def _volume_ls(self, *_: object) -> str:
        return _lines([{"Name": "toys_data"}])

    def _volume_rm(self, words: list[str], _: None) -> None:
        self.removed.append(words[-1])

    def _services(self, stack: str) -> list[tuple[str, Any]]:
        return [*self.stacks.get(stack, {}).get("services", {}).items()]

    def _listed(self, stack: str, name: str, service: Any) -> dict[str, str]:
        desired = service["deploy"]["replicas"]
        running = self.running.get(f"{stack}_{name}", desired)
        image = str(service["image"])
        return {"Name": f"{stack}_{name}", "Image": image, "Replicas": f"{running}/{desired}"}


def _lines(rows: Iterable[dict[str, str]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)
