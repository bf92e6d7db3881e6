"""Web applications, served over HTTP until the program is stopped.

At a signal the server accepts no more requests, and takes some seconds to end its responses.
No client keeps others out (`ServingLimits`): a new connection takes the place of the one that has
waited longest for a request, and `/healthz` is answered also if all places are taken.
"""

import ipaddress
import socket
import threading
from contextlib import closing
from functools import partial
from typing import Any, Literal

import uvicorn
from pydantic import BaseModel

from indexer.programs.serving.connection import BoundedConnection
from indexer.programs.serving.limits import ServingLimits
from indexer.system.listening import ListenAddress, listen
from indexer.system.loggers import get_logger

LAST_SECONDS = 10
"""The time for responses to end after a signal."""

LIMITS = ServingLimits()

log = get_logger()


class Problem(BaseModel):
    """The body of an error; `detail` says why the request was not answered."""

    detail: str


class Health(BaseModel):
    """The body of `/healthz`: the program answers."""

    status: Literal["ok"] = "ok"


def serve(
    app: Any, place: ListenAddress, stop: threading.Event, limits: ServingLimits = LIMITS
) -> None:
    """Serve an ASGI application at an address until a signal comes; return at once after `stop`.

    `stop` comes from `stop_on_signals`. Raises ConfigurationError if the address can't be used.
    """
    with closing(listen(place, socket.SOCK_STREAM)) as bound:
        log.info("listening", at=str(ListenAddress(place.host, bound.getsockname()[1])))
        if not stop.is_set():
            # uvicorn has handlers of its own: it ends at a signal, and raises it again afterwards.
            uvicorn.Server(config(app, limits)).run([bound])


def config(app: Any, limits: ServingLimits = LIMITS) -> uvicorn.Config:
    """The settings of all servers: limits, and no header that names the server."""
    connection: Any = partial(BoundedConnection, limits)
    return uvicorn.Config(
        app,
        http=connection,
        log_config=None,
        # Requests are counted, not logged: their URLs may hold secrets.
        access_log=False,
        lifespan="off",
        ws="none",
        server_header=False,
        timeout_keep_alive=limits.idle_seconds,
        timeout_graceful_shutdown=LAST_SECONDS,
    )


def is_loopback(host: str) -> bool:
    """Whether an address can be reached from this machine only."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
