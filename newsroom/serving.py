"""Serves HTTP on loopback in threads of this process, until it is closed.

    Serving(make_server) ─ open ─→ a thread for the server, one for each connection ─ close

The newsroom and the imitation repositories are servers of this kind.
"""

import contextlib
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self

IDLE_SECONDS = 30.0
"""Seconds after which a silent connection is closed."""


class Server(ThreadingHTTPServer):
    """A server with a thread for each connection."""

    # `server_close` waits for the threads of connections only if they are no daemons.
    daemon_threads = False
    request_queue_size = 128

    def __init__(self, address: tuple[str, int], handler: type["Handler"]) -> None:
        self.closing = threading.Event()
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        super().__init__(address, handler)

    def connected(self, connection: socket.socket) -> None:
        """Register a connection, or shut it down at once if the server is closing."""
        with self._lock:
            if self.closing.is_set():
                _hang_up(connection)
            self._open.add(connection)

    def disconnected(self, connection: socket.socket) -> None:
        with self._lock:
            self._open.discard(connection)

    def hang_up(self) -> None:
        """Shut all connections down, so that threads that wait for a client end."""
        with self._lock:
            self.closing.set()
            for connection in self._open:
                _hang_up(connection)

    def handle_error(self, request: object, client_address: object) -> None:
        """Stay silent: clients that close a connection early are no errors."""


class Handler(BaseHTTPRequestHandler):
    """Reads the requests of one connection; a subclass answers them."""

    server: Server
    protocol_version = "HTTP/1.1"
    timeout = IDLE_SECONDS
    disable_nagle_algorithm = True
    wbufsize = 1 << 16

    def setup(self) -> None:
        super().setup()
        self.server.connected(self.connection)

    def finish(self) -> None:
        self.server.disconnected(self.connection)
        super().finish()

    def version_string(self) -> str:
        return "newsroom"

    def log_message(self, format: str, *args: object) -> None:
        """Stay silent: the programs under test have their own logs."""


class Serving:
    """Serves while its block runs, on `port`, or on any free port if it is 0.

    Only this machine reaches it, unless another `address` is given to listen at.
    """

    def __init__(self, port: int = 0, address: str = "127.0.0.1") -> None:
        self._address = address
        self._wanted = port
        self._server: Server | None = None
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def server(self, address: tuple[str, int]) -> Server:
        """A server that listens at the address: what a subclass serves."""
        raise NotImplementedError

    def open(self) -> None:
        """Start serving. Raises OSError if the port is in use."""
        self._server = self.server((self._address, self._wanted))
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.05,), name="newsroom", daemon=True
        )
        self._thread.start()

    def close(self) -> None:
        """Stop serving, close all connections, and end all threads."""
        if self._server and self._thread:
            self._server.shutdown()
            self._thread.join()
            self._server.hang_up()
            self._server.server_close()
        self._server = self._thread = None

    @property
    def port(self) -> int:
        """The port of the server. Raises RuntimeError if it is closed."""
        if not self._server:
            raise RuntimeError("the newsroom is closed")
        return int(self._server.server_address[1])


def _hang_up(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
