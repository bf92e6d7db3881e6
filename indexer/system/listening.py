"""Listening at `HOST:PORT`: at an IPv4 or IPv6 address, or at all addresses of both."""

import ipaddress
import socket
from contextlib import suppress
from typing import NamedTuple

from indexer.errors import ConfigurationError


class ListenAddress(NamedTuple):
    """A host and a port. Blank host: all addresses; port 0: any free port."""

    host: str
    port: int

    @classmethod
    def parse(cls, text: str) -> "ListenAddress":
        """Parse `HOST:PORT`, `[::1]:PORT`, `:PORT` or `PORT`. Raises ConfigurationError."""
        host, _, port = text.strip().rpartition(":")
        bracketed = host.startswith("[") and host.endswith("]")
        if not (port.isascii() and port.isdigit() and int(port) <= 0xFFFF):
            raise ConfigurationError(f"{text!r}: an address to listen at is HOST:PORT or :PORT")
        if ":" in host and not bracketed:
            raise ConfigurationError(f"{text!r}: write an IPv6 address in brackets, [::1]:{port}")
        return cls(host[1:-1] if bracketed else host, int(port))

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


def client_of(host: str) -> str:
    """The client that an address belongs to, for limits of each client.

    An IPv6 site has at least a /64 network (RFC 6177), all addresses of which are one client.
    """
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    # A socket for both kinds of networks shows IPv4 addresses as ::ffff:192.0.2.1.
    return str(address.ipv4_mapped or ipaddress.IPv6Network((int(address), 64), strict=False))


def listen(place: ListenAddress, kind: socket.SocketKind) -> socket.socket:
    """Bind a socket to an address; a SOCK_STREAM socket also listens.

    Raises ConfigurationError if the address is in use, is not this machine's, or can't be resolved.
    """
    try:
        return _bound(place, kind)
    except (OSError, UnicodeError) as error:
        raise ConfigurationError(f"can't listen at {place}: {error}") from error


def _bound(place: ListenAddress, kind: socket.SocketKind) -> socket.socket:
    host = place.host or ("::" if socket.has_dualstack_ipv6() else "0.0.0.0")  # noqa: S104 - every address was asked for
    family, _, _, _, address = socket.getaddrinfo(host, place.port, type=kind)[0]
    bound = socket.socket(family, kind)
    try:
        _prepare(bound, family, kind, everywhere=not place.host)
        bound.bind(address)
        if kind is socket.SOCK_STREAM:
            bound.listen()
    except OSError:
        bound.close()
        raise
    return bound


def _prepare(
    unbound: socket.socket, family: int, kind: socket.SocketKind, *, everywhere: bool
) -> None:
    # One IPv6 socket also receives IPv4 only if all addresses are meant.
    if family == socket.AF_INET6:
        unbound.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0 if everywhere else 1)
    if kind is socket.SOCK_STREAM:
        # Without it, a restarted server could not bind while old connections are in TIME_WAIT.
        unbound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    else:
        with suppress(OSError):
            unbound.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BYTES)


RECEIVE_BYTES = 4_000_000
"""The receive buffer for datagrams; the system may allow less."""
