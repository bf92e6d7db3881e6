"""What the answers of the API look like: its OpenAPI document is made of it."""

from datetime import datetime
from typing import Any, Generic, Literal, TypeVar

from pydantic import BaseModel, Field, create_model

from indexer.feeds.feed import Feed
from indexer.programs.api_answers import Problem

T = TypeVar("T")


class ResultEnvelope(BaseModel, Generic[T]):
    """The envelope of results."""

    duration: int = Field(description="Milliseconds.")
    version: str
    status: Literal["OK"]
    results: T
    next: str | None = Field(
        None, description="Where there is more: what to give as `_cursor` to have it."
    )


class ErrorEnvelope(BaseModel):
    """The envelope of an error."""

    duration: int
    version: str
    status: Literal["ERROR"]
    statusCode: int
    message: str


class VersionShape(BaseModel):
    """Which program answers."""

    GIT_REV: str


FeedRow = create_model(
    "FeedRow",
    __doc__="A row of `feeds`: the columns that clients know, then those of our own.",
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
    """A story as a list shows it."""

    url: str | None
    feed_id: int | None
    published_at: datetime | None
    fetched_at: datetime
    domain: str | None
    title: str | None


class StoryShape(BaseModel):
    """A story as pullers know it."""

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
    """How many stories of a day a source has; of no day: null."""

    day: str | None
    stories: int


class DayOfAll(BaseModel):
    """How many stories there are of a day."""

    date: str
    count: int
    type: Literal["stories"]


class SourceCount(BaseModel):
    """How many stories a source has."""

    sources_id: int | None
    count: int


class Sources(BaseModel):
    """How many stories each source had within so many days."""

    days: float
    sources: list[SourceCount]


_ANSWERS: dict[int, dict[str, Any]] = {
    401: {"model": Problem, "description": "The credentials are missing, wrong, or may only read."},
    503: {
        "model": Problem | ErrorEnvelope,
        "description": "Too many ask at once; or, with `_status=1`, the database does not answer.",
    },
}


def answers(*codes: int) -> dict[int | str, dict[str, Any]]:
    """What methods answer besides results: these, and what all do."""
    return {code: _ANSWERS[code] for code in (*codes, 503)}
