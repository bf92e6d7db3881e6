"""Web applications, served over HTTP until the program is told to stop.

A signal ends the server: answers that have begun are sent to their end, for some seconds.
"""

import ipaddress
import socket
import threading
from contextlib import closing
from typing import Any

import structlog
import uvicorn

from indexer.system.listening import ListenAddress, listen

MOST_CONNECTIONS = 200
"""Who comes when so many are open is told to come later (503)."""

LAST_SECONDS = 10
"""How long answers that have begun may take to end, once the program is told to."""

IDLE_SECONDS = 5
"""How long a connection is kept on which nothing is asked."""

log = structlog.get_logger()


def serve(
    app: Any, place: ListenAddress, stop: threading.Event, *, idle_seconds: int = IDLE_SECONDS
) -> None:
    """Answer with an ASGI application at a place until a signal comes; not at all after `stop`.

    `stop` is what `stop_on_signals` gave. Raises ConfigurationError if nothing can listen there.
    """
    with closing(listen(place, socket.SOCK_STREAM)) as bound:
        log.info("listening", at=str(ListenAddress(place.host, bound.getsockname()[1])))
        if not stop.is_set():
            # The web server ends at a signal, and then hands it on.
            uvicorn.Server(config(app, idle_seconds)).run([bound])


def config(app: Any, idle_seconds: int = IDLE_SECONDS) -> uvicorn.Config:
    """How all applications are served: bounded, and without a word on what serves them."""
    return uvicorn.Config(
        app,
        log_config=None,
        # Requests are counted, not logged: there may be secrets in what is asked for.
        access_log=False,
        lifespan="off",
        ws="none",
        server_header=False,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_keep_alive=idle_seconds,
        timeout_graceful_shutdown=LAST_SECONDS,
    )


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches an address to listen at."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
