"""TLS for the connections of one client: its settings, and sessions that are resumed.

    connect → the session of the route, if one is kept → handshake
    close   → the newest session of the connection is kept for the route

A resumed handshake checks no certificate: the server proves that it is the one whose certificate
was checked when the session began (RFC 8446, 2.2). So a session serves its own route only, and the
certificate is checked again after an hour at the latest.
"""

import ssl
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, NamedTuple

from indexer.http.connections.bounded import BoundedSocket, BoundedTLSSocket

SESSION_SECONDS: Final = 3600.0
"""The longest time between a check of a certificate and a connection that relies on it."""

MAX_SESSIONS: Final = 500
"""The most sessions of a client: one takes about 20 kilobytes, with its certificate."""


class _Session(NamedTuple):
    session: ssl.SSLSession
    until: float


class TLS:
    """Secures the sockets of a client. Thread-safe."""

    def __init__(
        self, context: Callable[[], ssl.SSLContext], clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`context` is called once, at the first use: reading the authorities takes a while."""
        self._make = context
        self._clock = clock
        self._lock = threading.RLock()
        self._context: ssl.SSLContext | None = None
        self._sessions: OrderedDict[str, _Session] = OrderedDict()

    def secure(
        self, sock: BoundedSocket, name: str, route: str
    ) -> tuple[BoundedTLSSocket, Callable[[], None]]:
        """The socket over TLS for a name, and the function to call before it is closed.

        Raises OSError. The socket is the caller's until the handshake has succeeded.
        """
        with self._lock:
            context = self._context = self._context or self._make()
            # A session is used once: nobody can follow a client from connection to connection.
            kept = self._sessions.pop(route, None)
        now = self._clock()
        session = kept.session if kept and kept.until > now else None
        secured = context.wrap_socket(sock, server_hostname=name, session=session)
        assert isinstance(secured, BoundedTLSSocket)  # noqa: S101 - for the type checker
        until = kept.until if kept and secured.session_reused else now + SESSION_SECONDS
        return secured, lambda: self._keep(route, secured, until)

    def _keep(self, route: str, secured: BoundedTLSSocket, until: float) -> None:
        session = secured.session
        if session is None or not session.has_ticket:
            return
        with self._lock:
            self._sessions[route] = _Session(session, until)
            self._sessions.move_to_end(route)
            if len(self._sessions) > MAX_SESSIONS:
                self._sessions.popitem(last=False)
