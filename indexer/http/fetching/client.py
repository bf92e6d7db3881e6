"""The HTTP client: requests whose answer is returned in memory, as a stream, or as a file.

Request → Chain → credentials of the origin → Transport → redirect? check it, go on
        → the body, capped as it comes → content encodings undone, capped → Response
"""

import http.client
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import datetime
from math import inf
from types import TracebackType
from typing import BinaryIO, Self

from indexer.errors import BadResponse, FetchError, TooLarge
from indexer.http.connections.bounded import Allowance, LeastRate
from indexer.http.connections.dialer import LookUp
from indexer.http.fetching.answer import Answer
from indexer.http.fetching.bodies import PIECE
from indexer.http.fetching.chain import REDIRECTS, Chain
from indexer.http.fetching.credentials import authorized
from indexer.http.fetching.encodings import ACCEPTED, capped, decoded
from indexer.http.fetching.exchange import Request, Response
from indexer.http.fetching.options import FetchOptions
from indexer.http.fetching.outgoing import Outgoing
from indexer.http.fetching.stream import Stream, received
from indexer.http.fetching.transport import HEAD_BYTES, Transport
from indexer.text.dates import utc_now


class Client:
    """Sends requests to http and https URLs, within the limits of its options. Thread-safe.

    It keeps connections between requests: whoever makes a client closes it.
    """

    def __init__(
        self,
        options: FetchOptions,
        clock: Callable[[], float] = time.monotonic,
        look_up: LookUp | None = None,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        """`look_up` replaces the DNS look-up, `now` dates records. Raises ConfigurationError."""
        self.clock = clock
        self._options = options
        self._agent = options.agent
        self._transport = Transport(options, clock, look_up, now)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the kept connections; later requests use new ones."""
        self._transport.close()

    def get(self, url: str) -> Response:
        """The answer to a GET, as `ask` returns it."""
        return self.ask(Request(url=url))

    def ask(self, request: Request) -> Response:
        """The answer to a request, with redirects followed, within the time of the whole request.

        Raises FetchError with a status and a failure, and any exception of the request's callbacks.
        """
        started = self.clock()
        total = self._options.total_timeout if request.seconds is None else request.seconds
        allowance = self._allowance(request, total)
        with self._answered(request, allowance) as (response, answer):
            wanted = request.wanted(response)
            body = self._body(answer, allowance, request) if wanted else b""
            return replace(response, body=body, seconds=self.clock() - started)

    @contextmanager
    def stream(self, request: Request) -> Iterator[Stream]:
        """The answer to a request as it comes, whatever its status. Raises FetchError.

        The body may have any length, and take any time if it never pauses too long, but for the
        request's `max_bytes`, `seconds` and `rate`.
        """
        most = inf if request.seconds is None else request.seconds
        allowance = self._allowance(request, min(self._options.total_timeout, most))
        with self._answered(request, allowance) as (response, answer):
            allowance.extend(most)
            sent = received(answer, allowance, any_size=True)
            yield Stream(response, sent, request.max_bytes, answer.hang_up)

    def open(self, url: str, max_bytes: int | None = None) -> BinaryIO:
        """The body of a GET as a file of any length: each 64 KiB may take `total_timeout`.

        Content encodings are removed, so only the first bytes of a `.gz` file show whether it is
        still compressed. Raises FetchError, also for a status other than 200 (`http-404`). Reading
        raises FetchError, and TooLarge beyond `max_bytes`.
        """
        request = Request(
            url=url,
            accept="*/*",
            headers=lambda _: {"Accept-Encoding": "identity"},
            max_bytes=max_bytes,
            rate=LeastRate(PIECE, self._options.total_timeout),
        )
        with ExitStack() as stack:
            stream = stack.enter_context(self.stream(request))
            status = stream.response.status
            if status != http.client.OK:
                raise FetchError(f"HTTP {status}", f"http-{status}")
            return stream.file(stack.pop_all().close)

    def _allowance(self, request: Request, seconds: float) -> Allowance:
        pause = self._options.read_timeout if request.pause is None else request.pause
        return Allowance(seconds, pause, self.clock, request.rate)

    @contextmanager
    def _answered(
        self, request: Request, allowance: Allowance
    ) -> Iterator[tuple[Response, Answer]]:
        """The last answer of a chain of redirects; its body is not yet read."""
        limit = request.max_redirects
        chain = Chain(request, self._options.max_redirects if limit is None else limit)
        while True:
            headers = self._headers(request, chain)
            with self._exchange(request, chain, headers, allowance) as answer:
                head = _head(chain, answer)
                request.seen(headers, head)
                stays = answer.status in REDIRECTS and not request.follow(head)
                if stays or not chain.goes_on(answer.status, answer.headers):
                    yield head, answer
                    return

    def _headers(self, request: Request, chain: Chain) -> dict[str, str]:
        """The headers of the next request of a chain, without secrets."""
        own = {
            "User-Agent": self._agent,
            "Accept-Language": "en",
            "Accept": request.accept,
            "Accept-Encoding": ACCEPTED,
        }
        given = request.headers(chain.target.url)
        if request.body is not None and chain.body is None:
            given = {name: given[name] for name in given if not _describes_body(name)}
        return _merged(own, chain.cookie, given)

    @contextmanager
    def _exchange(
        self, request: Request, chain: Chain, headers: dict[str, str], allowance: Allowance
    ) -> Iterator[Answer]:
        target, secrets = authorized(request.auth, chain.method, chain.target)
        outgoing = Outgoing(
            chain.target.url, target, chain.method, _merged(headers, secrets), chain.body
        )
        with ExitStack() as stack:
            with chain.named_errors():
                exchange = self._transport.exchange(outgoing, allowance, request.record)
                answer = stack.enter_context(exchange)
            yield answer

    def _body(self, answer: Answer, allowance: Allowance, request: Request) -> bytes:
        given = self._options
        limit = given.max_html_bytes if request.max_bytes is None else request.max_bytes
        most = given.max_encoded_bytes
        # Twice the size: the framing of chunks counts too, and may be as long as their content.
        allowance.grant(2 * most + HEAD_BYTES)
        if not request.cut and (answer.length or 0) > most:
            raise TooLarge(f"{answer.length} bytes are announced")
        pieces = decoded(
            capped(received(answer, allowance), most),
            answer.headers.get("content-encoding", ""),
            max(most, limit),
        )
        body = _first(pieces, limit) if request.cut else b"".join(capped(pieces, limit))
        # Old servers send line breaks after the body.
        if request.exact and answer.length is not None and answer.surplus().strip(b"\r\n"):
            raise BadResponse(
                f"the body goes on after the {answer.length} bytes that were announced"
            )
        return body


def _head(chain: Chain, answer: Answer) -> Response:
    return Response(
        chain.target.url,
        answer.status,
        answer.headers,
        redirects=chain.redirects,
        reason=answer.reason,
    )


def _merged(*parts: Mapping[str, str]) -> dict[str, str]:
    """All headers; of two with the same name, in any case, the last one."""
    found = {name.lower(): (name, value) for part in parts for name, value in part.items()}
    return dict(found.values())


def _describes_body(header: str) -> bool:
    return header.lower().startswith("content-")


def _first(pieces: Iterable[bytes], size: int) -> bytes:
    kept: list[bytes] = []
    length = 0
    for piece in pieces:
        kept.append(piece)
        length += len(piece)
        if length >= size:
            break
    return b"".join(kept)[:size]
