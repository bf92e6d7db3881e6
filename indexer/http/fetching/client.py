"""The HTTP client: GET requests, whose body is returned in memory or as a stream."""

import http.client
import io
import ssl
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, BinaryIO, cast

import certifi
from urllib3 import BaseHTTPResponse
from urllib3.exceptions import HTTPError

from indexer.errors import AddressRefused, BadResponse, FetchError, TooLarge
from indexer.http.fetching.bounded import Allowance, tls_context
from indexer.http.fetching.chain import REDIRECTS, Chain
from indexer.http.fetching.connection import (
    MAX_HEADERS,
    Dialer,
    LookUp,
    PinnedConnection,
    PinnedTLSConnection,
    connection,
)
from indexer.http.fetching.encodings import ACCEPTED, PIECE, Pieces, capped, decoded
from indexer.http.fetching.exchange import Request, Response
from indexer.http.fetching.failures import FetchFailure, failure, reason
from indexer.http.fetching.options import FetchOptions
from indexer.http.fetching.proxy import route
from indexer.http.urls.addresses import ANYWHERE
from indexer.http.urls.target import Target

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

# The limit of Chromium for the headers of an answer.
_HEAD_BYTES = 262_144


class Client:
    """Fetches http and https URLs within the limits of its options. Thread-safe."""

    def __init__(
        self,
        options: FetchOptions,
        clock: Callable[[], float] = time.monotonic,
        look_up: LookUp | None = None,
    ) -> None:
        """`look_up` replaces the DNS look-up. Raises ConfigurationError."""
        self._options = options
        self._clock = clock
        self._agent = options.agent
        self._addresses = options.addresses
        self._dialer = Dialer(self._addresses, options.resolve, options.connect_timeout, look_up)
        self._route = route(options.proxy.get_secret_value())
        # The operator chose the proxy, so its address may be private.
        self._any_dialer = Dialer(ANYWHERE, timeout=options.connect_timeout, look_up=look_up)

    def get(self, url: str) -> Response:
        """The answer to a GET, as `ask` returns it."""
        return self.ask(Request(url=url))

    def ask(self, request: Request) -> Response:
        """The answer to a request, with redirects followed, within the time of the whole request.

        Raises FetchError with a status and a failure, and any exception of the request's `check`.
        """
        started = self._clock()
        allowance = self._allowance(request.seconds)
        limit = request.max_redirects
        limit = self._options.max_redirects if limit is None else limit
        chain = Chain(request.url, limit, request.check)
        with self._answered(chain, request, allowance) as answer:
            response = _head(chain, answer)
            wanted = request.wanted(response)
            body = self._body(answer, allowance, request) if wanted else b""
        return replace(response, body=body, seconds=self._clock() - started)

    def open(self, url: str, max_bytes: int | None = None) -> BinaryIO:
        """The body of a GET as a stream of any length: each 64 KiB may take `total_timeout`.

        Content encodings are removed, so only the first bytes of a `.gz` file show whether it is
        still compressed. Raises FetchError, also for a status other than 200 (`http-404`). Reading
        raises FetchError, and TooLarge beyond `max_bytes`.
        """
        allowance = self._allowance()
        chain = Chain(url, self._options.max_redirects)
        request = Request(url=url, accept="*/*")
        with ExitStack() as stack:
            answer = stack.enter_context(self._answered(chain, request, allowance, "identity"))
            if answer.status != http.client.OK:
                raise FetchError(f"HTTP {answer.status}", f"http-{answer.status}")
            chunks = _received(answer, allowance, renew=True)
            pieces = capped(decoded(chunks, _encoding(answer), None), max_bytes)
            return cast(BinaryIO, io.BufferedReader(_Stream(pieces, stack.pop_all()), PIECE))

    @cached_property
    def _context(self) -> ssl.SSLContext:
        return tls_context(verify=not self._options.insecure, authorities=certifi.where())

    def _allowance(self, seconds: float | None = None) -> Allowance:
        options = self._options
        total = options.total_timeout if seconds is None else seconds
        return Allowance(total, options.read_timeout, self._clock)

    @contextmanager
    def _answered(
        self, chain: Chain, request: Request, allowance: Allowance, encodings: str = ACCEPTED
    ) -> Iterator[BaseHTTPResponse]:
        """The last answer of a chain of redirects; its body is not yet read."""
        common = {
            "User-Agent": self._agent,
            "Accept-Language": "en",
            "Accept": request.accept,
            "Accept-Encoding": encodings,
        }
        while True:
            headers = {**common, **chain.cookie, **request.headers(chain.target.url)}
            with self._exchange(chain, headers, allowance) as answer:
                head = _head(chain, answer)
                request.seen(headers, head)
                stays = answer.status in REDIRECTS and not request.follow(head)
                if stays or not chain.goes_on(answer.status, answer.headers):
                    yield answer
                    return

    @contextmanager
    def _exchange(
        self, chain: Chain, headers: dict[str, str], allowance: Allowance
    ) -> Iterator[BaseHTTPResponse]:
        """One request and the head of its answer, on a new connection."""
        allowance.grant(_HEAD_BYTES)
        with chain.named_errors():
            opened, url, headers = self._connection(chain.target, headers, allowance)
        try:
            with chain.named_errors(), _head_errors(chain.target, allowance):
                with _request_errors(chain.target):
                    opened.request("GET", url, headers=headers, preload_content=False)
                answer = opened.getresponse()
                _check_number(answer)
            yield answer
        finally:
            opened.close()

    def _connection(
        self, target: Target, headers: dict[str, str], allowance: Allowance
    ) -> tuple[PinnedConnection | PinnedTLSConnection, str, dict[str, str]]:
        """A connection, and the request target and headers for it.

        For http, a proxy gets the whole URL and its own headers; for https it sees only CONNECT.
        """
        proxy = self._route(target)
        if proxy is None:
            opened = connection(target, self._dialer, allowance, lambda: self._context)
            return opened, target.path, headers
        # The proxy resolves names, so only an address in the URL can be checked here.
        if target.address and (why := self._addresses.why_not(target.address)):
            raise AddressRefused(f"{target.host} refused ({why})")
        opened = connection(target, self._any_dialer, allowance, lambda: self._context, proxy)
        if target.scheme == "https":
            return opened, target.path, headers
        return opened, target.url, {**headers, **proxy.headers}

    def _body(self, answer: BaseHTTPResponse, allowance: Allowance, request: Request) -> bytes:
        given = self._options
        limit = given.max_html_bytes if request.max_bytes is None else request.max_bytes
        announced = answer.length_remaining
        most = given.max_encoded_bytes
        # Twice the size: the framing of chunks counts too, and may be as long as their content.
        allowance.grant(2 * most + _HEAD_BYTES)
        if not request.cut and (announced or 0) > most:
            raise TooLarge(f"{announced} bytes are announced")
        pieces = decoded(
            capped(_received(answer, allowance), most), _encoding(answer), max(most, limit)
        )
        body = _first(pieces, limit) if request.cut else b"".join(capped(pieces, limit))
        # Old servers send line breaks after the body.
        if request.exact and announced is not None and allowance.surplus.strip(b"\r\n"):
            raise BadResponse(f"the body goes on after the {announced} bytes that were announced")
        return body


