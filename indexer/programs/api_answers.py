"""Answers that every HTTP API of this project gives in the same form."""

from typing import Literal

from pydantic import BaseModel


class Problem(BaseModel):
    """The body of an error; `detail` says why the request was not answered."""

    detail: str


class Health(BaseModel):
    """The body of `/healthz`: the program answers."""

    status: Literal["ok"] = "ok"
