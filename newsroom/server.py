"""The newsroom's HTTP server: many hosts, distinguished by the Host header, on loopback only.

    with Newsroom() as room:
        room.inputs       the URLs of the feeds: http://harbour-herald.example/feed/, …
        room.addresses    the addresses of hosts: harbour-herald.example=127.0.0.1:PORT, …

The URLs have no port: a client connects to these addresses without resolving the names.
"""

import contextlib
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self

from newsroom.reply import Reply, failure
from newsroom.site import Site, load_site

IDLE_SECONDS = 30.0
"""Seconds after which a silent connection is closed."""

NOT_HERE = failure(404)
WRONG_HOST = failure(421)


class Newsroom:
    """Serves a site while its block runs, on `port`, or on any free port if it is 0."""

    def __init__(self, port: int = 0, site: Site | None = None) -> None:
        self._site = site or load_site()
        self._wanted = port
        self._server: _Server | None = None
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

    def open(self) -> None:
        """Start serving. Raises OSError if the port is in use."""
        self._server = _Server(self._site, self._wanted)
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

    @property
    def addresses(self) -> list[str]:
        """HOST=ADDRESS:PORT of every host, for the fetcher's option `resolve`."""
        return [f"{name}=127.0.0.1:{self.port}" for name in self._site.names]

    @property
    def inputs(self) -> list[str]:
        """The URLs of all feeds and lists, without port."""
        return list(self._site.inputs)


class _Server(ThreadingHTTPServer):
    """A server with a thread for each connection."""

    # `server_close` waits for the threads of connections only if they are no daemons.
    daemon_threads = False
    request_queue_size = 128

    def __init__(self, site: Site, port: int) -> None:
        self.site = site
        self.names = frozenset(site.names)
        self.closing = threading.Event()
        self._open: set[socket.socket] = set()
        self._seen: set[str] = set()
        self._lock = threading.Lock()
        super().__init__(("127.0.0.1", port), _Handler)

    def reply(self, host: str, target: str) -> Reply:
        """The reply to a request. Unknown parameters, such as those of campaigns, are ignored."""
        if host not in self.names:
            return WRONG_HOST
        url = f"http://{host}{target}"
        found = self.site.replies.get(url) or self.site.replies.get(url.partition("?")[0])
        if not found:
            return NOT_HERE
        return found.first if found.first and self._is_first(url) else found

    def _is_first(self, url: str) -> bool:
        with self._lock:
            first = url not in self._seen
            self._seen.add(url)
        return first

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


class _Handler(BaseHTTPRequestHandler):
    """Answers the requests of one connection."""

    server: _Server
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

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def version_string(self) -> str:
        return "newsroom"

    def log_message(self, format: str, *args: object) -> None:
        """Stay silent: the programs under test have their own logs."""

    def _answer(self, *, with_body: bool) -> None:
        host = self.headers.get("Host", "").partition(":")[0].lower()
        reply = self.server.reply(host, self.path)
        if reply.delay:
            self.server.closing.wait(reply.delay)
        if reply.headers.get("ETag", "") == self.headers.get("If-None-Match"):
            reply = Reply(status=304, headers=reply.headers)
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        if reply.size:
            self._stream(reply, with_body)
        else:
            self._whole(reply, with_body)

    def _whole(self, reply: Reply, with_body: bool) -> None:
        body = reply.body
        if reply.packed:
            self.send_header("Vary", "Accept-Encoding")
            if "gzip" in self.headers.get("Accept-Encoding", ""):
                self.send_header("Content-Encoding", "gzip")
                body = reply.packed
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if with_body:
            self.wfile.write(body)

    def _stream(self, reply: Reply, with_body: bool) -> None:
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        if with_body:
            for part in _parts(reply):
                self.wfile.write(b"%x\r\n%b\r\n" % (len(part), part))
            self.wfile.write(b"0\r\n\r\n")


def _hang_up(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


def _parts(reply: Reply) -> Iterator[bytes]:
    sent = 0
    while sent < reply.size:
        part = reply.body[: reply.size - sent]
        yield part
        sent += len(part)
