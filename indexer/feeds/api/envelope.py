"""The envelope of the API's answers: results, or an error (feeds.md 9).

    {"duration": <ms>, "version": "…", "status": "OK", "results": …}           HTTP 200
    {"duration": <ms>, "version": "…", "status": "ERROR", "statusCode": 400, "message": "…"}

An error is HTTP 200 too, as clients read `status`; with `_status=1` it has its own status code.
`next`, beside `results`, is the cursor of the rows that follow, if there are any.
"""

import hashlib
import time
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Annotated, Any

import msgspec
from fastapi import Depends, FastAPI, Query, Request, Response
from fastapi.responses import JSONResponse

from indexer.errors import StorageError
from indexer.feeds.api.queries import Paged, plain
from indexer.feeds.api.site import ApiSite
from indexer.feeds.registry.listing import Reader, Row
from indexer.programs.streaming import Streamed, joined
from indexer.system.loggers import get_logger

JSON = "application/json"

log = get_logger()
_encode = msgspec.json.encode


class Reply:
    """The answer to one request."""

    def __init__(self, request: Request, *, strict: bool) -> None:
        self.site: ApiSite = request.app.state.site
        self.strict = strict
        self._started = time.perf_counter()
        self._known = request.headers.get("if-none-match", "")

    def ok(self, results: Any, next: str | None = None) -> Response:
        """Answer with results, or 304 if the client has them already."""
        data = _encode(results)
        # A weak tag, as the duration in the envelope differs each time.
        tag = f'W/"{hashlib.md5(data, usedforsecurity=False).hexdigest()}"'
        if tag in self._known:
            return Response(status_code=304, headers={"ETag": tag})
        body = b'{"duration":%d,"version":%s,"status":"OK","results":%s%s}' % (
            self._milliseconds(),
            _encode(self.site.version),
            data,
            b"" if next is None else b',"next":' + _encode(next),
        )
        return Response(body, media_type=JSON, headers={"ETag": tag})

    def page(self, found: Paged) -> Response:
        """Answer with rows that were read at once."""
        return self.ok(found.rows, found.next)

    def rows(self, reader: Reader) -> Response:
        """Answer with rows, streamed if they are more than one portion."""
        portions = reader.portions()
        # The first portions are read before the answer begins: a database that is away is an error.
        begun = [*islice(portions, 2)]
        if len(begun) < 2:
            return self.ok(_plain(begun[0]), reader.next)
        parts = self._parts(chain(begun, portions), reader)
        return Streamed(joined(parts), JSON, portions.close)

    def error(self, code: int, message: str) -> Response:
        """Answer with an error."""
        return JSONResponse(
            {
                "duration": self._milliseconds(),
                "version": self.site.version,
                "status": "ERROR",
                "statusCode": code if self.strict else 400,
                "message": message,
            },
            code if self.strict else 200,
        )

    def _parts(self, portions: Iterable[list[Row]], reader: Reader) -> Iterator[bytes]:
        """Yield the envelope as `ok` does, but with `duration` and `next` at its end."""
        yield b'{"version":%s,"status":"OK","results":[' % _encode(self.site.version)
        between = b""
        for rows in filter(None, portions):
            # Without the brackets of its list.
            yield between + _encode(_plain(rows))[1:-1]
            between = b","
        last = b"" if reader.next is None else b',"next":' + _encode(reader.next)
        yield b'],"duration":%d%s}' % (self._milliseconds(), last)

    def _milliseconds(self) -> int:
        return round((time.perf_counter() - self._started) * 1000)


async def reply(
    request: Request,
    status: Annotated[
        bool, Query(alias="_status", description="1: an error has its own HTTP status code.")
    ] = False,
) -> Reply:
    """Make the reply to a request: a dependency of all methods."""
    # `async`, as FastAPI would run a plain function in a thread. The state is for `_error`.
    request.state.reply = Reply(request, strict=status)
    return request.state.reply  # type: ignore[no-any-return]  # a state holds anything


Asked = Annotated[Reply, Depends(reply)]


def explain_errors(app: FastAPI) -> None:
    """Have methods that fail answer with the envelope of an error."""
    app.add_exception_handler(StorageError, _unavailable)
    # Starlette raises any other exception again, for the log, after this answer was sent.
    app.add_exception_handler(Exception, _broken)


async def _unavailable(request: Request, error: Exception) -> Response:
    """Log the reason, but don't send it: it may have names of hosts and files."""
    log.error("the database does not answer", why=str(error))
    return _error(request, 503, "the database does not answer")


async def _broken(request: Request, _why: Exception) -> Response:
    return _error(request, 500, "internal error: the log says more")


def _error(request: Request, code: int, message: str) -> Response:
    asked: Reply | None = getattr(request.state, "reply", None)
    return asked.error(code, message) if asked else JSONResponse({"detail": message}, code)


def _plain(rows: Iterable[Row]) -> list[Row]:
    return [plain(row) for row in rows]
