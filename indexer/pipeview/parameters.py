"""The parameters and answers of the API, of which its OpenAPI document is generated."""

import re
from datetime import date
from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from indexer.pipeview.store import KEYS, NULLABLE, Selection

MOST_ROWS = 1_000_000

Column: TypeAlias = Literal["date", "feed_id", "source_id", "domain", "app", "status"]
Number: TypeAlias = Annotated[int, Field(ge=-(2**63), le=2**63 - 1)]
Id: TypeAlias = Number | Literal[""] | None
Text: TypeAlias = Annotated[str, Field(max_length=300, pattern=r"^[^\x00]*$")]


def _day(value: Any) -> Any:
    """Accept only YYYY-MM-DD."""
    # Pydantic would also read a number as seconds since 1970.
    if isinstance(value, str) and not re.fullmatch(r"\d{4}-\d\d-\d\d", value, re.ASCII):
        raise ValueError("a day must be YYYY-MM-DD")
    return value


Day: TypeAlias = Annotated[date, BeforeValidator(_day)]


class Where(BaseModel):
    """The selection of stories: they match all given parameters."""

    # Without this, a misspelt parameter would be ignored, and the sum be that of all stories.
    model_config = ConfigDict(extra="forbid")

    source_id: Id = Field(None, description="The source; empty: no source.", examples=[1])
    feed_id: Id = Field(None, description="The feed; empty: no feed.", examples=[7])
    domain: Text | None = Field(
        None,
        description="The canonical domain; empty: no domain, as before the parser.",
        examples=["example.com"],
    )
    start_date: Day | None = Field(
        None,
        description="The first day (UTC); by default PIPEVIEW_DAYS ago. 2000-01-01 selects all.",
        examples=["2000-01-01"],
    )
    end_date: Day | None = Field(
        None, description="The last day (UTC), inclusive.", examples=["2026-01-31"]
    )

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.start_date and self.end_date and self.start_date > self.end_date:
            raise ValueError("start_date is after end_date")
        return self

    def selection(self, first: date) -> Selection:
        """Return the same selection for the store; `first` is the default of `start_date`."""
        given = {name: getattr(self, name, None) for name in KEYS if name != "date"}
        values = {name: _value(name, value) for name, value in given.items() if value is not None}
        return Selection(values, self.start_date or first, self.end_date)


def _value(name: str, value: str | int) -> str | int | None:
    return None if value == "" and name in NULLABLE else value


class SumParameters(Where):
    """The parameters of `GET /sum/`."""

    app: Text | None = Field(None, description="The step.", examples=["fetcher"])
    status: Text | None = Field(
        None,
        description="The status; a message that is tried again has `retry-STATUS` or "
        "`requeue-STATUS`.",
        examples=["success"],
    )
    col: list[Column] = Field(
        [],
        description="Group by this column; may be repeated. By default there is one row.",
        examples=[["app", "status"]],
    )
    limit: int | None = Field(
        None,
        ge=1,
        le=MOST_ROWS,
        description="The maximal number of rows (a page); the last page has fewer. By default all.",
    )
    offset: int = Field(0, ge=0, le=2**62, description="The number of rows to skip.")
    format: Literal["json", "ndjson"] | None = Field(
        None,
        description="`json`: an array; `ndjson`: one row a line. By default the array, unless the "
        "header Accept contains application/x-ndjson.",
    )

    @property
    def columns(self) -> list[str]:
        """The chosen columns, each once."""
        return [*dict.fromkeys(self.col)]


class Sum(BaseModel):
    """A number of stories. Only the chosen columns have values."""

    date: str | None = None
    feed_id: int | None = None
    source_id: int | None = None
    domain: str | None = None
    app: str | None = None
    status: str | None = None
    stories: int = Field(description="The number of stories.")
    rows: int = Field(description="The number of rows of the table that count them.")
    sum_1: int = Field(description="The older name of `stories`.")
    count_1: int = Field(description="The older name of `rows`.")
