"""Sockets with a limit of time and a limit of bytes, whatever the server sends.

The limits are checked where bytes are received, below the HTTP parser. So they hold in each of its
loops (status lines, headers, chunk sizes, trailers), also for a server that sends a byte a second.
"""

import io
import socket
import ssl
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from indexer.errors import TooLarge

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer

# ssl.OP_LEGACY_SERVER_CONNECT, which Python names from 3.12 on: browsers, too, connect to servers
# without secure renegotiation (stories.md 6.3). Certificates are checked nevertheless.
_LEGACY_SERVER_CONNECT = 0x4

_BUFFER = 65_536

# A timeout of 0 would make the socket non-blocking.
_NO_TIME = 0.001


class Allowance:
    """The time and the bytes that one exchange may take. Not thread-safe.

    `seconds`: the whole time; `pause`: the longest time without a byte. `grant` sets the number of
    bytes. `surplus`: bytes that were received after the end of the answer.
    """

    surplus = b""

    def __init__(
        self, seconds: float, pause: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._clock = clock
        self._pause = pause
        self._seconds = seconds
        self._ends = clock() + seconds
        self._bytes = 0

    def grant(self, size: int, *, renew: bool = False) -> None:
        """Allow `size` bytes from now on; with `renew` the whole time starts again."""
        self._bytes = size
        if renew:
            self._ends = self._clock() + self._seconds

    def patience(self) -> float:
        """The timeout of the next system call in seconds. Raises TimeoutError if none is left."""
        left = self._ends - self._clock()
        if left <= 0:
            raise TimeoutError
        return min(left, self._pause)

    @property
    def is_over(self) -> bool:
        """Whether there is no time left."""
        return self._clock() >= self._ends

    def late(self) -> str:
        """The message of a timeout: the whole time is over, or one pause was too long."""
        if self.is_over:
            return f"not done in {self._seconds:g} s"
        return f"silent for {self._pause:g} s"

    def take(self, received: int) -> None:
        """Count received bytes. Raises TooLarge if they exceed the granted number."""
        self._bytes -= received
        if self._bytes < 0:
            raise TooLarge("more bytes than allowed")


class BoundedSocket(socket.socket):
    """A TCP socket with an Allowance."""

    allowance: Allowance

    def recv_into(
        self, buffer: "WriteableBuffer", nbytes: int | None = None, flags: int = 0
    ) -> int:
        self.settimeout(self.allowance.patience())
        # 0 means the size of the buffer, for plain sockets and for TLS sockets.
        received = super().recv_into(buffer, nbytes or 0, flags)
        self.allowance.take(received)
        return received

    def sendall(self, data: "ReadableBuffer", flags: int = 0) -> None:
        self.settimeout(self.allowance.patience())
        super().sendall(data, flags)

    def makefile(self, *_: Any, **__: Any) -> "BoundedReader":  # type: ignore[override]
        """The file from which http.client reads answers."""
        return BoundedReader(super().makefile("rb", buffering=0), self)


class BoundedReader(io.BufferedReader):
    """A reader that, when it is closed, keeps the received but unread bytes as `surplus`."""

    def __init__(self, raw: io.RawIOBase, sock: BoundedSocket) -> None:
        super().__init__(raw, _BUFFER)
        self._sock = sock

    def close(self) -> None:
        if not self.closed:
            self._sock.allowance.surplus = self._unread()
        super().close()

    def _unread(self) -> bytes:
        # Without waiting: the server may keep the connection open and send nothing.
        allowance, self._sock.allowance = self._sock.allowance, _RECEIVED
        try:
            with suppress(OSError, ValueError):
                return self.peek()
            return b""
        finally:
            self._sock.allowance = allowance
            # After the answer to CONNECT the socket stays in use, so it needs its timeout again.
            with suppress(OSError):
                self._sock.settimeout(_NO_TIME)
                self._sock.settimeout(allowance.patience())


class _Impatient(Allowance):
    """Allows reading without waiting, and without counting."""

    def patience(self) -> float:
        return 0.0

    def take(self, received: int) -> None:
        """Count nothing."""


_RECEIVED = _Impatient(0.0, 0.0)


class BoundedTLSSocket(BoundedSocket, ssl.SSLSocket):
    """A BoundedSocket over TLS: `tls_context` wraps BoundedSockets in this class."""


def tls_context(*, verify: bool, authorities: str) -> ssl.SSLContext:
    """The TLS settings: certificates are checked against the system's authorities and a file's."""
    context = ssl.create_default_context()
    context.load_verify_locations(authorities)
    context.sslsocket_class = BoundedTLSSocket
    context.options |= _LEGACY_SERVER_CONNECT
    if not verify:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context
