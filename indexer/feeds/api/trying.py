"""The method of the API that tries a feed: it sends requests, so it needs credentials to write."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Response

from indexer.feeds.api.credentials import may_write
from indexer.feeds.api.envelope import Asked
from indexer.feeds.api.parameters import GREATEST
from indexer.feeds.api.shapes import ANSWERS, ResultEnvelope

writing = APIRouter(dependencies=[Depends(may_write)], responses=ANSWERS)

Url = Annotated[str, Query(min_length=1, max_length=2048)]


@writing.get("/try", response_model=ResultEnvelope[dict[str, Any]])
def try_feed(
    asked: Asked,
    url: Url,
    source: Annotated[
        int | None, Query(ge=-GREATEST, le=GREATEST, description="Try it as a feed of this source.")
    ] = None,
) -> Response:
    """Fetch a feed, and preview the decision on each item. Nothing is stored."""
    with asked.site.slot("try"):
        return asked.ok(asked.site.tried(url, source))
