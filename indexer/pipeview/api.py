"""The API of pipeview (stories.md 9.4): sums of crumbs, and the funnel. OpenAPI: /openapi.json.

    GET /sum/?col=app&col=status&source_id=1      counts by step and status, of a source
    GET /funnel/?source_id=1                      the same, a step at a time
    GET /healthz                                  whether it can answer

Rows are sent as they are read, however many there are.
"""

import secrets
import threading
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from typing import Annotated, Any

import msgspec
import structlog
from fastapi import Depends, FastAPI, Header, HTTPException, Query, Request
from fastapi.responses import JSONResponse, StreamingResponse
from fastapi.security import (
    HTTPAuthorizationCredentials,
    HTTPBasic,
    HTTPBasicCredentials,
    HTTPBearer,
)

from indexer.errors import StorageError
from indexer.pipeview.funnel import COLUMNS, Stage, funnel
from indexer.pipeview.parameters import Sum, SumParameters, Where
from indexer.pipeview.store import CrumbStore, first_day
from indexer.programs.api_answers import Health, Problem
from indexer.programs.streaming import Streamed, begun, joined, placed

NDJSON = "application/x-ndjson"
JSON = "application/json"

MOST_ANSWERS = 8
"""Sums that are read at once: each holds a connection of the database as long as who asked takes
to read, and some of the pool have to be left for who asks whether all is well.
"""

log = structlog.get_logger()
_encode = msgspec.json.encode


def application(
    store: CrumbStore, days: int, today: Callable[[], date], token: str = ""
) -> FastAPI:
    """The API of a store. `days`: how far back it looks by default. With a `token`, who asks has
    to say it, as bearer or as password.
    """
    app = FastAPI(title="pipeview", description=__doc__ or "", docs_url=None, redoc_url=None)
    guards = [Depends(_guard(token))] if token else []
    refused: dict[int | str, dict[str, Any]] = {
        401: {"model": Problem, "description": "The token is missing, or wrong."},
        503: {
            "model": Problem,
            "description": "The database does not answer, or too many ask at once (Retry-After).",
        },
    }
    places = threading.BoundedSemaphore(MOST_ANSWERS)

    @app.get(
        "/sum/",
        summary="How many stories, by the chosen columns",
        response_model=list[Sum],
        responses={200: {"content": {NDJSON: {}}}, **refused},
        dependencies=guards,
    )
    def sums(
        asked: Annotated[SumParameters, Query()],
        accept: Annotated[str, Header(include_in_schema=False)] = "",
    ) -> StreamingResponse:
        """Rows in the order of the columns, nulls last: pages of them fit together as long as
        nothing is counted in between (`end_date` of yesterday).
        """
        selection = asked.selection(first_day(today(), days))
        found = placed(store.sums(asked.columns, selection, asked.limit, asked.offset), places)
        rows = map(_named, begun(found))
        lines = (asked.format or ("ndjson" if NDJSON in accept else "json")) == "ndjson"
        parts = joined(_ndjson(rows) if lines else _array(rows))
        return Streamed(parts, NDJSON if lines else JSON, found.close)

    @app.get(
        "/funnel/",
        summary="What became of stories at each step, in the order of the flow",
        responses=refused,
        dependencies=guards,
    )
    def stages(asked: Annotated[Where, Query()]) -> list[Stage]:
        """`stories` are those that a step was done with, `statuses` how it ended; `retries` and
        `requeues` how often one went back. A story has a domain from the parser on only.
        """
        found = store.sums(COLUMNS, asked.selection(first_day(today(), days)))
        return funnel(placed(found, places))

    @app.get("/healthz", summary="Whether the database answers", responses={503: refused[503]})
    def health() -> Health:
        """For who watches it: needs no token."""
        store.check()
        return Health()

    app.add_exception_handler(StorageError, _unavailable)
    return app


def _guard(token: str) -> Callable[..., None]:
    """Refuses who doesn't know the token."""

    def check(
        bearer: Annotated[
            HTTPAuthorizationCredentials | None, Depends(HTTPBearer(auto_error=False))
        ],
        basic: Annotated[HTTPBasicCredentials | None, Depends(HTTPBasic(auto_error=False))],
    ) -> None:
        given = bearer.credentials if bearer else basic.password if basic else ""
        if not secrets.compare_digest(given.encode(), token.encode()):
            challenge = {"WWW-Authenticate": 'Bearer, Basic realm="pipeview"'}
            raise HTTPException(401, "the token is missing, or wrong", challenge)

    return check


async def _unavailable(_request: Request, error: Exception) -> JSONResponse:
    """The log says why, the answer doesn't: that may name hosts and files."""
    log.error("the database does not answer", why=str(error))
    return JSONResponse({"detail": "the database does not answer"}, 503)


def _named(row: dict[str, Any]) -> dict[str, Any]:
    """With the names that programs know (stories.md 9.4)."""
    return {**row, "sum_1": row["stories"], "count_1": row["rows"]}


def _ndjson(rows: Iterable[dict[str, Any]]) -> Iterator[bytes]:
    for row in rows:
        yield _encode(row) + b"\n"


def _array(rows: Iterable[dict[str, Any]]) -> Iterator[bytes]:
    between = b"["
    for row in rows:
        yield between + _encode(row)
        between = b",\n"
    yield b"[]\n" if between == b"[" else b"]\n"
