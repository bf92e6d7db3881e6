"""Releases of a stack: what is deployed, waited for, compared and taken back."""

import difflib
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import yaml

from indexer.errors import SwarmError
from indexer.stack.swarm import LOOK_SECONDS, RunningService, StackRecord, Swarm

STABLE_SECONDS = 10.0
"""A program that ends soon after its start has not settled."""

KEPT = 10
"""The stack files of so many deployments are kept."""


def differences(swarm: Swarm, name: str, text: str) -> Iterator[str]:
    """The lines in which a stack file differs from the deployed one. Raises SwarmError."""
    tags = swarm.records(name)
    before = swarm.recorded(name, tags[0]) if tags else StackRecord("nothing", "")
    yield from difflib.unified_diff(
        before.text.splitlines(), text.splitlines(), before.tag, "this deployment", lineterm=""
    )


def release(swarm: Swarm, name: str, record: StackRecord, folder: Path) -> None:
    """Deploy a stack file, and keep it for a return to it. Raises SwarmError."""
    swarm.deploy(name, record.text, folder)
    swarm.record(name, record)
    swarm.forget(name, swarm.records(name)[KEPT:])


def take_back(swarm: Swarm, name: str, tag: str) -> StackRecord:
    """Deploy the stack file before the present one again. Returns it. Raises SwarmError."""
    tags = swarm.records(name)
    if len(tags) < 2:
        raise SwarmError(f"{name} was deployed {len(tags)} times: there is nothing to return to")
    before = swarm.recorded(name, tags[1])
    record = StackRecord(tag, with_existing_secrets(before.text))
    release(swarm, name, record, Path())
    return before


def with_existing_secrets(text: str) -> str:
    """A stack file whose secrets and configs are those that the swarm has."""
    # Their files may have changed since: their names tell which content they had.
    document = yaml.safe_load(text)
    for kind in ("secrets", "configs"):
        for key, one in document.get(kind, {}).items():
            document[kind][key] = {"external": True, "name": one["name"]}
    comment = "".join(line for line in text.splitlines(keepends=True) if line.startswith("#"))
    return comment + str(yaml.safe_dump(document, sort_keys=False, width=100))


def wait(
    swarm: Swarm,
    name: str,
    seconds: float,
    stop: threading.Event,
    tell: Callable[[list[RunningService]], None],
    clock: Callable[[], float] = time.monotonic,
) -> list[RunningService]:
    """Wait until all services have settled, and stay so. Returns those that have not in time.

    `tell` gets the services after every look. Returns early after `stop`. Raises SwarmError.
    """
    end, settled_since = clock() + seconds, None
    while True:
        services = swarm.services(name)
        tell(services)
        open_ones = [each for each in services if not each.settled]
        now = clock()
        settled_since = (settled_since or now) if services and not open_ones else None
        if settled_since is not None and now - settled_since >= STABLE_SECONDS:
            return []
        if now >= end or stop.wait(LOOK_SECONDS):
            return open_ones
