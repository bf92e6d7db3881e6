"""The methods of the API: search, origins by producer, numbers, and the document of an origin."""

from dataclasses import asdict
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from fastapi import APIRouter, Depends, Header, HTTPException, Query, Request, Response
from pydantic import BaseModel, Field

from indexer.programs.serving import Problem
from indexer.software.api.representation import JSON_LD, is_known, restated, tag_of, version_of
from indexer.software.api.shapes import CountsShape, ProducerShape, SearchShape
from indexer.software.api.site import SoftwareSite
from indexer.software.searching.documents import merged
from indexer.software.searching.fields import FACETS
from indexer.software.searching.search import (
    MAX_HITS,
    PageKey,
    SoftwareQuery,
    count_hits,
    facets_of,
    search_page,
)
from indexer.software.searching.tiers import conjunction, tree_of
from indexer.software.store import origins
from indexer.software.store.rows import OriginMetadataRow

JSON = "application/json"

MAX_PAGE = 10_000
"""The most origins of a page by producer."""

MAX_VALUES, MAX_URL, MAX_TEXT = 100, 2600, 20_000
"""The most values of a parameter, and the most characters of a URL and of a query."""

ANSWERS: dict[int | str, dict[str, Any]] = {
    400: {"model": Problem, "description": "The query can't be read."},
    503: {"model": Problem, "description": "The database or the index does not answer."},
}

Values: TypeAlias = Annotated[list[str], Field(max_length=MAX_VALUES)]

reading = APIRouter(responses=ANSWERS)


async def the_site(request: Request) -> SoftwareSite:
    """Return the site: a dependency of all methods."""
    # `async`, as FastAPI would run a plain function in a thread.
    return request.app.state.site  # type: ignore[no-any-return]  # a state holds anything


Site: TypeAlias = Annotated[SoftwareSite, Depends(the_site)]


class SearchParameters(BaseModel):
    """The parameters of a search."""

    query: str = Field("", max_length=MAX_TEXT, description="In the query language.")
    conjunction: list[str] | None = Field(
        None, max_length=MAX_VALUES, description="Plain terms, all of which must be found."
    )
    license: Values = []
    language: Values = []
    mapping: Values = []
    author: Values = []
    facets: list[Literal["license", "language", "mapping", "author"]] = Field(
        [], max_length=MAX_VALUES, description="Facets to count."
    )
    after: str = Field("", max_length=MAX_URL, description="The previous answer's `next`.")
    limit: int = Field(100, ge=1, le=MAX_HITS)

    def search(self) -> SoftwareQuery:
        """Return the search. Raises QueryError.

        Without a query and without terms nothing is found, unless there is a filter.
        """
        filters = {name: getattr(self, name) for name in FACETS}
        is_browsing = self.conjunction is None and any(filters.values())
        by_text = bool(self.query) or is_browsing
        tree = tree_of(self.query or "*") if by_text else conjunction(self.conjunction or ())
        return SoftwareQuery(
            tree, filters, self.limit, PageKey.read(self.after) if self.after else None
        )


@reading.get("/search", response_model=SearchShape)
def search(site: Site, asked: Annotated[SearchParameters, Query()]) -> Response:
    """Origins by the words of their metadata, best first: name, keywords, description."""
    query = asked.search()
    with site.slot():
        hits, key = search_page(site.index, query)
        counts = facets_of(site.index, query, list(dict.fromkeys(asked.facets)))
        found = {
            "total": count_hits(site.index, query),
            "hits": [hit.values() for hit in hits],
            "next": key,
            "facets": {
                name: [each._asdict() for each in values] for name, values in counts.items()
            },
        }
    return _json(found)


@reading.get("/origins", response_model=ProducerShape)
def by_producer(
    site: Site,
    page_token: Annotated[str, Query(max_length=MAX_URL)] = "",
    limit: Annotated[int, Query(ge=1, le=MAX_PAGE)] = 100,
    ids_only: bool = False,
    mappings: Annotated[list[str] | None, Query(max_length=MAX_VALUES)] = None,
    tool_ids: Annotated[list[int] | None, Query(max_length=MAX_VALUES)] = None,
) -> Response:
    """Origins with metadata of any of the mappings and the records, in the order of their URLs."""
    page = origins.by_producer(
        site.store, page_token.replace("\x00", ""), limit, mappings or (), tool_ids or ()
    )
    rows = [row.id if ids_only else _row(row) for row in page.rows]
    return _json({"results": rows, "next": page.next})


@reading.get("/statistics", response_model=CountsShape)
def statistics(site: Site) -> Response:
    """The numbers of origins, by mapping."""
    with site.slot():
        return _json(asdict(origins.statistics(site.store, site.mappings)))


@reading.get(
    "/codemeta",
    responses={
        200: {"content": {JSON_LD: {}}},
        304: {"description": "The client has it already."},
        404: {"model": Problem, "description": "There is no metadata of this origin."},
    },
)
def codemeta(
    site: Site,
    origin: Annotated[str, Query(min_length=1, max_length=MAX_URL)],
    version: Literal["2", "3"] | None = None,
    profile: Literal["compat", "full"] = "full",
    accept: Annotated[str, Header(include_in_schema=False)] = "",
    if_none_match: Annotated[str, Header(include_in_schema=False)] = "",
) -> Response:
    """The CodeMeta document of an origin, of all that is known of it.

    The profile `compat` is the row of the existing system as it was stored, in CodeMeta 2. The
    version is 3 by default; a `profile` in the header Accept chooses it, too: the URL of a context.
    """
    (found,) = origins.origins(site.store, [origin.replace("\x00", "")]) or (None,)
    document = found and (
        merged(found) if profile == "full" else found.existing and found.existing.metadata
    )
    if not document:
        raise HTTPException(404, "there is no metadata of this origin")
    is_full = profile == "full"
    body = restated(document, version_of(version, accept)) if is_full else _encode(document)
    headers = {"ETag": (tag := tag_of(body)), "Vary": "Accept"}
    if is_known(tag, if_none_match):
        return Response(status_code=304, headers=headers)
    return Response(body, media_type=JSON_LD, headers=headers)


def _row(row: OriginMetadataRow) -> dict[str, Any]:
    return {name: value for name, value in asdict(row).items() if name != "tombstone"}


def _json(found: Any) -> Response:
    return Response(_encode(found), media_type=JSON)


_encode = msgspec.json.encode