class _Stream(io.RawIOBase):
    """Pieces of a body as a raw file, which closes the connection when it is closed."""

    def __init__(self, pieces: Pieces, stack: ExitStack) -> None:
        self._pieces = pieces
        self._stack = stack
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        while not self._rest:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._rest = memoryview(piece)
        view = memoryview(buffer).cast("B")
        size = min(len(view), len(self._rest))
        view[:size] = self._rest[:size]
        self._rest = self._rest[size:]
        return size

    def close(self) -> None:
        self._stack.close()
        super().close()


def _head(chain: Chain, answer: BaseHTTPResponse) -> Response:
    return Response(
        chain.target.url,
        answer.status,
        answer.headers,
        redirects=chain.redirects,
        reason=answer.reason or "",
    )


@contextmanager
def _head_errors(target: Target, allowance: Allowance) -> Iterator[None]:
    """Turns errors that occur before the body into FetchErrors."""
    try:
        yield
    except TooLarge as error:
        raise BadResponse(
            f"{target.host}: more than {_HEAD_BYTES} bytes of headers",
            failure=FetchFailure.CONNECTION,
        ) from error
    except (OSError, http.client.HTTPException, HTTPError, ValueError) as error:
        # Without an answer the host counts as unreachable; invalid HTTP is an answer.
        kind = FetchError if isinstance(error, OSError) else BadResponse
        raise kind(
            f"{target.host}: {reason(error, allowance.late())}",
            failure=failure(error, FetchFailure.CONNECTION, _late(allowance)),
        ) from error


@contextmanager
def _request_errors(target: Target) -> Iterator[None]:
    """Turns errors of a request that can't be written into BadResponse."""
    try:
        yield
    except ValueError as error:
        # SSLCertVerificationError is a ValueError and an OSError: `_head_errors` handles it.
        if isinstance(error, OSError):
            raise
        raise BadResponse(f"{target.host}: {reason(error)}", failure=FetchFailure.VALUE) from error


def _check_number(answer: BaseHTTPResponse) -> None:
    """Raise BadResponse for too many headers: http.client's own limit counts lines."""
    if len(answer.headers) > MAX_HEADERS or len(list(answer.headers.iteritems())) > MAX_HEADERS:
        raise BadResponse(f"more than {MAX_HEADERS} headers", failure=FetchFailure.CONNECTION)


def _late(allowance: Allowance) -> FetchFailure:
    """The failure that a timeout stands for: the whole time is over, or one pause was too long."""
    return FetchFailure.DEADLINE if allowance.is_over else FetchFailure.READ_TIMEOUT


def _received(
    answer: BaseHTTPResponse, allowance: Allowance, *, renew: bool = False
) -> Iterator[bytes]:
    """The body as it is sent; with `renew` each chunk may take the whole time."""
    while True:
        if renew:
            allowance.grant(PIECE + _HEAD_BYTES, renew=True)
        try:
            chunk = answer.read(PIECE, decode_content=False)
        except (http.client.HTTPException, HTTPError, OSError, ValueError) as error:
            what = failure(error, FetchFailure.BODY, _late(allowance))
            raise BadResponse(reason(error, allowance.late()), failure=what) from error
        if not chunk:
            return
        yield chunk


def _first(pieces: Iterable[bytes], size: int) -> bytes:
    kept: list[bytes] = []
    length = 0
    for piece in pieces:
        kept.append(piece)
        length += len(piece)
        if length >= size:
            break
    return b"".join(kept)[:size]


def _encoding(answer: BaseHTTPResponse) -> str:
    return answer.headers.get("content-encoding", "")
