"""The methods of the API about stories: for pullers, one by one; for people, counted."""

from datetime import datetime, timedelta
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Query, Response

from indexer.feeds.api import queries
from indexer.feeds.api.credentials import may_read
from indexer.feeds.api.envelope import Asked, Reply
from indexer.feeds.api.parameters import GREATEST, Cursor, Id, Limit, after, count, day
from indexer.feeds.api.shapes import (
    DayOfAll,
    DayOfSource,
    ResultEnvelope,
    Sources,
    StoryShape,
    answers,
)
from indexer.feeds.models import stories
from indexer.feeds.registry.listing import Reader

MONTH = 30
"""Days that are shown where nothing is said."""

MOST_DAYS = 36_500

reading = APIRouter(dependencies=[Depends(may_read)], responses=answers(401))


@reading.get("/rss_entries/{story_id}", response_model=ResultEnvelope[list[StoryShape]])
def rss_entries(
    asked: Asked,
    story_id: Annotated[int, Path(gt=-GREATEST, le=GREATEST)],
    limit: Annotated[int, Query(alias="_limit", ge=1)] = 1,
) -> Response:
    """Stories from an id on, in the order of their ids. Who asks for the last id + 1, again and
    again, gets each story once and misses none.
    """
    listing = queries.rss_entries()
    return asked.rows(Reader(asked.site.database, listing, limit, (story_id - 1,)))


@reading.get(
    "/sources/{sources_id}/stories/fetched-by-day", response_model=ResultEnvelope[list[DayOfSource]]
)
def source_fetched_by_day(
    asked: Asked, sources_id: Id, limit: Limit = None, cursor: Cursor = None
) -> Response:
    """How many stories of a source were found on each day."""
    return _of_source(asked, sources_id, stories.c.fetched_at, limit, cursor)


@reading.get(
    "/sources/{sources_id}/stories/published-by-day",
    response_model=ResultEnvelope[list[DayOfSource]],
)
def source_published_by_day(
    asked: Asked, sources_id: Id, limit: Limit = None, cursor: Cursor = None
) -> Response:
    """How many stories of a source are of each day."""
    return _of_source(asked, sources_id, stories.c.published_at, limit, cursor)


@reading.get("/stories/fetched-by-day", response_model=ResultEnvelope[list[DayOfAll]])
def fetched_by_day(asked: Asked, limit: Limit = MONTH, cursor: Cursor = None) -> Response:
    """How many stories were found on each of the last days, today first."""
    return _of_all(asked, stories.c.fetched_at, limit, cursor)


@reading.get("/stories/published-by-day", response_model=ResultEnvelope[list[DayOfAll]])
def published_by_day(asked: Asked, limit: Limit = MONTH, cursor: Cursor = None) -> Response:
    """How many stories are of each of the last days, today first."""
    return _of_all(asked, stories.c.published_at, limit, cursor)


@reading.get("/stories/by-source", response_model=ResultEnvelope[Sources])
def by_source(asked: Asked, limit: Limit = None, cursor: Cursor = None) -> Response:
    """How many stories each source had lately, and within how many days."""
    (skipped,) = after(cursor, count) or (0,)
    since = _days_ago(asked, asked.site.top_source_days)
    with asked.site.place("count"):
        days, found = queries.by_source(asked.site.database, since, limit, skipped)
    return asked.ok({"days": days, "sources": found.rows}, found.next)


@reading.get("/stories/count", response_model=ResultEnvelope[list[dict[str, Any]]])
def story_count(
    asked: Asked,
    column: Literal["domain", "feed_id", "sources_id"],
    days: Annotated[int, Query(ge=1)] = 3,
    limit: Annotated[int, Query(alias="_limit", ge=1)] = 10,
    cursor: Cursor = None,
) -> Response:
    """Of what there were most stories lately."""
    (skipped,) = after(cursor, count) or (0,)
    since = _days_ago(asked, days)
    with asked.site.place("count"):
        found = queries.counted(asked.site.database, stories.c[column], since, limit, skipped)
    return asked.page(found)


def _of_source(
    asked: Reply, sources_id: int, moment: Any, limit: int | None, cursor: str | None
) -> Response:
    (last,) = after(cursor, day) or (None,)
    with asked.site.place("count"):
        found = queries.days_of_source(asked.site.database, sources_id, moment, limit, last)
    return asked.page(found)


def _of_all(asked: Reply, moment: Any, limit: int | None, cursor: str | None) -> Response:
    (first,) = after(cursor, day) or (None,)
    last = asked.site.now().date() if first is None else first - queries.DAY
    with asked.site.place("count"):
        found = queries.last_days(asked.site.database, moment, last, limit or MONTH)
    return asked.page(found)


def _days_ago(asked: Reply, days: int) -> datetime:
    return asked.site.now() - timedelta(days=min(days, MOST_DAYS))
