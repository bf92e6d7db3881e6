"""The API of pipeview (stories.md 9.4): sums of breadcrumbs, and the funnel.

    GET /sum/?col=app&col=status&source_id=1      counts of a source's stories by step and status
    GET /funnel/?source_id=1                      the same counts, grouped by step
    GET /healthz, /readyz                         200 if the database answers
    GET /openapi.json                             all parameters and answers

Any number of rows is streamed while it is read.
"""

import secrets
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from typing import Annotated, Any

import msgspec
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
from indexer.programs.serving import Health, Problem
from indexer.programs.streaming import Streamed, begun, joined, placed
from indexer.system.loggers import get_logger

NDJSON = "application/x-ndjson"
JSON = "application/json"

MOST_ANSWERS = 8
"""The maximal number of concurrent sums. Each holds a database connection until its client has read
all rows, and health checks need some of the pool's connections."""

log = get_logger()
_encode = msgspec.json.encode


def application(
    store: CrumbStore,
    days: int,
    today: Callable[[], date],
    token: str = "",
    flow: Sequence[str] = (),
) -> FastAPI:
    """Build the API of a store. By default it answers for the last `days` days.

    If there is a `token`, requests need it, as bearer token or as password. `flow` has the names of
    the steps in the order in which the funnel shows them.
    """
    # FastAPI's documentation pages would load scripts from another host.
    app = FastAPI(title="pipeview", description=__doc__ or "", docs_url=None, redoc_url=None)
    guards = [Depends(_guard(token))] if token else []
    refused: dict[int | str, dict[str, Any]] = {
        401: {"model": Problem, "description": "The token is missing or wrong."},
        503: {
            "model": Problem,
            "description": "The database does not answer, or too many requests are running "
            "(Retry-After).",
        },
    }
    places = threading.BoundedSemaphore(MOST_ANSWERS)

    @app.get(
        "/sum/",
        summary="Number of stories, by the chosen columns",
        response_model=list[Sum],
        responses={200: {"content": {NDJSON: {}}}, **refused},
        dependencies=guards,
    )
    def sums(
        asked: Annotated[SumParameters, Query()],
        accept: Annotated[str, Header(include_in_schema=False)] = "",
    ) -> StreamingResponse:
        """Rows are sorted by the columns, nulls last. Pages are consistent if no count changes
        between them (for example with yesterday as `end_date`).
        """
        selection = asked.selection(first_day(today(), days))
        found = placed(store.sums(asked.columns, selection, asked.limit, asked.offset), places)
        rows = map(_named, begun(found))
        lines = (asked.format or ("ndjson" if NDJSON in accept else "json")) == "ndjson"
        parts = joined(_ndjson(rows) if lines else _array(rows))
        return Streamed(parts, NDJSON if lines else JSON, found.close)

    @app.get(
        "/funnel/",
        summary="Results of the stories at each step, in the order of the flow",
        responses=refused,
        dependencies=guards,
    )
    def stages(asked: Annotated[Where, Query()]) -> list[Stage]:
        """`stories` is the number that a step has finished, by `statuses`; `retries` and `requeues`
        count returns to the queue. Stories have no domain before the parser.
        """
        found = store.sums(COLUMNS, asked.selection(first_day(today(), days)))
        return funnel(placed(found, places), flow)

    @app.get("/readyz", summary="Whether the database answers", responses={503: refused[503]})
    @app.get("/healthz", summary="Whether the database answers", responses={503: refused[503]})
    def health() -> Health:
        """For monitoring; needs no token."""
        store.check()
        return Health()

    app.add_exception_handler(StorageError, _unavailable)
    return app


def _guard(token: str) -> Callable[..., None]:
    """Return a dependency that refuses requests without the token."""

    def check(
        bearer: Annotated[
            HTTPAuthorizationCredentials | None, Depends(HTTPBearer(auto_error=False))
        ],
        basic: Annotated[HTTPBasicCredentials | None, Depends(HTTPBasic(auto_error=False))],
    ) -> None:
        given = bearer.credentials if bearer else basic.password if basic else ""
        # A comparison in constant time, so that its duration does not reveal the token.
        if not secrets.compare_digest(given.encode(), token.encode()):
            challenge = {"WWW-Authenticate": 'Bearer, Basic realm="pipeview"'}
            raise HTTPException(401, "the token is missing or wrong", challenge)

    return check


async def _unavailable(_request: Request, error: Exception) -> JSONResponse:
    """Answer a database failure."""
    # Only the log has the reason: it may name hosts and files.
    log.error("the database does not answer", why=str(error))
    return JSONResponse({"detail": "the database does not answer"}, 503)


def _named(row: dict[str, Any]) -> dict[str, Any]:
    """Add the older column names that existing programs read (stories.md 9.4)."""
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
