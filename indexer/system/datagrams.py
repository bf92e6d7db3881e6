"""Datagrams to a host of which only the name is known: sent at once, never waited for.

The name is looked up in a thread of its own, once a minute. Until it is known the first datagrams
are kept; a network or a server that is not there costs the datagrams, and nothing else.
"""

import socket
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple, Protocol

KEPT = 1000
"""Datagrams that wait for the first address, at most: the oldest go first."""

FRESH_SECONDS = 60.0
"""How long an address holds (stories.md 2.2)."""

AGAIN_SECONDS = 5.0
"""When a name that nobody knew is looked up again."""

CLOSING_SECONDS = 1.0
"""How long the end of a program waits for the first address, if something is to be sent."""


class Wire(Protocol):
    """What datagrams are handed to."""

    def send(self, datagram: bytes) -> None:
        """Send one; neither waits nor raises."""

    def close(self) -> None:
        """Let go of what it holds."""


class Address(NamedTuple):
    """An address of a kind of network."""

    family: int
    address: tuple[Any, ...]


Resolve = Callable[[str, int], Address | None]


def resolve(host: str, port: int, flags: int = 0) -> Address | None:
    """An address of a host for datagrams, IPv4 if it has one; None if it has none.

    IPv4 first: what listens for statsd and syslog has always listened there.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_DGRAM, flags=flags)
    except (OSError, UnicodeError):
        return None
    addresses = [Address(family, address) for family, _, _, _, address in found]
    addresses.sort(key=lambda each: each.family != socket.AF_INET)
    return addresses[0] if addresses else None


class Datagrams:
    """Where a program sends datagrams. Thread-safe; nothing here blocks or raises."""

    def __init__(
        self,
        host: str,
        port: int,
        resolve: Resolve = resolve,
        fresh: float = FRESH_SECONDS,
        again: float = AGAIN_SECONDS,
    ) -> None:
        self._target = (host, port)
        self._resolve = resolve
        self._fresh = fresh
        self._again = again
        self._kept: deque[bytes] = deque(maxlen=KEPT)
        self._address: Address | None = None
        self._sockets: dict[int, socket.socket] = {}
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._known = threading.Event()
        self._look_up_or_start()

    def send(self, datagram: bytes) -> None:
        """Send one, or keep it until the address is known. What can't be sent is dropped."""
        with self._lock:
            if self._address is None:
                self._kept.append(datagram)
            else:
                self._send(datagram, self._address)

    def close(self) -> None:
        """Send what was kept, if the address is found in a second. Later datagrams are dropped."""
        if self._kept and not self._known.is_set():
            self._known.wait(CLOSING_SECONDS)
        self._closed.set()
        with self._lock:
            for each in self._sockets.values():
                each.close()
            self._sockets.clear()

    def _look_up_or_start(self) -> None:
        """An address needs no look-up; a name gets a thread."""
        numeric = resolve(*self._target, flags=socket.AI_NUMERICHOST)
        if numeric is not None:
            self._learn(numeric)
        else:
            threading.Thread(target=self._follow, name="resolver", daemon=True).start()

    def _follow(self) -> None:
        while not self._closed.is_set():
            address = self._resolve(*self._target)
            if address is not None:
                self._learn(address)
            self._closed.wait(self._again if address is None else self._fresh)

    def _learn(self, address: Address) -> None:
        with self._lock:
            self._address = address
            while self._kept:
                self._send(self._kept.popleft(), address)
        self._known.set()

    def _send(self, datagram: bytes, address: Address) -> None:
        # OSError: no such network, nobody there, the system's buffer is full, or too long.
        with suppress(OSError):
            if (sender := self._sockets.get(address.family)) is None:
                sender = self._open(address.family)
            if sender is not None:
                sender.sendto(datagram, address.address)

    def _open(self, family: int) -> socket.socket | None:
        if self._closed.is_set():
            return None
        sender = socket.socket(family, socket.SOCK_DGRAM)
        sender.setblocking(False)
        self._sockets[family] = sender
        return sender
