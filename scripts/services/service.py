"""The interface of the services."""

import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Protocol


class Unavailable(Exception):
    """A service is not available; the text has the reason, and advice."""


def reason(error: OSError | subprocess.SubprocessError) -> str:
    """The reason why a command failed: the first lines of its output."""
    said = getattr(error, "output", None) or str(error)
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line).strip() for line in said.splitlines()]
    return "\n    ".join(line for line in lines[:10] if line)


class Package(NamedTuple):
    """A Debian package, and the program in it that is needed."""

    program: str
    package: str


@dataclass(frozen=True, slots=True)
class Launch:
    """The command that starts a configured service, and the variables for tests."""

    command: Sequence[str]
    variables: Mapping[str, str]
    environment: Mapping[str, str] = field(default_factory=dict)


class Service(Protocol):
    """A server on loopback that is started for tests."""

    name: str
    packages: Sequence[Package]
    seconds: float
    """Most seconds from the start to the first answer."""
    as_root: bool
    """Whether it runs as root, not as the services' account."""

    def install(self) -> None:
        """Install everything that is not a Debian package. Raises Unavailable."""

    def configure(self, folder: Path) -> Launch:
        """Write the configuration into an empty folder. Raises Unavailable."""

    def answers(self, variables: Mapping[str, str]) -> bool:
        """Whether the server at these variables is ready for use."""
