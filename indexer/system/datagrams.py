"""Datagrams to a host that is given by name. Sending neither waits nor fails.

A thread resolves the name once a minute. Datagrams wait in memory until it is resolved for the
first time; later, a network or server that is away loses datagrams, and has no other effect.
"""

import socket
import threading
from collections import deque
from contextlib import suppress
from typing import Any, NamedTuple

KEPT = 1000
"""Most datagrams that wait for the first address; the oldest are dropped."""

FRESH_SECONDS = 60.0
"""Time after which the name is resolved again (stories.md 2.2)."""

AGAIN_SECONDS = 5.0
"""Time after which a name that could not be resolved is tried again."""

CLOSING_SECONDS = 1.0
"""How long `close` waits for the first address, if datagrams wait for it."""


class Address(NamedTuple):
    """An address, with its family: IPv4 or IPv6."""

    family: int
    address: tuple[Any, ...]


def resolve(host: str, port: int, flags: int = 0) -> Address | None:
    """Return an address of a host for datagrams, IPv4 before IPv6; None if there is none."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_DGRAM, flags=flags)
    except (OSError, UnicodeError):
        return None
    addresses = [Address(family, address) for family, _, _, _, address in found]
    # Servers for statsd and syslog often listen only at IPv4.
    addresses.sort(key=lambda each: each.family != socket.AF_INET)
    return addresses[0] if addresses else None


class Datagrams:
    """Sends the datagrams of a program. Thread-safe; `send` neither blocks nor raises."""

    def __init__(self, host: str, port: int) -> None:
        self._target = (host, port)
        self._kept: deque[bytes] = deque(maxlen=KEPT)
        self._address: Address | None = None
        self._sockets: dict[int, socket.socket] = {}
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._known = threading.Event()
        self._look_up_or_start()

    def send(self, datagram: bytes) -> None:
        """Send one, or keep it until the name is resolved. Datagrams that fail are dropped."""
        with self._lock:
            if self._address is None:
                self._kept.append(datagram)
            else:
                self._send(datagram, self._address)

    def close(self) -> None:
        """Wait a second for the first address, if datagrams wait for it; then drop all others."""
        if self._kept and not self._known.is_set():
            self._known.wait(CLOSING_SECONDS)
        self._closed.set()
        with self._lock:
            for each in self._sockets.values():
                each.close()
            self._sockets.clear()

    def _look_up_or_start(self) -> None:
        """Use a numeric address at once; resolve a name in a thread."""
        numeric = resolve(*self._target, flags=socket.AI_NUMERICHOST)
        if numeric is not None:
            self._learn(numeric)
        else:
            threading.Thread(target=self._follow, name="resolver", daemon=True).start()

    def _follow(self) -> None:
        while not self._closed.is_set():
            address = resolve(*self._target)
            if address is not None:
                self._learn(address)
            self._closed.wait(AGAIN_SECONDS if address is None else FRESH_SECONDS)

    def _learn(self, address: Address) -> None:
        with self._lock:
            self._address = address
            while self._kept:
                self._send(self._kept.popleft(), address)
        self._known.set()

    def _send(self, datagram: bytes, address: Address) -> None:
        # OSError: no network, no server, a full buffer of the system, or too long a datagram.
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
