"""The client: GET, and nothing else, for a page in memory or a file as a stream."""

import http.client
import io
import ssl
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, BinaryIO, TypeAlias, cast

import certifi
from urllib3 import BaseHTTPResponse
from urllib3.exceptions import HTTPError

from indexer.errors import BadResponse, FetchError, TooLarge
from indexer.fetching.bounded import Allowance, tls_context
from indexer.fetching.chain import Chain
from indexer.fetching.connection import Dialer, LookUp, connection
from indexer.fetching.encodings import ACCEPTED, PIECE, Pieces, capped, decoded
from indexer.fetching.options import FetchOptions
from indexer.fetching.reasons import reason
from indexer.fetching.response import Response
from indexer.fetching.target import Target

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

PAGES = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

Check: TypeAlias = Callable[[str], None]
"""Asked before a redirect's target is visited; what it raises ends the fetch."""

Wanted: TypeAlias = Callable[[Response], bool]

_HEAD_BYTES = 262_144
"""What an answer may send before its body; browsers stop there too."""


def good(response: Response) -> bool:
    """Whether it is what was asked for."""
    return 200 <= response.status < 300


class Client:
    """Fetches http and https URLs within the bounds of its options. Thread-safe."""

    def __init__(
        self,
        options: FetchOptions,
        clock: Callable[[], float] = time.monotonic,
        look_up: LookUp | None = None,
    ) -> None:
        """`look_up` stands in for DNS. Raises ConfigurationError."""
        self._options = options
        self._clock = clock
        self._agent = options.agent
        self._dialer = Dialer(options.addresses, options.resolve, options.connect_timeout, look_up)

    def get(
        self,
        url: str,
        *,
        accept: str = PAGES,
        check: Check | None = None,
        wanted: Wanted = good,
        max_bytes: int | None = None,
        cut: bool = False,
        max_redirects: int | None = None,
    ) -> Response:
        """The answer to a GET, redirects followed, in `total_timeout` seconds at most.

        `wanted` tells from its head whether an answer's body is read: by default, of any 2xx.
        `max_bytes`: of the decoded body; by default the options'. A larger body raises TooLarge,
        or is cut there. Raises FetchError (its status says how), and what `check` raises.
        """
        started = self._clock()
        allowance = self._allowance()
        chain = Chain(url, self._limit(max_redirects), check)
        head = {"Accept": accept, "Accept-Encoding": ACCEPTED}
        limit = self._options.max_html_bytes if max_bytes is None else max_bytes
        with self._answered(chain, head, allowance) as answer:
            response = Response(
                chain.target.url, answer.status, answer.headers, redirects=chain.redirects
            )
            body = self._body(answer, allowance, limit, cut=cut) if wanted(response) else b""
        return replace(response, body=body, seconds=self._clock() - started)

    def open(
        self,
        url: str,
        *,
        accept: str = "*/*",
        check: Check | None = None,
        max_bytes: int | None = None,
        max_redirects: int | None = None,
    ) -> BinaryIO:
        """The body of a GET as a stream of any length: each 64 KiB of it in `total_timeout`.

        Content encodings are undone, so whether a `.gz` still is one only its first bytes tell.
        Raises FetchError, also where the status isn't 200 (`http-404`); reads raise it too, and
        TooLarge beyond `max_bytes`.
        """
        allowance = self._allowance()
        chain = Chain(url, self._limit(max_redirects), check)
        head = {"Accept": accept, "Accept-Encoding": "identity"}
        with ExitStack() as stack:
            answer = stack.enter_context(self._answered(chain, head, allowance))
            if answer.status != http.client.OK:
                raise FetchError(f"HTTP {answer.status}", f"http-{answer.status}")
            chunks = _received(answer, allowance, renew=True)
            pieces = capped(decoded(chunks, _encoding(answer), None), max_bytes)
            return cast(BinaryIO, io.BufferedReader(_Stream(pieces, stack.pop_all()), PIECE))

    def close(self) -> None:
        """Let go of what is kept between calls."""

    @cached_property
    def _context(self) -> ssl.SSLContext:
        return tls_context(verify=not self._options.insecure, authorities=certifi.where())

    def _allowance(self) -> Allowance:
        options = self._options
        return Allowance(options.total_timeout, options.read_timeout, self._clock)

    def _limit(self, max_redirects: int | None) -> int:
        return self._options.max_redirects if max_redirects is None else max_redirects

    @contextmanager
    def _answered(
        self, chain: Chain, head: dict[str, str], allowance: Allowance
    ) -> Iterator[BaseHTTPResponse]:
        """The chain's last answer, its body yet to be read."""
        while True:
            headers = {"User-Agent": self._agent, "Accept-Language": "en", **head}
            with self._exchange(chain, headers | chain.cookie, allowance) as answer:
                if not chain.goes_on(answer.status, answer.headers):
                    yield answer
                    return

    @contextmanager
    def _exchange(
        self, chain: Chain, headers: dict[str, str], allowance: Allowance
    ) -> Iterator[BaseHTTPResponse]:
        """One request and the head of its answer, on a connection of its own."""
        allowance.grant(_HEAD_BYTES)
        opened = connection(chain.target, self._dialer, allowance, lambda: self._context)
        try:
            with chain.named_errors(), _head_errors(chain.target, allowance):
                opened.request("GET", chain.target.path, headers=headers, preload_content=False)
                answer = opened.getresponse()
            yield answer
        finally:
            opened.close()

    def _body(
        self, answer: BaseHTTPResponse, allowance: Allowance, limit: int, *, cut: bool
    ) -> bytes:
        most = self._options.max_encoded_bytes
        # Twice, for the sizes of chunks, which are sent along.
        allowance.grant(2 * most + _HEAD_BYTES)
        if not cut and (answer.length_remaining or 0) > most:
            raise TooLarge(f"{answer.length_remaining} bytes are announced")
        pieces = decoded(
            capped(_received(answer, allowance), most), _encoding(answer), max(most, limit)
        )
        return _first(pieces, limit) if cut else b"".join(capped(pieces, limit))


class _Stream(io.RawIOBase):
    """Pieces as a file."""

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


@contextmanager
def _head_errors(target: Target, allowance: Allowance) -> Iterator[None]:
    """Errors before a body comes, as FetchErrors."""
    try:
        yield
    except TooLarge as error:
        raise BadResponse(f"{target.host}: more than {_HEAD_BYTES} bytes of headers") from error
    except OSError as error:
        raise FetchError(f"{target.host}: {reason(error, allowance.late())}") from error
    except (http.client.HTTPException, HTTPError, ValueError) as error:
        raise BadResponse(f"{target.host}: {reason(error)}") from error


def _received(
    answer: BaseHTTPResponse, allowance: Allowance, *, renew: bool = False
) -> Iterator[bytes]:
    """The body as it is sent; `renew`: each chunk may take all the time."""
    while True:
        if renew:
            allowance.grant(PIECE + _HEAD_BYTES, renew=True)
        try:
            chunk = answer.read(PIECE, decode_content=False)
        except (http.client.HTTPException, HTTPError, OSError, ValueError) as error:
            raise BadResponse(reason(error, allowance.late())) from error
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
