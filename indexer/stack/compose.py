"""Stack files: text for `docker stack deploy` and `docker compose`, in version 3.8 of their format.

A swarm takes no conditions for the order of a start: each program waits for its servers.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from indexer.errors import ConfigurationError
from indexer.stack.configuration import has_credentials, shown, version_of
from indexer.stack.containers import config, program_service, server_service, site_service
from indexer.stack.plan import Document, StackPlan
from indexer.stack.programs import programs
from indexer.stack.servers import servers
from indexer.system.origins import FILE

VERSION = "3.8"

SITE = "sample-site"


def compose(plan: StackPlan) -> Document:
    """The stack file of a plan. Raises ConfigurationError."""
    parts = [*programs(plan)]
    read = {name for part in parts for name in part.reads}
    used = [each for each in servers(plan.realm) if not each.used or read & {*each.used}]
    _check_names(plan, read)
    _check_secrets(plan)
    _check_inputs(plan)
    services: dict[str, Any] = {server.name: server_service(plan, server) for server in used}
    if plan.hosts:
        services[SITE] = site_service(plan, plan.site)
    services |= {part.name: program_service(plan, part) for part in parts}
    files = [] if plan.realm.local else [file for server in used for file in server.files]
    document = {
        "version": VERSION,
        "services": services,
        "secrets": _used_secrets(plan, services),
        "configs": {config(file): _named(plan, config(file), plan.root / file) for file in files},
        "volumes": dict.fromkeys(_volumes(services)),
    }
    return {name: part for name, part in document.items() if part}


def render(plan: StackPlan, comment: str) -> str:
    """The text of a stack file, with a comment at its top. Raises ConfigurationError."""
    head = "".join(f"# {line}\n" for line in comment.splitlines())
    # A copy of all parts: YAML would write a part that stands twice as a reference to the first.
    document = json.loads(json.dumps(compose(plan)))
    text: str = yaml.safe_dump(document, sort_keys=False, width=100)
    return head + text


def _used_secrets(plan: StackPlan, services: Mapping[str, Any]) -> Document:
    used = {each["source"] for one in services.values() for each in one.get("secrets", ())}
    known = {name.lower(): path for name, path in plan.configuration.secrets.items()}
    return {name: _named(plan, name, known[name]) for name in sorted(used)}


def _named(plan: StackPlan, name: str, path: Path) -> Document:
    """A secret or a config: a swarm can't change its content, so its name tells the version."""
    version = version_of(name, path)
    ending = f"-{version}" if version else ""
    return {"file": plan.path(path), "name": f"{plan.name}-{name}{ending}"}


def _volumes(services: Mapping[str, Any]) -> list[str]:
    """The named volumes of services: those that don't begin with a path."""
    mounts = [mount for each in services.values() for mount in each.get("volumes", ())]
    return [mount.partition(":")[0] for mount in mounts if mount[0] not in "./"]


def _check_secrets(plan: StackPlan) -> None:
    """Raise ConfigurationError for a secret that would be written into the stack file."""
    for name, value in plan.configuration.settings.items():
        if has_credentials(value) or (name in plan.secret and shown(value) != value):
            raise ConfigurationError(
                f"{name} has a secret: write its value into a file, set {name}{FILE} to its path"
            )


def _check_inputs(plan: StackPlan) -> None:
    """Raise ConfigurationError for an input whose password would be in the stack file."""
    for number, text in enumerate(plan.inputs, start=1):
        if has_credentials(text):
            raise ConfigurationError(
                f"input {number} is a URL with a user or a password: everyone who reads the stack "
                "file would see it"
            )


def _check_names(plan: StackPlan, read: set[str]) -> None:
    """Raise ConfigurationError for a setting that nobody reads, in any flavor."""
    given = {*plan.configuration.settings, *(name + FILE for name in plan.configuration.secrets)}
    servers_read = {name + FILE for each in servers(plan.realm) for name in each.secrets}
    if unknown := sorted(given - read - {*plan.known} - servers_read):
        raise ConfigurationError(
            f"no program reads {', '.join(unknown)}: `story-indexer settings` lists all settings"
        )
