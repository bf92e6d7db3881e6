"""Sockets that end: whatever the other side does, a time and a number of bytes are the most.

The limits are checked where bytes come in, below the HTTP parser, so they hold for its every
loop: status lines, headers, chunk sizes, trailers. A byte each second doesn't get round them.
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

_LEGACY_SERVER_CONNECT = 0x4
"""ssl.OP_LEGACY_SERVER_CONNECT, named from Python 3.12 on: old servers that browsers reach
(stories.md 6.3). Certificates are checked all the same."""

_BUFFER = 65_536
_NO_TIME = 0.001


class Allowance:
    """The time and the bytes that one exchange may take. Not for several threads.

    `seconds` in all, and at most `pause` of them without a byte; bytes as granted. `surplus` is
    what had come when the answer was done with, and was not part of it.
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
        """`size` bytes from now, in the time that is left; `renew`: in all the time again."""
        self._bytes = size
        if renew:
            self._ends = self._clock() + self._seconds

    def patience(self) -> float:
        """The seconds to wait for the next step. Raises TimeoutError when the time is over."""
        left = self._ends - self._clock()
        if left <= 0:
            raise TimeoutError
        return min(left, self._pause)

    @property
    def is_over(self) -> bool:
        """Whether there is no time left."""
        return self._clock() >= self._ends

    def late(self) -> str:
        """Words for a TimeoutError: for all of it, or for one pause."""
        if self.is_over:
            return f"not done in {self._seconds:g} s"
        return f"silent for {self._pause:g} s"

    def take(self, received: int) -> None:
        """Count bytes. Raises TooLarge when they are more than was granted."""
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
        # 0 is as much as the buffer takes, for either kind of socket.
        received = super().recv_into(buffer, nbytes or 0, flags)
        self.allowance.take(received)
        return received

    def sendall(self, data: "ReadableBuffer", flags: int = 0) -> None:
        self.settimeout(self.allowance.patience())
        super().sendall(data, flags)

    def makefile(self, *_: Any, **__: Any) -> "BoundedReader":  # type: ignore[override]
        """What http.client reads answers from."""
        return BoundedReader(super().makefile("rb", buffering=0), self)


class BoundedReader(io.BufferedReader):
    """Notes, when it is closed, what had come and was not read: without waiting for more."""

    def __init__(self, raw: io.RawIOBase, sock: BoundedSocket) -> None:
        super().__init__(raw, _BUFFER)
        self._sock = sock

    def close(self) -> None:
        if not self.closed:
            self._sock.allowance.surplus = self._unread()
        super().close()

    def _unread(self) -> bytes:
        allowance, self._sock.allowance = self._sock.allowance, _WHAT_IS_THERE
        try:
            with suppress(OSError, ValueError):
                return self.peek()
            return b""
        finally:
            self._sock.allowance = allowance
            # A tunnel goes on being used.
            with suppress(OSError):
                self._sock.settimeout(_NO_TIME)
                self._sock.settimeout(allowance.patience())


class _Impatient(Allowance):
    """Takes what is there."""

    def patience(self) -> float:
        return 0.0

    def take(self, received: int) -> None:
        """Nothing is counted."""


_WHAT_IS_THERE = _Impatient(0.0, 0.0)


class BoundedTLSSocket(BoundedSocket, ssl.SSLSocket):
    """The same over TLS: `tls_context` makes these of BoundedSockets."""


def tls_context(*, verify: bool, authorities: str) -> ssl.SSLContext:
    """How TLS is spoken: certificates checked against the system's and `authorities`' file."""
    context = ssl.create_default_context()
    context.load_verify_locations(authorities)
    context.sslsocket_class = BoundedTLSSocket
    context.options |= _LEGACY_SERVER_CONNECT
    if not verify:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context
