"""Connections to checked addresses only.

    name → resolve once → AddressPolicy on each → connect to one that passed → TLS for the name

A name is resolved only here, once for each connection. A second look-up could return another
address than the checked one (DNS rebinding). Certificate, SNI and Host header use the name.
"""

import http.client
import ipaddress
import socket
import ssl
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from urllib3.connection import HTTPConnection, HTTPSConnection

from indexer.errors import AddressRefused, ConfigurationError, FetchError
from indexer.http.fetching.bounded import Allowance, BoundedSocket
from indexer.http.fetching.failures import FetchFailure, failure, reason
from indexer.http.fetching.proxy import Proxy
from indexer.http.urls.addresses import AddressPolicy
from indexer.http.urls.target import Target

LookUp: TypeAlias = Callable[..., Sequence[tuple[int, int, int, str, Any]]]
"""The signature of socket.getaddrinfo."""

# A name may have hundreds of addresses; the time for connecting is divided among them.
_MAX_ADDRESSES = 8

MAX_HEADERS = 1000
"""The most headers of an answer. Some sites send more than http.client's 100 (feeds.md 12)."""

# http.client counts the empty line after the headers as a header.
http.client._MAXHEADERS = MAX_HEADERS + 1  # type: ignore[attr-defined]  # there is no other way


class Dialer:
    """Opens sockets to targets. Thread-safe.

    `resolve` holds entries HOST=ADDRESS[:PORT], where HOST may be `*.suffix`: these hosts are not
    looked up, and their address is checked like any other. `timeout`: seconds for all addresses of
    a host together.
    """

    def __init__(
        self,
        policy: AddressPolicy,
        resolve: Sequence[str] = (),
        timeout: float = 30.0,
        look_up: LookUp | None = None,
    ) -> None:
        """Raises ConfigurationError."""
        self._policy = policy
        self._redirections = dict(_redirection(entry) for entry in resolve)
        self._timeout = timeout
        self._look_up = look_up or socket.getaddrinfo

    def dial(self, target: Target, allowance: Allowance) -> BoundedSocket:
        """A socket connected to one of the target's addresses.

        Raises AddressRefused if the policy refuses all addresses, FetchError if none answers.
        """
        addresses = self._addresses(target)
        error = OSError("no address")
        late, words = FetchFailure.CONNECT_TIMEOUT, "no answer in time"
        for family, address in addresses:
            seconds = min(self._timeout / len(addresses), allowance.patience())
            try:
                return _connect(family, address, seconds, allowance)
            except OSError as failed:
                error = failed
        if allowance.is_over:
            late, words = FetchFailure.DEADLINE, allowance.late()
        raise FetchError(
            f"no connection to {target.host}: {reason(error, words)}",
            failure=failure(error, FetchFailure.CONNECTION, late),
        ) from error

    def _addresses(self, target: Target) -> list[tuple[int, Any]]:
        host, port = self._destination(target)
        try:
            answers = self._look_up(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            what = FetchFailure.URL if isinstance(error, UnicodeError) else FetchFailure.LOOK_UP
            raise FetchError(
                f"{target.host}: {reason(error)}", failure=failure(error, what, what)
            ) from error
        found = list(dict.fromkeys((family, address) for family, _, _, _, address in answers))
        refusals = [self._policy.why_not(ipaddress.ip_address(each[0])) for _, each in found]
        allowed = [each for each, refusal in zip(found, refusals, strict=True) if not refusal]
        # One public address among private ones is enough: only allowed addresses are tried.
        if refusals and not allowed:
            address = "" if target.address else f" ({found[0][1][0]})"
            raise AddressRefused(f"{target.host}{address} refused ({refusals[0]})")
        return allowed[:_MAX_ADDRESSES]

    def _destination(self, target: Target) -> tuple[str, int]:
        name = target.name.strip("[]")
        for pattern in (name, *_suffixes(name)):
            if (other := self._redirections.get(pattern)) is not None:
                return other[0], other[1] or target.port
        return target.host.strip("[]"), target.port


class PinnedConnection(HTTPConnection):
    """An HTTP connection over a socket of a Dialer: urllib3 never resolves the name."""

    dial: Callable[[], BoundedSocket]

    def _new_conn(self) -> BoundedSocket:
        return self.dial()


class PinnedTLSConnection(HTTPSConnection):
    """An HTTPS connection over a socket of a Dialer."""

    dial: Callable[[], BoundedSocket]
    allowance: Allowance

    def _new_conn(self) -> BoundedSocket:
        return self.dial()

    def connect(self) -> None:
        """Connect, and give the allowance to the TLS socket that replaces the plain one."""
        super().connect()
        self.sock.allowance = self.allowance  # type: ignore[union-attr]  # a BoundedTLSSocket


def connection(
    target: Target,
    dialer: Dialer,
    allowance: Allowance,
    context: Callable[[], ssl.SSLContext],
    proxy: Proxy | None = None,
) -> PinnedConnection | PinnedTLSConnection:
    """A connection to a target, opened by its first request; by a proxy's tunnel for https."""

    def dial() -> BoundedSocket:
        if proxy is None:
            return dialer.dial(target, allowance)
        try:
            return dialer.dial(proxy.target, allowance)
        except FetchError as error:
            raise FetchError(f"the proxy: {error}", failure=FetchFailure.PROXY) from error

    opened: PinnedConnection | PinnedTLSConnection
    if target.scheme == "https":
        opened = PinnedTLSConnection(target.host, target.port, ssl_context=context())
        opened.allowance = allowance
        if proxy is not None:
            opened.set_tunnel(target.host, target.port, proxy.headers)
    else:
        opened = PinnedConnection(target.host, target.port)
    opened.dial = dial
    return opened


def _connect(family: int, address: Any, seconds: float, allowance: Allowance) -> BoundedSocket:
    sock = BoundedSocket(family, socket.SOCK_STREAM)
    try:
        sock.settimeout(seconds)
        sock.connect(address)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # The TLS handshake is one call of OpenSSL, which checks no allowance between its reads.
        sock.settimeout(allowance.patience())
    except OSError:
        sock.close()
        raise
    sock.allowance = allowance
    return sock


def _suffixes(name: str) -> Iterator[str]:
    """The patterns that match a name: `*.b.c` and `*.c` for a.b.c."""
    while name:
        name = name.partition(".")[2]
        if name:
            yield f"*.{name}"


def _redirection(entry: str) -> tuple[str, tuple[str, int | None]]:
    """The host of an entry, and its address; with the port None the URL's port stays."""
    host, separator, destination = entry.partition("=")
    address, port = destination, None
    if destination.count(":") == 1 or "]:" in destination:
        address, _, digits = destination.rpartition(":")
        port = int(digits) if digits.isdigit() else -1
    address = address.strip("[]")
    try:
        ipaddress.ip_address(address)
    except ValueError:
        separator = ""
    if not (host and separator) or (port is not None and not 0 < port < 65536):
        raise ConfigurationError(f"{entry!r}: write it as HOST=ADDRESS or HOST=ADDRESS:PORT")
    return host.lower(), (address, port)
