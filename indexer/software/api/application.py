"""The API of software metadata. OpenAPI: /openapi.json

    GET /api/search?query=fourier&license=MIT&facets=language    origins by their words
    GET /api/search?conjunction=fast&conjunction=fourier         plain terms, all of them
    GET /api/origins?mappings=npm&page_token=&limit=100          origins by producer, in pages
    GET /api/statistics                                          numbers of origins by mapping
    GET /api/codemeta?origin=URL&version=2                       the CodeMeta of an origin
    GET /healthz, /readyz

Errors are JSON: {"detail": "why"}.
"""

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.responses import JSONResponse

from indexer.errors import QueryError, SearchError, StorageError
from indexer.programs.serving import Health, Problem
from indexer.software.api.methods import reading
from indexer.software.api.site import SoftwareSite
from indexer.software.store.origins import all_urls
from indexer.system.loggers import get_logger

log = get_logger()

open_to_all = APIRouter()


def application(site: SoftwareSite) -> FastAPI:
    """Make the API of a database and an index of software."""
    # FastAPI's documentation pages would load scripts from another host.
    app = FastAPI(
        title="software",
        description=__doc__ or "",
        version=site.version,
        docs_url=None,
        redoc_url=None,
    )
    app.state.site = site
    app.include_router(open_to_all)
    app.include_router(reading, prefix="/api")
    app.add_exception_handler(QueryError, _bad_query)
    app.add_exception_handler(SearchError, _unavailable)
    app.add_exception_handler(StorageError, _unavailable)
    return app


@open_to_all.get("/readyz", response_model=Health, responses={503: {"model": Problem}})
@open_to_all.get("/healthz", response_model=Health, responses={503: {"model": Problem}})
def health(request: Request) -> Response:
    """Whether the database answers."""
    site: SoftwareSite = request.app.state.site
    try:
        all_urls(site.store, limit=1)
    except StorageError:
        return JSONResponse({"detail": "the database does not answer"}, 503)
    return JSONResponse({"status": "ok"})


async def _bad_query(_request: Request, error: Exception) -> Response:
    return JSONResponse({"detail": str(error)}, 400)


async def _unavailable(_request: Request, error: Exception) -> Response:
    """Log the reason, but don't send it: it may have names of hosts and files."""
    log.error("the database or the index does not answer", why=str(error))
    return JSONResponse({"detail": "the database or the index does not answer"}, 503)
