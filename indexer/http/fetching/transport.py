"""One request and its answer, over a new connection or a kept one.

Outgoing → addresses → kept connection | dial, TLS → request → Answer
         → its body was read to the end, nothing follows → the connection is kept | closed
"""

import http.client
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import Final, NamedTuple

import certifi

from indexer.errors import AddressRefused, BadResponse, FetchError, TooLarge
from indexer.http.connections.bounded import Allowance, BoundedSocket, tls_context
from indexer.http.connections.connection import ServerConnection, connected
from indexer.http.connections.dialer import Dialer, LookUp, Names, Place
from indexer.http.connections.failures import FetchFailure, failure, late, reason
from indexer.http.connections.pool import Pool
from indexer.http.connections.proxy import Proxy, route
from indexer.http.connections.tls import TLS
from indexer.http.fetching.answer import Answer
from indexer.http.fetching.bodies import RequestBody
from indexer.http.fetching.options import FetchOptions
from indexer.http.fetching.outgoing import Outgoing
from indexer.http.fetching.recording import Record, Tape, recorded
from indexer.http.urls.addresses import ANYWHERE
from indexer.http.urls.target import Target
from indexer.text.dates import utc_now

HEAD_BYTES: Final = 262_144
"""The most bytes of an answer's head: the limit of Chromium."""

_SHORT_BYTES = 65_536
_SHORT_SECONDS = 1.0


class _Way(NamedTuple):
    """The way to a target: the addresses to dial, which are those of the proxy if there is one."""

    target: Target
    proxy: Proxy | None
    places: list[Place]

    @property
    def route(self) -> str:
        """The key of its kept connections."""
        return f"{self.target.origin} {self.proxy.target.origin if self.proxy else ''}"

    @property
    def peers(self) -> set[str]:
        """The addresses of kept connections."""
        return {address[0] for _, address in self.places}


class _Exchange(NamedTuple):
    """An exchange that is under way. `tape` is None if it is not recorded."""

    way: _Way
    outgoing: Outgoing
    head: bytes
    allowance: Allowance
    tape: Tape | None


