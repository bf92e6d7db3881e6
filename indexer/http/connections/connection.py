"""Connections to checked addresses: a socket, with TLS for the name in the URL, and its reader.

Certificate and SNI use the name; the socket is a Dialer's, so nothing else resolves the name.
urllib3 opens the tunnel of a proxy.
"""

import errno
import http.client
import io
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from typing import Final, cast

from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.util import wait_for_read

from indexer.http.connections.bounded import Allowance, BoundedSocket
from indexer.http.connections.proxy import Proxy
from indexer.http.connections.tls import TLS
from indexer.http.urls.target import Target

_BUFFER: Final = 65_536


class ServerConnection:
    """An open connection. `peer`: the address that it leads to. Not thread-safe."""

    def __init__(self, sock: BoundedSocket, closing: Callable[[], None] = lambda: None) -> None:
        """`closing` is called before the end. Raises OSError if the connection is lost already."""
        self.peer: str = sock.getpeername()[0]
        self.reader = cast(io.BufferedReader, sock.makefile("rb", _BUFFER))
        self._sock = sock
        self._closing = closing

    def begin(self, allowance: Allowance) -> None:
        """Begin an exchange, with limits of its own."""
        self._sock.allowance = allowance

    def send(self, data: bytes | memoryview) -> None:
        """Send bytes. Raises OSError."""
        self._sock.sendall(data)

    def unread(self) -> bytes:
        """Bytes that have arrived but were not read; without waiting for more."""
        return self._peeked(_ARRIVED)

    @property
    def is_read(self) -> bool:
        """Whether all bytes that were taken from the socket were read; a quick check."""
        return not self._peeked(_TAKEN)

    def _peeked(self, which: Allowance) -> bytes:
        allowance, self._sock.allowance = self._sock.allowance, which
        try:
            with suppress(OSError, ValueError):
                return self.reader.peek()
            return b""
        finally:
            self._sock.allowance = allowance

    @property
    def is_quiet(self) -> bool:
        """Whether the server neither closed the connection nor sent anything that was not read."""
        sock = self._sock
        pending = sock.pending() if isinstance(sock, ssl.SSLSocket) else 0
        return not (pending or wait_for_read(sock, 0.0))

    def hang_up(self) -> None:
        """End the connection for both sides, so that a thread that waits for bytes goes on."""
        with suppress(OSError):
            # Not that of SSLSocket, which takes the TLS session away from the waiting thread.
            socket.socket.shutdown(self._sock, socket.SHUT_RDWR)

    def close(self) -> None:
        """Close the connection."""
        self._closing()
        with suppress(OSError):
            self.reader.close()
        self._sock.close()


class _Impatient(Allowance):
    """Allows reading without waiting, and without counting."""

    def patience(self) -> float:
        return 0.0

    def take(self, received: int) -> None:
        """Count nothing."""


class _Idle(_Impatient):
    """Allows no system call."""

    def patience(self) -> float:
        raise BlockingIOError(errno.EAGAIN, "not asked")


_ARRIVED, _TAKEN = _Impatient(0.0, 0.0), _Idle(0.0, 0.0)


class _FinalResponse(http.client.HTTPResponse):
    """Skips all interim answers: http.client skips 100, and takes 103 for the answer."""

    fp: io.BufferedReader

    def _read_status(self) -> tuple[str, int, str]:
        found: tuple[str, int, str] = super()._read_status()  # type: ignore[misc]  # not in its types
        while 100 <= found[1] < 200 and found[1] != http.client.SWITCHING_PROTOCOLS:
            http.client.parse_headers(self.fp)
            found = super()._read_status()  # type: ignore[misc]
        return found


class PinnedConnection(HTTPConnection):
    """An HTTP connection over a socket of a Dialer: urllib3 never resolves the name."""

    response_class = _FinalResponse
    dial: Callable[[], BoundedSocket]

    def _new_conn(self) -> BoundedSocket:
        return self.dial()


class PinnedTLSConnection(HTTPSConnection):
    """An HTTPS connection over a socket of a Dialer."""

    response_class = _FinalResponse
    dial: Callable[[], BoundedSocket]

    def _new_conn(self) -> BoundedSocket:
        return self.dial()


def connected(
    target: Target, dial: Callable[[], BoundedSocket], tls: TLS, route: str, proxy: Proxy | None
) -> ServerConnection:
    """A connection to a target over the socket of `dial`; through a proxy's tunnel for https.

    `route` names the target and the proxy. Raises OSError, and FetchError of `dial`.
    """
    if target.scheme == "http":
        return _opened(dial())
    sock = dial() if proxy is None else _tunnel(target, dial, proxy)
    try:
        secured, closing = tls.secure(sock, target.name.strip("[]"), route)
    except BaseException:
        sock.close()
        raise
    return _opened(secured, closing)


def _opened(sock: BoundedSocket, closing: Callable[[], None] = lambda: None) -> ServerConnection:
    try:
        return ServerConnection(sock, closing)
    except BaseException:
        sock.close()
        raise


def _tunnel(target: Target, dial: Callable[[], BoundedSocket], proxy: Proxy) -> BoundedSocket:
    """A socket whose other end the proxy has connected to the target."""
    opened = PinnedConnection(target.host, target.port)
    opened.dial = dial
    opened.set_tunnel(target.host, target.port, proxy.headers)
    try:
        opened.connect()
    except BaseException:
        opened.close()
        raise
    return cast(BoundedSocket, opened.sock)
