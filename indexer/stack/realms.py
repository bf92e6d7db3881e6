"""The realms: production, a rehearsal of it, and a developer's machine."""

from collections.abc import Sequence
from dataclasses import dataclass

from indexer.errors import ConfigurationError


@dataclass(frozen=True, slots=True)
class Realm:
    """Where a stack runs, and for what.

    `servers` are those in the stack; a server that is not among them is outside of it. Producers
    read their inputs again and again in a realm that `watches`, once in another, and then queue at
    most `sample` messages each (0: all). Search has `nodes` servers, each with a heap of `heap_gb`
    gigabytes. Ports are `ports` higher than the usual ones. The files of a `local` realm are those
    of the machine on which the stack is started.
    """

    name: str
    servers: Sequence[str]
    watches: bool = False
    sample: int = 0
    nodes: int = 1
    heap_gb: int = 1
    ports: int = 0
    local: bool = False


WATCHING = ("prometheus", "grafana")

REALMS = (
    Realm("prod", ("rabbitmq", "postgresql", *WATCHING), watches=True),
    Realm(
        "staging",
        ("rabbitmq", "postgresql", "elasticsearch", *WATCHING),
        sample=50_000,
        nodes=3,
        heap_gb=20,
        ports=10,
    ),
    Realm(
        "dev",
        ("rabbitmq", "postgresql", "elasticsearch", "s3", *WATCHING),
        sample=5_000,
        ports=20,
        local=True,
    ),
)
"""stories.md 10."""


def realm(name: str) -> Realm:
    """The realm of a name. Raises ConfigurationError."""
    for each in REALMS:
        if each.name == name:
            return each
    names = ", ".join(each.name for each in REALMS)
    raise ConfigurationError(f"no realm {name!r}: there are {names}")
