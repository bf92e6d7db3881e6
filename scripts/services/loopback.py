"""Servers on this machine: ports for them, and requests to them."""

import random
import socket
import urllib.request

LOWEST, HIGHEST = 20_000, 32_767
"""Below the range that Linux gives to outgoing connections (ip(7): from 32768)."""


def free_port(also: int = 0) -> int:
    """A port that nothing listens on; with `also`, the one that many above is free as well."""
    for _ in range(1000):
        port = random.randint(LOWEST, HIGHEST - also)  # noqa: S311 - no secret
        if _is_free(port) and _is_free(port + also):
            return port
    raise OSError(f"no free port on loopback from {LOWEST} to {HIGHEST}")


def ask(request: str | urllib.request.Request, seconds: float = 5) -> bytes:
    """What an HTTP server answers, asked past any proxy. Raises OSError."""
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with direct.open(request, timeout=seconds) as answer:
        return bytes(answer.read())


def _is_free(port: int) -> bool:
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
