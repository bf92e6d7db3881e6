"""Sockets with a limit of time and a limit of bytes, whatever the server sends.

The limits are checked where bytes are received, below the HTTP parser. So they hold in each of its
loops (status lines, headers, chunk sizes, trailers), also for a server that sends a byte a second.
"""

import socket
import ssl
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from indexer.errors import TooLarge

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer

# ssl.OP_LEGACY_SERVER_CONNECT, which Python names from 3.12 on: browsers, too, connect to servers
# without secure renegotiation (stories.md 6.3). Certificates are checked nevertheless.
_LEGACY_SERVER_CONNECT = 0x4


class LeastRate(NamedTuple):
    """The least speed of a server: so many bytes in so many seconds of waiting for them."""

    size: int
    seconds: float


class Allowance:
    """The time and the bytes that one exchange may take. Not thread-safe.

    `seconds`: the whole time; `pause`: the longest time without a byte; `rate`: the least speed.
    `grant` sets the number of bytes. `received` counts all bytes.
    """

    def __init__(
        self,
        seconds: float,
        pause: float,
        clock: Callable[[], float] = time.monotonic,
        rate: LeastRate | None = None,
    ) -> None:
        self.received = 0
        self._clock = clock
        self._pause = pause
        self._seconds = seconds
        self._started = clock()
        self._ends = self._started + seconds
        self._granted = 0
        self._rate = rate
        # The time that was spent waiting for bytes, and the bytes, since the speed was judged.
        self._asked = self._waited = 0.0
        self._gained = 0

    def grant(self, size: int) -> None:
        """Allow `size` bytes from now on."""
        self._granted = size

    def extend(self, seconds: float) -> None:
        """Change the whole time, which began when the allowance was made."""
        self._seconds = seconds
        self._ends = self._started + seconds

    def patience(self) -> float:
        """The timeout of the next system call in seconds. Raises TimeoutError if none is left."""
        now = self._clock()
        left = min(self._ends - now, self._pause)
        if self._rate is not None:
            self._asked = now
            left = min(left, self._rate.seconds - self._waited)
        if left <= 0:
            raise TimeoutError
        return left

    @property
    def is_over(self) -> bool:
        """Whether there is no time left."""
        return self._clock() >= self._ends

    def late(self) -> str:
        """The message of a timeout: the whole time is over, or one pause was too long."""
        if self.is_over:
            return f"not done in {self._seconds:g} s"
        rate = self._rate
        if rate and self._waited + self._clock() - self._asked >= rate.seconds:
            return f"slower than {rate.size} bytes in {rate.seconds:g} s"
        return f"silent for {self._pause:g} s"

    def take(self, received: int) -> None:
        """Count received bytes. Raises TooLarge if they exceed the granted number."""
        self.received += received
        self._granted -= received
        if self._granted < 0:
            raise TooLarge("more bytes than allowed")
        if self._rate is not None:
            self._waited += self._clock() - self._asked
            self._gained += received
            if self._gained >= self._rate.size:
                self._waited, self._gained = 0.0, 0


class BoundedSocket(socket.socket):
    """A TCP socket with an Allowance."""

    allowance: Allowance

    def recv_into(
        self, buffer: "WriteableBuffer", nbytes: int | None = None, flags: int = 0
    ) -> int:
        self._wait_for(self.allowance.patience())
        # 0 means the size of the buffer, for plain sockets and for TLS sockets.
        received = super().recv_into(buffer, nbytes or 0, flags)
        self.allowance.take(received)
        return received

    def sendall(self, data: "ReadableBuffer", flags: int = 0) -> None:
        self._wait_for(self.allowance.patience())
        super().sendall(data, flags)

    def _wait_for(self, seconds: float) -> None:
        # Setting a timeout is a system call, and mostly it is the one that is set already.
        if self.gettimeout() != seconds:
            self.settimeout(seconds)


class BoundedTLSSocket(BoundedSocket, ssl.SSLSocket):
    """A BoundedSocket over TLS: `tls_context` wraps BoundedSockets in this class."""


def tls_context(*, verify: bool, authorities: str) -> ssl.SSLContext:
    """The TLS settings: certificates are checked against the system's authorities and a file's."""
    context = ssl.create_default_context()
    context.load_verify_locations(authorities)
    context.sslsocket_class = BoundedTLSSocket
    context.options |= _LEGACY_SERVER_CONNECT
    context.set_alpn_protocols(["http/1.1"])
    if not verify:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context
