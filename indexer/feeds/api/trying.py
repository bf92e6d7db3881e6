"""The method of the API that tries a feed: it makes us fetch, so who may write may ask."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Response

from indexer.feeds.api.credentials import may_write
from indexer.feeds.api.envelope import Asked
from indexer.feeds.api.parameters import GREATEST
from indexer.feeds.api.shapes import ResultEnvelope, answers

writing = APIRouter(dependencies=[Depends(may_write)], responses=answers(401))

Url = Annotated[str, Query(min_length=1, max_length=2048)]


@writing.get("/try", response_model=ResultEnvelope[dict[str, Any]])
def try_feed(
    asked: Asked,
    url: Url,
    source: Annotated[
        int | None, Query(ge=-GREATEST, le=GREATEST, description="As a feed of this source.")
    ] = None,
) -> Response:
    """Fetch a feed, and tell what would become of each item. Nothing is stored."""
    with asked.site.place("try"):
        return asked.ok(asked.site.tried(url, source))
