"""The methods of the API about feeds and their sources (feeds.md 9), and the trial of a feed."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Response

from indexer.feeds.api import queries
from indexer.feeds.api.credentials import may_read, may_write
from indexer.feeds.api.envelope import Asked, Reply
from indexer.feeds.api.parameters import GREATEST, Cursor, Id, Limit, after, moment, number
from indexer.feeds.api.shapes import ANSWERS, EventShape, FeedRow, ResultEnvelope, StoryRow
from indexer.feeds.models import stories
from indexer.feeds.registry.changing import fetch_feed_soon, fetch_source_soon
from indexer.feeds.registry.listing import Listing, Reader

HISTORY = 200
"""Default of `_limit` for events: more than are kept of most feeds."""

NEWEST = 50
"""Default of `_limit` for stories."""

reading = APIRouter(dependencies=[Depends(may_read)], responses=ANSWERS)
writing = APIRouter(dependencies=[Depends(may_write)], responses=ANSWERS)


@reading.get("/feeds/{feed_id}", response_model=ResultEnvelope[FeedRow | None])
def feed(asked: Asked, feed_id: Id) -> Response:
    """All columns of a feed; null if there is no such feed (with `_status=1`: 404)."""
    found = queries.feed(asked.site.database, feed_id)
    if found is None and asked.strict:
        return asked.error(404, f"there is no feed {feed_id}")
    return asked.ok(found)


@reading.get("/feeds/{feed_id}/history", response_model=ResultEnvelope[list[EventShape]])
def feed_history(
    asked: Asked, feed_id: Id, limit: Limit = HISTORY, cursor: Cursor = None
) -> Response:
    """The events of a feed, newest first."""
    return _listed(asked, queries.history(feed_id), limit, cursor, number)


@reading.get("/feeds/{feed_id}/stories", response_model=ResultEnvelope[list[StoryRow]])
def feed_stories(
    asked: Asked, feed_id: Id, limit: Limit = NEWEST, cursor: Cursor = None
) -> Response:
    """The stories of a feed, the latest found first."""
    found = queries.stories_of(stories.c.feed_id == feed_id)
    return _listed(asked, found, limit, cursor, moment, number)


@reading.get("/sources/{sources_id}/stories", response_model=ResultEnvelope[list[StoryRow]])
def source_stories(
    asked: Asked, sources_id: Id, limit: Limit = NEWEST, cursor: Cursor = None
) -> Response:
    """The stories of a source's feeds, the latest found first."""
    found = queries.stories_of(stories.c.sources_id == sources_id)
    return _listed(asked, found, limit, cursor, moment, number)


@reading.get("/sources/{sources_id}/feeds", response_model=ResultEnvelope[list[FeedRow]])
def source_feeds(
    asked: Asked, sources_id: Id, limit: Limit = None, cursor: Cursor = None
) -> Response:
    """The feeds of a source; all, unless a limit is given."""
    return _listed(asked, queries.feeds_of(sources_id), limit, cursor, number)


@writing.post("/feeds/{feed_id}/fetch-soon", response_model=ResultEnvelope[int])
def feed_fetch_soon(asked: Asked, feed_id: Id) -> Response:
    """Have a feed fetched as soon as possible: 1, or 0 if it is already queued, or unknown."""
    return asked.ok(fetch_feed_soon(asked.site.database, feed_id, asked.site.now()))


@writing.post("/sources/{sources_id}/fetch-soon", response_model=ResultEnvelope[int])
def source_fetch_soon(asked: Asked, sources_id: Id) -> Response:
    """Have the feeds of a source fetched within three hours; the number of feeds."""
    return asked.ok(fetch_source_soon(asked.site.database, sources_id, asked.site.now()))


@writing.get("/try", response_model=ResultEnvelope[dict[str, Any]])
def try_feed(
    asked: Asked,
    url: Annotated[str, Query(min_length=1, max_length=2048)],
    source: Annotated[
        int | None, Query(ge=-GREATEST, le=GREATEST, description="Try it as a feed of this source.")
    ] = None,
) -> Response:
    """Fetch a feed, and preview the decision on each item. Nothing is stored."""
    with asked.site.slot("try"):
        return asked.ok(asked.site.tried(url, source))


def _listed(
    asked: Reply, listing: Listing, limit: int | None, cursor: str | None, *kinds: Any
) -> Response:
    return asked.rows(Reader(asked.site.database, listing, limit, after(cursor, *kinds)))
