"""Waits until the servers that settings name accept connections, for a limited time.

A stack of containers has no order of starting: a program would end before its broker listens, and
be started again and again.
"""

import socket
import time
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple
from urllib.parse import urlsplit

from indexer.errors import ConfigurationError, UnreachableServer

PORTS = {
    "amqp": 5672,
    "amqps": 5671,
    "http": 80,
    "https": 443,
    "postgres": 5432,
    "postgresql": 5432,
}
"""The default ports of the schemes that name a server."""

CONNECT_SECONDS = 5.0
PAUSE_SECONDS = 1.0
REPORT_SECONDS = 10.0


class NeededServer(NamedTuple):
    """A server, and the variable that names it."""

    variable: str
    host: str
    port: int

    def __str__(self) -> str:
        return f"{self.host}:{self.port} ({self.variable})"


def servers(variable: str, urls: str) -> Iterator[NeededServer]:
    """Yield the servers that the URLs of a variable name, separated by blanks.

    A URL without a server, such as sqlite:///FILE, counts as none. Raises ConfigurationError.
    """
    for url in urls.split():
        try:
            parts = urlsplit(url)
            default = PORTS.get(parts.scheme.partition("+")[0])
            if default and parts.hostname:
                yield NeededServer(variable, parts.hostname, parts.port or default)
        except ValueError:
            # The reason of `urlsplit` may have a part of a password.
            raise ConfigurationError(f"{variable}: not a valid URL") from None


def accepts(server: NeededServer) -> bool:
    """Whether a server accepts a connection."""
    try:
        with socket.create_connection((server.host, server.port), CONNECT_SECONDS):
            return True
    except OSError:
        return False


def wait(
    needed: Iterable[list[NeededServer]],
    seconds: float,
    report: Callable[[str], None],
    answers: Callable[[NeededServer], bool] = accepts,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Wait until one server of each list accepts connections; report the one waited for.

    Raises UnreachableServer after `seconds`.
    """
    deadline = clock() + seconds
    for choice in needed:
        names = " or ".join(map(str, choice))
        reported = float("-inf")
        while not any(answers(each) for each in choice):
            if clock() >= deadline:
                raise UnreachableServer(f"{names} accepts no connection after {seconds:g} s")
            if clock() - reported >= REPORT_SECONDS:
                reported = clock()
                report(f"waiting for {names}")
            sleep(PAUSE_SECONDS)
