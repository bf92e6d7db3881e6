"""Sockets that end: whatever the other side does, a time and a number of bytes are the most.

The limits are checked where bytes come in, below the HTTP parser, so they hold for its every
loop: status lines, headers, chunk sizes, trailers. A byte each second doesn't get round them.
"""

import socket
import ssl
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from indexer.errors import TooLarge

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer

_LEGACY_SERVER_CONNECT = 0x4
"""ssl.OP_LEGACY_SERVER_CONNECT, named from Python 3.12 on: old servers that browsers reach
(stories.md 6.3). Certificates are checked all the same."""


class Allowance:
    """The time and the bytes that one exchange may take. Not for several threads.

    `seconds` in all, and at most `pause` of them without a byte; bytes as granted.
    """

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

    def late(self) -> str:
        """Words for a TimeoutError: for all of it, or for one pause."""
        if self._clock() >= self._ends:
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
