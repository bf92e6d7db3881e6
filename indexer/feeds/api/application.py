"""The API of feeds. Results come in an envelope; OpenAPI: /openapi.json, /docs.

    GET  /api/rss_entries/{id}?_limit=2500     new stories, for pullers: ask for the last id + 1
    GET  /api/feeds/{id}                       all columns of a feed; /history, /stories
    GET  /api/sources/{id}/feeds               a source's; /stories, /stories/fetched-by-day …
    GET  /api/stories/count?column=domain      counts; by-source, fetched-by-day, published-by-day
    POST /api/feeds/{id}/fetch-soon            fetch as soon as possible; also for a source
    GET  /api/try?url=…                        fetch a feed, and preview the decision on each item
    GET  /rss/mc-YYYY-MM-DD.rss.gz             daily files

Requests need credentials (HTTP Basic), except /api/version, /rss, /docs, /healthz and /metrics.

An error is HTTP 200 with `"status": "ERROR"`; with `_status=1` it has its own status code.
If there are more rows than an answer has, send its `next` as `_cursor` to get them.
"""

from typing import Annotated

from fastapi import APIRouter, FastAPI, Header, Request, Response
from fastapi.responses import JSONResponse

from indexer.errors import StorageError
from indexer.feeds.api import feeds as api_feeds
from indexer.feeds.api import queries
from indexer.feeds.api import stories as api_stories
from indexer.feeds.api import trying as api_try
from indexer.feeds.api.envelope import Asked, explain_errors
from indexer.feeds.api.files import DailyFiles
from indexer.feeds.api.requests import Counting
from indexer.feeds.api.shapes import ResultEnvelope, VersionShape
from indexer.feeds.api.site import ApiSite
from indexer.programs.serving import Health, Problem

open_to_all = APIRouter()


def application(site: ApiSite) -> FastAPI:
    """Make the API of a database of feeds."""
    app = FastAPI(title="feeds", description=__doc__ or "", version=site.version)
    app.state.site = site
    for router in (
        open_to_all,
        api_stories.reading,
        api_feeds.reading,
        api_feeds.writing,
        api_try.writing,
    ):
        app.include_router(router, prefix="" if router is open_to_all else "/api")
    for path in ("/rss", "/api/rss"):
        app.mount(path, DailyFiles(site.files))
    app.add_middleware(Counting)
    explain_errors(app)
    return app


@open_to_all.get("/api/version", response_model=ResultEnvelope[VersionShape])
def version(asked: Asked) -> Response:
    """The revision of the program."""
    return asked.ok({"GIT_REV": asked.site.revision})


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