class Transport:
    """Sends requests, and keeps connections. Thread-safe."""

    def __init__(
        self,
        options: FetchOptions,
        clock: Callable[[], float] = time.monotonic,
        look_up: LookUp | None = None,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        """`look_up` replaces the DNS look-up, `now` dates records. Raises ConfigurationError."""
        seconds = options.connect_timeout
        names = Names(options.dns_seconds, look_up, clock)
        self._clock = clock
        self._now = now
        self._addresses = options.addresses
        self._dialer = Dialer(self._addresses, options.resolve, seconds, names)
        self._route = route(options.proxy.get_secret_value())
        # The operator chose the proxy, so its address may be private.
        self._any_dialer = Dialer(ANYWHERE, timeout=seconds, names=names)
        authorities = certifi.where()
        verify = not options.insecure
        self._tls = TLS(lambda: tls_context(verify=verify, authorities=authorities), clock)
        self._pool = Pool(options.keep_connections, options.keep_seconds, clock)

    @contextmanager
    def exchange(
        self, outgoing: Outgoing, allowance: Allowance, record: Record | None = None
    ) -> Iterator[Answer]:
        """Send a request, and read the head of its answer. Raises FetchError."""
        allowance.grant(HEAD_BYTES)
        way = self._way(outgoing.target)
        head = outgoing.head(way.proxy)
        with recorded(record, outgoing.url, outgoing.method, self._now) as tape:
            connection, answer = self._answered(_Exchange(way, outgoing, head, allowance, tape))
            try:
                yield answer
                self._finish(way, connection, answer)
            except BaseException:
                connection.close()
                raise
            finally:
                if tape is not None:
                    tape.is_whole = answer.is_whole

    def close(self) -> None:
        """Close the kept connections."""
        self._pool.close()

    def _way(self, target: Target) -> _Way:
        proxy = self._route(target)
        if proxy is None:
            return _Way(target, None, self._dialer.places(target))
        # The proxy resolves names, so only an address in the URL can be checked here.
        if target.address and (why := self._addresses.why_not(target.address)):
            raise AddressRefused(f"{target.host} refused ({why})")
        with _proxy_errors():
            return _Way(target, proxy, self._any_dialer.places(proxy.target))

    def _answered(self, exchange: _Exchange) -> tuple[ServerConnection, Answer]:
        way = exchange.way
        # A request that must not be sent twice gets a new connection: a server may close a kept
        # one at any moment, and then nobody knows whether it has received the request.
        kept = self._pool.take(way.route, way.peers) if exchange.outgoing.can_repeat else None
        if kept is not None and (answer := _tried(kept, exchange)):
            return kept, answer
        with _head_errors(way.target, exchange.allowance):
            connection = self._connect(way, exchange.allowance)
        return connection, _asked(connection, exchange)

    def _connect(self, way: _Way, allowance: Allowance) -> ServerConnection:
        def dial() -> BoundedSocket:
            if way.proxy is None:
                return self._dialer.dial(way.target, way.places, allowance)
            with _proxy_errors():
                return self._any_dialer.dial(way.proxy.target, way.places, allowance)

        return connected(way.target, dial, self._tls, way.route, way.proxy)

    def _finish(self, way: _Way, connection: ServerConnection, answer: Answer) -> None:
        """Keep the connection, if that is safe; otherwise close it."""
        if not self._pool.is_off and not answer.is_last:
            self._read_rest(connection, answer)
            # Bytes that arrive later are found before the connection is used again.
            if answer.is_whole and connection.is_read:
                self._pool.give(way.route, connection, answer.idle_seconds)
                return
        connection.close()

    def _read_rest(self, connection: ServerConnection, answer: Answer) -> None:
        """Read the rest of a body that nobody wants, if it is short."""
        is_short = not answer.is_begun if answer.length is None else answer.length <= _SHORT_BYTES
        if is_short and not answer.is_whole:
            allowance = Allowance(_SHORT_SECONDS, _SHORT_SECONDS, self._clock)
            allowance.grant(2 * _SHORT_BYTES)
            connection.begin(allowance)
            with suppress(OSError, http.client.HTTPException, TooLarge):
                for _ in answer.pieces():
                    pass


_LOST = (FetchFailure.CONNECTION, FetchFailure.TLS)


def _tried(kept: ServerConnection, exchange: _Exchange) -> Answer | None:
    """The answer on a kept connection; None if the server had closed it."""
    before = exchange.allowance.received
    try:
        answer = _asked(kept, exchange)
    except FetchError as error:
        if exchange.allowance.received > before or error.failure not in _LOST:
            raise
        return None
    # Sent by servers that end an idle connection, and not as the answer to this request.
    if answer.status == http.client.REQUEST_TIMEOUT and answer.is_last:
        kept.close()
        return None
    return answer


def _asked(connection: ServerConnection, exchange: _Exchange) -> Answer:
    """Send the request, and read the head of the answer; a failure closes the connection."""
    _, outgoing, _, allowance, tape = exchange
    try:
        connection.begin(allowance)
        if tape is not None:
            # The server's own address is unknown behind a proxy.
            tape.begin("" if exchange.way.proxy else connection.peer)
        failed = _send(connection, exchange.head, outgoing.body, tape)
        with _head_errors(outgoing.target, allowance):
            try:
                answer = Answer(connection, outgoing.method, tape.heard if tape else None)
            except (OSError, http.client.HTTPException) as error:
                raise failed or error from None
    except BaseException:
        connection.close()
        raise
    answer.is_last |= failed is not None
    return answer


def _send(
    connection: ServerConnection, head: bytes, body: RequestBody | None, tape: Tape | None
) -> OSError | None:
    """Send a request. Returns the error of a connection that takes no more.

    A server that refuses a body may answer before it has received all of it, and close (413).
    """
    pieces = iter(()) if body is None else body.pieces()
    # One packet for a short request.
    piece = head + next(pieces, b"")
    while piece:
        if tape is not None:
            tape.sent(piece)
        try:
            connection.send(piece)
        except OSError as error:
            return error
        piece = next(pieces, b"")
    return None


@contextmanager
def _proxy_errors() -> Iterator[None]:
    try:
        yield
    except FetchError as error:
        raise FetchError(f"the proxy: {error}", failure=FetchFailure.PROXY) from error


@contextmanager
def _head_errors(target: Target, allowance: Allowance) -> Iterator[None]:
    """Turns errors that occur before the body into FetchErrors."""
    try:
        yield
    except TooLarge as error:
        raise BadResponse(
            f"{target.host}: more than {HEAD_BYTES} bytes of headers",
            failure=FetchFailure.CONNECTION,
        ) from error
    except (OSError, http.client.HTTPException, ValueError) as error:
        # Without an answer the host counts as unreachable; invalid HTTP is an answer.
        kind = FetchError if isinstance(error, OSError) else BadResponse
        raise kind(
            f"{target.host}: {reason(error, allowance.late())}",
            failure=failure(error, FetchFailure.CONNECTION, late(allowance)),
        ) from error
