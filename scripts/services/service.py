"""What the services have in common."""

import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Protocol


class Unavailable(Exception):
    """A service cannot be had; the text says why, and what to do."""


def reason(error: OSError | subprocess.SubprocessError) -> str:
    """Why a command failed, in the first lines that it said."""
    said = getattr(error, "output", None) or str(error)
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line).strip() for line in said.splitlines()]
    return "\n    ".join(line for line in lines[:10] if line)


class Package(NamedTuple):
    """A Debian package, and the program it is installed for."""

    program: str
    package: str


@dataclass(frozen=True, slots=True)
class Launch:
    """How to start a configured service, and the variables that tell the tests where it is."""

    command: Sequence[str]
    variables: Mapping[str, str]
    environment: Mapping[str, str] = field(default_factory=dict)


class Service(Protocol):
    """A server on loopback that is started for tests."""

    name: str
    packages: Sequence[Package]
    seconds: float
    """How long it may take to answer after its start."""

    def install(self) -> None:
        """Bring what it needs beyond Debian packages. Raises Unavailable."""

    def configure(self, folder: Path) -> Launch:
        """Write its configuration into an empty folder. Raises Unavailable."""

    def answers(self, variables: Mapping[str, str]) -> bool:
        """Whether the server that those variables name is ready for use."""
