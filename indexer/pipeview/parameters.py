"""What the API can be asked, and what its answers look like: its OpenAPI document is made of it."""

import re
from datetime import date
from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from indexer.pipeview.models import KEYS, NULLABLE
from indexer.pipeview.store import Selection

MOST_ROWS = 1_000_000

Column: TypeAlias = Literal["date", "feed_id", "source_id", "domain", "app", "status"]
Number: TypeAlias = Annotated[int, Field(ge=-(2**63), le=2**63 - 1)]
Id: TypeAlias = Number | Literal[""] | None
Text: TypeAlias = Annotated[str, Field(max_length=300, pattern=r"^[^\x00]*$")]


def _day(value: Any) -> Any:
    """Only YYYY-MM-DD: pydantic would read a number as seconds since 1970."""
    if isinstance(value, str) and not re.fullmatch(r"\d{4}-\d\d-\d\d", value, re.ASCII):
        raise ValueError("a day is YYYY-MM-DD")
    return value


Day: TypeAlias = Annotated[date, BeforeValidator(_day)]


class Where(BaseModel):
    """Which stories: those for which all is so that is given."""

    # A misspelt name would give the sum of everything.
    model_config = ConfigDict(extra="forbid")

    source_id: Id = Field(None, description="Of this source; empty: of none.", examples=[1])
    feed_id: Id = Field(None, description="Of this feed; empty: of none.", examples=[7])
    domain: Text | None = Field(
        None,
        description="Of this canonical domain; empty: of none, as before the parser.",
        examples=["example.com"],
    )
    start_date: Day | None = Field(
        None,
        description="From this day on (UTC). By default that of PIPEVIEW_DAYS ago; "
        "2000-01-01 for all.",
        examples=["2000-01-01"],
    )
    end_date: Day | None = Field(
        None, description="Up to this day (UTC), included.", examples=["2026-01-31"]
    )

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.start_date and self.end_date and self.start_date > self.end_date:
            raise ValueError("start_date is after end_date")
        return self

    def selection(self, first: date) -> Selection:
        """The same for the store; from `first` on, if no day is given."""
        given = {name: getattr(self, name, None) for name in KEYS if name != "date"}
        values = {name: _value(name, value) for name, value in given.items() if value is not None}
        return Selection(values, self.start_date or first, self.end_date)


def _value(name: str, value: str | int) -> str | int | None:
    return None if value == "" and name in NULLABLE else value


class SumParameters(Where):
    """What `GET /sum/` can be asked."""

    app: Text | None = Field(None, description="Of this step.", examples=["fetcher"])
    status: Text | None = Field(
        None,
        description="With this status; what was tried again has `retry-STATUS` or "
        "`requeue-STATUS`.",
        examples=["success"],
    )
    col: list[Column] = Field(
        [],
        description="A row for each value of this column; may be repeated. Without: one row.",
        examples=[["app", "status"]],
    )
    limit: int | None = Field(
        None,
        ge=1,
        le=MOST_ROWS,
        description="At most so many rows: a page. The last page has fewer. By default all.",
    )
    offset: int = Field(0, ge=0, le=2**62, description="Without the first so many rows.")
    format: Literal["json", "ndjson"] | None = Field(
        None,
        description="An array, or a row a line; by default the array, unless the header Accept "
        "asks for application/x-ndjson.",
    )

    @property
    def columns(self) -> list[str]:
        """The chosen columns, each once."""
        return [*dict.fromkeys(self.col)]


class Sum(BaseModel):
    """How many stories there are with some values. Of the columns only the chosen ones."""

    date: str | None = None
    feed_id: int | None = None
    source_id: int | None = None
    domain: str | None = None
    app: str | None = None
    status: str | None = None
    stories: int = Field(description="How many stories.")
    rows: int = Field(description="How many rows of the table they are counted in.")
    sum_1: int = Field(description="The same as `stories`, by its older name.")
    count_1: int = Field(description="The same as `rows`, by its older name.")
