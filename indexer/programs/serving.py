"""Web applications, served over HTTP until the program is stopped.

At a signal the server accepts no more requests, and takes some seconds to end its responses.
"""

import ipaddress
import socket
import threading
from contextlib import closing
from typing import Any, Literal

import structlog
import uvicorn
from pydantic import BaseModel

from indexer.system.listening import ListenAddress, listen

MOST_CONNECTIONS = 200
"""The most open connections: further ones get the status 503."""

LAST_SECONDS = 10
"""The time for responses to end after a signal."""

IDLE_SECONDS = 5
"""The time after which an idle connection is closed."""

log = structlog.get_logger()


class Problem(BaseModel):
    """The body of an error; `detail` says why the request was not answered."""

    detail: str


class Health(BaseModel):
    """The body of `/healthz`: the program answers."""

    status: Literal["ok"] = "ok"


def serve(
    app: Any, place: ListenAddress, stop: threading.Event, *, idle_seconds: int = IDLE_SECONDS
) -> None:
    """Serve an ASGI application at an address until a signal comes; return at once after `stop`.

    `stop` comes from `stop_on_signals`. Raises ConfigurationError if the address can't be used.
    """
    with closing(listen(place, socket.SOCK_STREAM)) as bound:
        log.info("listening", at=str(ListenAddress(place.host, bound.getsockname()[1])))
        if not stop.is_set():
            # uvicorn has handlers of its own: it ends at a signal, and raises it again afterwards.
            uvicorn.Server(config(app, idle_seconds)).run([bound])


def config(app: Any, idle_seconds: int = IDLE_SECONDS) -> uvicorn.Config:
    """The settings of all servers: limits, and no header that names the server."""
    return uvicorn.Config(
        app,
        log_config=None,
        # Requests are counted, not logged: their URLs may hold secrets.
        access_log=False,
        lifespan="off",
        ws="none",
        server_header=False,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_keep_alive=idle_seconds,
        timeout_graceful_shutdown=LAST_SECONDS,
    )


def is_loopback(host: str) -> bool:
    """Whether an address can be reached from this machine only."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
