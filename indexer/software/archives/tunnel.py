"""A proxy on this machine's loopback that leads a program to checked addresses only.

    program → CONNECT host:443 → Dialer: name → addresses → policy → socket → bytes, both ways

The program itself resolves no name and reaches no other address. All connections together have one
allowance of bytes. Requests without the proxy's password are refused: other users of the machine
may try.
"""

import base64
import re
import secrets
import socket
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from indexer.errors import FetchError, TooLarge
from indexer.http.connections.bounded import Allowance, BoundedSocket
from indexer.http.connections.dialer import Dialer
from indexer.http.urls.target import Target

MAX_HEAD: Final = 16_384
CHUNK: Final = 1 << 16
_USER: Final = "git"
_CONNECT = re.compile(rb"CONNECT ([^\s/@]+:\d{1,5}) HTTP/1\.[01]\r\n")
_PASSWORD = re.compile(rb"\r\nProxy-Authorization: *Basic +([^\s]+)", re.IGNORECASE)


class Tunnel:
    """A running proxy. `error` is the reason why it refused or ended a connection, if it did."""

    def __init__(self, dialer: Dialer, max_bytes: int, seconds: float) -> None:
        self._dialer = dialer
        self._seconds = seconds
        self._left = max_bytes
        self._max_bytes = max_bytes
        self._lock = threading.Lock()
        self._password = secrets.token_urlsafe(24)
        self.error: FetchError | None = None
        self.port = 0

    @property
    def url(self) -> str:
        """The URL of the proxy, with its password."""
        return f"http://{_USER}:{self._password}@127.0.0.1:{self.port}"

    @contextmanager
    def running(self) -> Iterator["Tunnel"]:
        """Serve for the time of the context."""
        tunnel = self

        class _Connection(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                with suppress(OSError):
                    tunnel.serve(self.request)

        with socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Connection) as server:
            server.daemon_threads = True
            server.block_on_close = False
            self.port = server.server_address[1]
            threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
            try:
                yield self
            finally:
                server.shutdown()

    def serve(self, client: socket.socket) -> None:
        """Serve one connection. Raises OSError if the program has gone."""
        client.settimeout(self._seconds)
        head = _head(client)
        found = _CONNECT.match(head)
        if not self._is_allowed(head):
            client.sendall(b"HTTP/1.1 407 No\r\nProxy-Authenticate: Basic\r\n\r\n")
        elif found is None:
            client.sendall(b"HTTP/1.1 405 No\r\n\r\n")
        else:
            self._connect(client, found[1].decode("ascii", "replace"))

    def _is_allowed(self, head: bytes) -> bool:
        word = base64.b64encode(f"{_USER}:{self._password}".encode())
        found = _PASSWORD.search(head)
        return found is not None and secrets.compare_digest(found[1], word)

    def _connect(self, client: socket.socket, place: str) -> None:
        try:
            target = Target.parse(f"https://{place}/")
            allowance = Allowance(self._seconds, self._seconds)
            # A chunk above the limit: the bytes of all connections are counted together, below.
            allowance.grant(self._max_bytes + CHUNK)
            server = self._dialer.dial(target, self._dialer.places(target), allowance)
        except FetchError as error:
            self.error = error
            client.sendall(b"HTTP/1.1 502 No\r\n\r\n")
            return
        with server:
            client.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
            sending = threading.Thread(target=_sent, args=(client, server), daemon=True)
            sending.start()
            try:
                self._received(server, client)
            except FetchError as error:
                self.error = error
            finally:
                for each in (server, client):
                    with suppress(OSError):
                        each.shutdown(socket.SHUT_RDWR)
                sending.join()

    def _received(self, server: BoundedSocket, client: socket.socket) -> None:
        buffer = bytearray(CHUNK)
        while size := server.recv_into(buffer):
            with self._lock:
                self._left -= size
                if self._left < 0:
                    raise TooLarge(f"more than {self._max_bytes:,} bytes")
            client.sendall(memoryview(buffer)[:size])


def _sent(client: socket.socket, server: BoundedSocket) -> None:
    with suppress(OSError):
        while data := client.recv(CHUNK):
            server.sendall(data)
        server.shutdown(socket.SHUT_WR)


def _head(client: socket.socket) -> bytes:
    head = b""
    while b"\r\n\r\n" not in head and len(head) < MAX_HEAD and (more := client.recv(CHUNK)):
        head += more
    return head
