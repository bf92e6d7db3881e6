"""The API of feeds. Results come in an envelope; OpenAPI: /openapi.json, /docs.

    GET  /api/rss_entries/{id}?_limit=2500     new stories, for pullers: ask for the last id + 1
    GET  /api/feeds/{id}                       all columns of a feed; /history, /stories
    GET  /api/sources/{id}/feeds               a source's; /stories, /stories/fetched-by-day …
    GET  /api/stories/count?column=domain      counts; by-source, fetched-by-day, published-by-day
    POST /api/feeds/{id}/fetch-soon            fetch as soon as possible; also for a source
    GET  /api/try?url=…                        fetch a feed, and preview the decision on each item
    GET  /rss/mc-YYYY-MM-DD.rss.gz             daily files

Requests need credentials (HTTP Basic), except /api/version, /rss, /docs, /healthz, /readyz,
/metrics.

An error is HTTP 200 with `"status": "ERROR"`; with `_status=1` it has its own status code.
If there are more rows than an answer has, send its `next` as `_cursor` to get them.
"""

import os
import re
import time
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, FastAPI, Header, Request, Response
from fastapi.responses import JSONResponse
from fastapi.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from indexer.errors import StorageError
from indexer.feeds.api import feeds as api_feeds
from indexer.feeds.api import queries
from indexer.feeds.api import stories as api_stories
from indexer.feeds.api.envelope import Asked, explain_errors
from indexer.feeds.api.shapes import ResultEnvelope, VersionShape
from indexer.feeds.api.site import ApiSite
from indexer.metrics import counter, timer
from indexer.programs.serving import Health, Problem

open_to_all = APIRouter()


def application(site: ApiSite) -> FastAPI:
    """Make the API of a database of feeds."""
    app = FastAPI(title="feeds", description=__doc__ or "", version=site.version)
    app.state.site = site
    app.include_router(open_to_all)
    for router in (api_stories.reading, api_feeds.reading, api_feeds.writing):
        app.include_router(router, prefix="/api")
    for path in ("/rss", "/api/rss"):
        app.mount(path, DailyFiles(site.files))
    app.add_middleware(Counting)
    explain_errors(app)
    return app


@open_to_all.get("/api/version", response_model=ResultEnvelope[VersionShape])
def version(asked: Asked) -> Response:
    """The revision of the program."""
    return asked.ok({"GIT_REV": asked.site.revision})


@open_to_all.get("/readyz", response_model=Health, responses={503: {"model": Problem}})
@open_to_all.get("/healthz", response_model=Health, responses={503: {"model": Problem}})
def health(request: Request) -> Response:
    """Whether the database answers."""
    # Without an envelope: health checks read the status code.
    try:
        queries.check(request.app.state.site.database)
    except StorageError:
        return JSONResponse({"detail": "the database does not answer"}, 503)
    return JSONResponse({"status": "ok"})


@open_to_all.get("/metrics", response_class=Response)
def metrics(
    request: Request, accept: Annotated[str, Header(include_in_schema=False)] = ""
) -> Response:
    """Metrics in the format of Prometheus."""
    kind, page = request.app.state.site.metrics(accept)
    return Response(page, media_type=kind)


# No dot at the beginning, no two dots in a row, no slash: no hidden files, no other directories.
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)*", re.ASCII)
UNFINISHED = ".tmp"


class DailyFiles(StaticFiles):
    """Serves the files of one directory, which may be made later."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory=directory, check_dir=False)

    async def check_config(self) -> None:
        """Accept a directory that does not exist yet: its files are 404."""

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """Find a file by a name that a daily file may have; no other name leads to a file."""
        if not NAME.fullmatch(path) or path.endswith(UNFINISHED):
            return "", None
        return super().lookup_path(path)


REQUESTS = counter("api.requests", "requests to the API of feeds", "method", "status")
SECONDS = timer("duration", "times of answers of the API of feeds", "method")

OTHER = "other"
"""The label for requests to no method: for files, and for unknown paths."""


class Counting:
    """Middleware that counts requests by method, and times their answers."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status = 500

        async def counted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        started = time.perf_counter()
        try:
            await self._app(scope, receive, counted)
        finally:
            # The router stores the matched route in the scope, which middleware and router share.
            method = getattr(scope.get("route"), "name", OTHER)
            REQUESTS.add(method=method, status=str(status))
            SECONDS.observe(time.perf_counter() - started, method=method)
