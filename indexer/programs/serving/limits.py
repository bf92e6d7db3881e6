"""The limits of a server: what one client may take from all others."""

from dataclasses import dataclass
from typing import Any

from indexer.metrics import counter
from indexer.system.options import option

CUT = counter("connections.cut", "connections that a limit of the server ended", "limit")

HEALTH = ("/healthz", "/readyz")
"""The health checks: answered also if there are too many connections."""

HEALTH_PLACES = 10
"""Health checks that are answered at once when all other places are taken."""


@dataclass(frozen=True, slots=True)
class ServingLimits:
    """Limits of a server. Times are in seconds, and no byte that arrives extends one.

    `idle_seconds`: how long a connection may wait for its next request.
    `head_seconds`, `body_seconds`: how long the head and the body of a request may take to arrive.
    `body_bytes`: the most bytes of a body; no method of ours reads one.
    `unread_seconds`, `unread_bytes`: the time in which a client must read so many bytes of an
    answer that waits for it, or all of it.
    `connections`: the most open ones; `of_one_client`: the most of one client, 0: no limit.
    """

    idle_seconds: int = 5
    head_seconds: float = 10
    body_seconds: float = 10
    body_bytes: int = 64 * 1024
    unread_seconds: float = 60
    unread_bytes: int = 16 * 1024
    connections: int = 200
    of_one_client: int = 50


def client_connections(variable: str) -> Any:
    """The option for `of_one_client`."""
    return option(
        ServingLimits().of_one_client,
        "most connections of one address; 0: no limit, for a server behind a reverse proxy",
        variable,
    )
