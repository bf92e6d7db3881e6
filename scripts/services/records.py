"""Records of the started services, and their variables for the tests.

Both contain passwords of the servers on loopback, so only the owner of the clone can read them.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from .places import RUN
from .processes import Process

ENVIRONMENT = RUN / "environment"


@dataclass(frozen=True, slots=True)
class Record:
    """A service that was started, and the variables with its address."""

    name: str
    process: Process
    variables: Mapping[str, str]


def read(name: str) -> Record | None:
    """The record of a service; None if it was not started, or if the record is damaged."""
    try:
        data = json.loads(_path(name).read_text(encoding="utf-8"))
        return Record(name, Process(*data["process"]), dict(data["variables"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write(record: Record) -> None:
    """Store a record."""
    _write(_path(record.name), json.dumps(asdict(record)))


def remove(name: str) -> None:
    """Delete a record, if it exists."""
    _path(name).unlink(missing_ok=True)


def write_environment(variables: Mapping[str, str]) -> None:
    """Write the variables for the tests, as NAME=value lines that a shell can read, too."""
    lines = [f"{name}={value}\n" for name, value in sorted(variables.items())]
    _write(ENVIRONMENT, "".join(lines))


def _path(name: str) -> Path:
    return RUN / f"{name}.json"


def _write(path: Path, text: str) -> None:
    """Write a private file, whole or not at all."""
    aside = path.with_name(path.name + ".tmp")
    aside.unlink(missing_ok=True)
    aside.touch(mode=0o600, exist_ok=False)
    aside.write_text(text, encoding="utf-8")
    aside.replace(path)
