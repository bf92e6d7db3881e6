"""The shapes of the API's answers, for its OpenAPI document."""

from datetime import datetime
from typing import Any, Generic, Literal, TypeVar

from pydantic import BaseModel, Field, create_model

from indexer.feeds.feed import Feed
from indexer.programs.serving import Problem

T = TypeVar("T")


class ResultEnvelope(BaseModel, Generic[T]):
    """The envelope of results."""

    duration: int = Field(description="Milliseconds.")
    version: str
    status: Literal["OK"]
    results: T
    next: str | None = Field(
        None, description="If there are more rows: the `_cursor` of the next request."
    )


class ErrorEnvelope(BaseModel):
    """The envelope of an error."""

    duration: int
    version: str
    status: Literal["ERROR"]
    statusCode: int
    message: str


class VersionShape(BaseModel):
    """The revision of the program."""

    GIT_REV: str


FeedRow = create_model(
    "FeedRow",
    __doc__="A row of `feeds`: the columns that clients know, then our own.",
    **{  # type: ignore[call-overload]  # names and types are those of the struct
        name: (Any if name == "rate" else kind, None) for name, kind in Feed.__annotations__.items()
    },
)


class EventShape(BaseModel):
    """A row of `fetch_events`."""

    id: int
    feed_id: int
    event: Literal["queued", "fetch_succeeded", "fetch_failed", "fetch_disabled"]
    note: str | None
    created_at: datetime
    details: dict[str, Any] | None


class StoryRow(BaseModel):
    """A story in a list of a feed or source."""

    url: str | None
    feed_id: int | None
    published_at: datetime | None
    fetched_at: datetime
    domain: str | None
    title: str | None


class StoryShape(BaseModel):
    """A story as story pullers read it: all nine fields (feeds.md 9.1)."""

    id: int
    url: str
    published_at: datetime | None
    domain: str | None
    title: str | None
    fetched_at: datetime | None
    feed_id: int | None
    sources_id: int | None
    feed_url: str | None


class DayOfSource(BaseModel):
    """The number of a source's stories of one day; null for stories without a date."""

    day: str | None
    stories: int


class DayOfAll(BaseModel):
    """The number of all stories of one day."""

    date: str
    count: int
    type: Literal["stories"]


class SourceCount(BaseModel):
    """The number of a source's stories."""

    sources_id: int | None
    count: int


class Sources(BaseModel):
    """The number of stories of each source, within a number of days."""

    days: float
    sources: list[SourceCount]


ANSWERS: dict[int | str, dict[str, Any]] = {
    401: {"model": Problem, "description": "The credentials are missing, wrong, or may only read."},
    503: {
        "model": Problem | ErrorEnvelope,
        "description": "Too many requests at once; or, with `_status=1`, the database is away.",
    },
}
"""The answers of all methods besides results."""
