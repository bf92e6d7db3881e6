"""The addresses of a target: resolved, checked, and connected to.

    name → look-up, or a kept answer → AddressPolicy on each address → connect to one that passed

Nothing else resolves a name, and a socket leads to the very address that was checked: a second
look-up could return another one (DNS rebinding).
"""

import socket
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from ipaddress import ip_address
from typing import Any, TypeAlias

from indexer.errors import AddressRefused, ConfigurationError, FetchError
from indexer.http.connections.bounded import Allowance, BoundedSocket
from indexer.http.connections.failures import FetchFailure, failure, reason
from indexer.http.urls.addresses import AddressPolicy
from indexer.http.urls.target import Target

LookUp: TypeAlias = Callable[..., Sequence[tuple[int, int, int, str, Any]]]
"""The signature of socket.getaddrinfo."""

Place: TypeAlias = tuple[int, Any]
"""The family of an address, and the address with its port, as sockets take them."""

# A name may have hundreds of addresses; the time for connecting is divided among them.
_MAX_ADDRESSES = 8

_MAX_NAMES = 10_000


class Names:
    """Looks names up, and keeps the answers for `seconds`. Thread-safe. Failures are not kept."""

    def __init__(
        self,
        seconds: float = 0.0,
        look_up: LookUp | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._seconds = seconds
        self._look_up = look_up or socket.getaddrinfo
        self._clock = clock
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, int], tuple[float, list[Place]]] = OrderedDict()

    def places(self, host: str, port: int) -> list[Place]:
        """The addresses of a host. Raises OSError and UnicodeError."""
        now = self._clock()
        with self._lock:
            until, places = self._kept.get((host, port), (now, []))
        if now < until:
            return places
        answers = self._look_up(host, port, type=socket.SOCK_STREAM)
        places = list(dict.fromkeys((family, address) for family, _, _, _, address in answers))
        with self._lock:
            self._kept[host, port] = now + self._seconds, places
            self._kept.move_to_end((host, port))
            if len(self._kept) > _MAX_NAMES:
                self._kept.popitem(last=False)
        return places


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
        names: Names | None = None,
    ) -> None:
        """Raises ConfigurationError."""
        self._redirections = dict(_redirection(entry) for entry in resolve)
        self._timeout = timeout
        self._names = names or Names()
        # The policy never changes, and most requests go to an address that was asked for just now.
        self._why_not = lru_cache(_MAX_NAMES)(lambda text: policy.why_not(ip_address(text)))

    def places(self, target: Target) -> list[Place]:
        """The target's addresses that may be visited.

        Raises AddressRefused if the policy refuses all addresses, FetchError for a failed look-up.
        """
        host, port = self._destination(target)
        try:
            found = self._names.places(host, port)
        except (OSError, UnicodeError) as error:
            what = FetchFailure.URL if isinstance(error, UnicodeError) else FetchFailure.LOOK_UP
            raise FetchError(
                f"{target.host}: {reason(error)}", failure=failure(error, what, what)
            ) from error
        refusals = [self._why_not(each[0]) for _, each in found]
        allowed = [each for each, refusal in zip(found, refusals, strict=True) if not refusal]
        # One public address among private ones is enough: only allowed addresses are tried.
        if refusals and not allowed:
            address = "" if target.address else f" ({found[0][1][0]})"
            raise AddressRefused(f"{target.host}{address} refused ({refusals[0]})")
        return allowed[:_MAX_ADDRESSES]

    def dial(self, target: Target, places: Sequence[Place], allowance: Allowance) -> BoundedSocket:
        """A socket connected to one of these addresses. Raises FetchError if none answers."""
        error = OSError("no address")
        late, words = FetchFailure.CONNECT_TIMEOUT, "no answer in time"
        for family, address in places:
            seconds = min(self._timeout / len(places), allowance.patience())
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

    def _destination(self, target: Target) -> tuple[str, int]:
        name = target.name.strip("[]")
        for pattern in (name, *_suffixes(name)):
            if (other := self._redirections.get(pattern)) is not None:
                return other[0], other[1] or target.port
        return target.host.strip("[]"), target.port


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
        ip_address(address)
    except ValueError:
        separator = ""
    if not (host and separator) or (port is not None and not 0 < port < 65536):
        raise ConfigurationError(f"{entry!r}: write it as HOST=ADDRESS or HOST=ADDRESS:PORT")
    return host.lower(), (address, port)
