"""Free ports for servers on this machine, and requests to them."""

import random
import socket
import threading
import urllib.request

# Below the range of outgoing connections on Linux (ip(7): from 32768), which would take a port
# between the check and the start of the server.
LOWEST, HIGHEST = 20_000, 32_767

PATIENCE = 60.0
"""Seconds to wait for an answer of a server that has accepted a connection: a busy one is there."""

_given: set[int] = set()
_giving = threading.Lock()


def free_port(also: int = 0) -> int:
    """A port on which nothing listens; if `also` is given, nor on the port that many above.

    Each is given once: the servers of several threads start at the same time.
    """
    with _giving:
        for _ in range(1000):
            port = random.randint(LOWEST, HIGHEST - also)  # noqa: S311 - no secret
            ports = {port, port + also}
            if ports.isdisjoint(_given) and all(map(_is_free, ports)):
                _given.update(ports)
                return port
    raise OSError(f"no free port on loopback from {LOWEST} to {HIGHEST}")


def ask(request: str | urllib.request.Request, seconds: float = PATIENCE) -> bytes:
    """The body of an HTTP server's answer, without using a proxy. Raises OSError."""
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
