"""The methods of the API about stories: rows for pullers, and counts for people."""

from datetime import datetime, timedelta
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Query, Response

from indexer.feeds.api import queries
from indexer.feeds.api.credentials import may_read
from indexer.feeds.api.envelope import Asked, Reply
from indexer.feeds.api.parameters import GREATEST, Cursor, Id, Limit, after, count, day
from indexer.feeds.api.shapes import (
    ANSWERS,
    DayOfAll,
    DayOfSource,
    ResultEnvelope,
    Sources,
    StoryShape,
)
from indexer.feeds.models import stories
from indexer.feeds.registry.listing import Reader

MONTH = 30
"""Default of `_limit` for days."""

MOST_DAYS = 36_500
"""The greatest number of days that is subtracted: a century, well within the calendar."""

reading = APIRouter(dependencies=[Depends(may_read)], responses=ANSWERS)


@reading.get("/rss_entries/{story_id}", response_model=ResultEnvelope[list[StoryShape]])
def rss_entries(
    asked: Asked,
    # `story_id - 1` has to be in the range of ids, too.
    story_id: Annotated[int, Path(gt=-GREATEST, le=GREATEST)],
    limit: Annotated[int, Query(alias="_limit", ge=1)] = 1,
) -> Response:
    """Stories from an id on, in the order of their ids. A client that always asks for its last
    id + 1 gets each story once and misses none.
    """
    listing = queries.rss_entries()
    return asked.rows(Reader(asked.site.database, listing, limit, (story_id - 1,)))


@reading.get(
    "/sources/{sources_id}/stories/fetched-by-day", response_model=ResultEnvelope[list[DayOfSource]]
)
def source_fetched_by_day(
    asked: Asked, sources_id: Id, limit: Limit = None, cursor: Cursor = None
) -> Response:
    """The number of a source's stories by the day on which they were found."""
    return _of_source(asked, sources_id, stories.c.fetched_at, limit, cursor)


@reading.get(
    "/sources/{sources_id}/stories/published-by-day",
    response_model=ResultEnvelope[list[DayOfSource]],
)
def source_published_by_day(
    asked: Asked, sources_id: Id, limit: Limit = None, cursor: Cursor = None
) -> Response:
    """The number of a source's stories by the day on which they were published."""
    return _of_source(asked, sources_id, stories.c.published_at, limit, cursor)


@reading.get("/stories/fetched-by-day", response_model=ResultEnvelope[list[DayOfAll]])
def fetched_by_day(asked: Asked, limit: Limit = MONTH, cursor: Cursor = None) -> Response:
    """The number of stories found on each of the last days, today first."""
    return _of_all(asked, stories.c.fetched_at, limit, cursor)


@reading.get("/stories/published-by-day", response_model=ResultEnvelope[list[DayOfAll]])
def published_by_day(asked: Asked, limit: Limit = MONTH, cursor: Cursor = None) -> Response:
    """The number of stories published on each of the last days, today first."""
    return _of_all(asked, stories.c.published_at, limit, cursor)


@reading.get("/stories/by-source", response_model=ResultEnvelope[Sources])
def by_source(asked: Asked, limit: Limit = None, cursor: Cursor = None) -> Response:
    """The number of recent stories of each source, and of the days that they span."""
    (skipped,) = after(cursor, count) or (0,)
    since = _days_ago(asked, asked.site.top_source_days)
    with asked.site.slot("count"):
        days, found = queries.by_source(asked.site.database, since, limit, skipped)
    return asked.ok({"days": days, "sources": found.rows}, found.next)


@reading.get("/stories/count", response_model=ResultEnvelope[list[dict[str, Any]]])
def story_count(
    asked: Asked,
    column: Literal["domain", "feed_id", "sources_id"] = "domain",
    days: Annotated[int, Query(ge=1)] = 3,
    limit: Annotated[int, Query(alias="_limit", ge=1)] = 10,
    cursor: Cursor = None,
) -> Response:
    """The number of recent stories by domain, feed or source, the greatest first."""
    (skipped,) = after(cursor, count) or (0,)
    since = _days_ago(asked, days)
    with asked.site.slot("count"):
        found = queries.counted(asked.site.database, stories.c[column], since, limit, skipped)
    return asked.page(found)


def _of_source(
    asked: Reply, sources_id: int, moment: Any, limit: int | None, cursor: str | None
) -> Response:
    (last,) = after(cursor, day) or (None,)
    with asked.site.slot("count"):
        found = queries.days_of_source(asked.site.database, sources_id, moment, limit, last)
    return asked.page(found)


def _of_all(asked: Reply, moment: Any, limit: int | None, cursor: str | None) -> Response:
    (first,) = after(cursor, day) or (None,)
    last = asked.site.now().date() if first is None else first - queries.DAY
    with asked.site.slot("count"):
        found = queries.last_days(asked.site.database, moment, last, limit or MONTH)
    return asked.page(found)


def _days_ago(asked: Reply, days: int) -> datetime:
    return asked.site.now() - timedelta(days=min(days, MOST_DAYS))
