"""The request for a run, as it is made by options."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from indexer.errors import ConfigurationError


@dataclass
class RunRequest:
    """A request for a run. Blank URLs mean: in the data directory."""

    inputs: Sequence[str] = ()
    type: str = ""
    data: Path = Path("data")
    broker: str = ""
    index: str = ""
    archives: Sequence[str] = ()
    feeds: str = ""
    replicas: Mapping[str, int] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    force: bool = False
    dry_run: bool = False
    started: str = field(default_factory=lambda: f"{datetime.now(UTC):%Y%m%d%H%M%S}")

    @property
    def wants_sample(self) -> bool:
        """Whether the sample newsroom is read: neither inputs nor a flavor were named."""
        return not self.inputs and not self.type


def pairs(name: str, items: Sequence[str]) -> dict[str, str]:
    """Read the values of an option, NAME=VALUE each. Raises ConfigurationError."""
    found = {}
    for item in items:
        key, separator, value = item.partition("=")
        if not separator or not key:
            raise ConfigurationError(f"{name}: write it as NAME=VALUE")
        found[key] = value
    return found
