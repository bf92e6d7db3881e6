"""The web server of one program's metrics: `/metrics`, `/healthz` and `/readyz`.

`/healthz` tells that the process runs, `/readyz` that it does its work: it has its broker, and its
deployment is configured.

Each connection has one request. No client keeps others out: a connection is closed when its time
is over, whatever its client does; and when there are too many, the oldest one is closed.
"""

import logging
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple, TypeAlias

from indexer.system.listening import ListenAddress, client_of, listen
from indexer.system.readiness import is_ready

log = logging.getLogger(__name__)

PATIENCE = 10.0
"""Seconds for the whole of a connection: to send a request, and to read its answer."""

MOST, MOST_OF_CLIENT = 50, 10
"""The most open connections, and those of one client."""

TEXT = "text/plain; charset=utf-8"

Page: TypeAlias = Callable[[str], tuple[str, bytes]]
"""Returns the content type and the text of the metrics for a header Accept."""


class _Opened(NamedTuple):
    at: float
    client: str


class Endpoint(ThreadingHTTPServer):
    """Serves a page of metrics, in a thread of its own for the time of the context."""

    daemon_threads = True

    def __init__(
        self, page: Page, place: ListenAddress, now: Callable[[], float] = time.monotonic
    ) -> None:
        """Raises ConfigurationError if the address can't be used."""
        self.page = page
        self._now = now
        self._lock = threading.Lock()
        self._opened: dict[Any, _Opened] = {}
        # `listen` accepts IPv4 and IPv6 at once, which the server's own socket does not.
        listening = listen(place, socket.SOCK_STREAM)
        super().__init__(listening.getsockname()[:2], _Handler, bind_and_activate=False)
        self.socket.close()
        self.socket = listening
        self.place = ListenAddress(place.host or socket.gethostname(), listening.getsockname()[1])
        self._thread = threading.Thread(target=self.serve_forever, name="metrics", daemon=True)

    def __enter__(self) -> "Endpoint":
        self._thread.start()
        return self

    def __exit__(self, *ended: object) -> None:
        self.shutdown()
        self._thread.join()
        self.server_close()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer a request in a thread, and close the oldest connection if there are too many."""
        client = client_of(client_address[0])
        with self._lock:
            of_client = [each for each, it in self._opened.items() if it.client == client]
            if len(of_client) >= MOST_OF_CLIENT:
                self._hang_up(of_client[0])
            elif len(self._opened) >= MOST:
                self._hang_up(next(iter(self._opened)))
            self._opened[request] = _Opened(self._now(), client)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """Close a connection that is answered."""
        with self._lock:
            self._opened.pop(request, None)
        super().shutdown_request(request)

    def service_actions(self) -> None:
        """Close connections whose time is over. The server calls it twice a second."""
        with self._lock:
            for request, opened in [*self._opened.items()]:
                if self._now() - opened.at > PATIENCE:
                    self._hang_up(request)

    def handle_error(self, request: object, client_address: object) -> None:  # noqa: ARG002 - the signature
        """Log, without a traceback, that a client has closed its connection early."""
        log.debug("metrics: %s hung up", client_address, exc_info=True)

    def _hang_up(self, request: socket.socket) -> None:
        """Have the thread of a connection end: whatever it waits for fails at once."""
        self._opened.pop(request, None)
        with suppress(OSError):
            request.shutdown(socket.SHUT_RDWR)


class _Handler(BaseHTTPRequestHandler):
    server: Endpoint
    server_version = "story-indexer"
    sys_version = ""

    def do_GET(self) -> None:
        """Answer a request."""
        path = self.path.partition("?")[0]
        if path == "/metrics":
            kind, page = self.server.page(self.headers.get("Accept", ""))
            self._answer(HTTPStatus.OK, kind, page)
        elif path == "/healthz":
            self._answer(HTTPStatus.OK, TEXT, b"ok\n")
        elif path == "/readyz" and is_ready():
            self._answer(HTTPStatus.OK, TEXT, b"ready\n")
        elif path == "/readyz":
            self._answer(HTTPStatus.SERVICE_UNAVAILABLE, TEXT, b"not ready\n")
        else:
            self._answer(HTTPStatus.NOT_FOUND, TEXT, b"see /metrics\n")

    do_HEAD = do_GET

    def _answer(self, status: HTTPStatus, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *values: object) -> None:
        """Do not log requests: Prometheus sends one every few seconds, others may hold secrets."""
