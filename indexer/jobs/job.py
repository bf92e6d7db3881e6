"""A job as it is stored: what asked for it, where it stands, and how it ended."""

import json
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Final, Self

from sqlalchemy import Column, RowMapping

from indexer.jobs.job_state import JobState
from indexer.jobs.models import jobs
from indexer.messages.job_worker import Want
from indexer.messages.message import Delivery, Headers, Send
from indexer.text.cleaning import clean

CANCELLED: Final = "cancelled"
"""The status of a job that was cancelled; its kind is `discard`."""


ID_LENGTH = 500


def is_job_id(text: str) -> bool:
    """Whether a text can be the id of a job: databases refuse NULs and lone surrogates."""
    return 0 < len(text) <= ID_LENGTH and clean(text) == text


@dataclass(frozen=True, slots=True)
class NewJob:
    """A job to store: its id, unique within its step; a line that names it; its message."""

    id: str
    label: str
    message: Delivery


@dataclass(frozen=True, slots=True)
class JobRecord:
    """The columns of a job that show where it stands; see `models`. Times are UTC."""

    step: str
    id: str
    label: str
    created_at: datetime
    next_at: datetime
    wanted: str | None
    checkpoint_at: datetime | None
    outputs: int
    retries: int
    deaths: int
    lease_owner: str | None
    lease_expires: datetime | None
    claimed_at: datetime | None
    host: str | None
    pid: int | None
    kind: str | None
    status: str
    why: str
    ended_at: datetime | None
    closed_at: datetime | None

    @classmethod
    def of(cls, row: RowMapping) -> Self:
        """The record of a row, which may have more columns."""
        return cls(**{name: row[name] for name in _NAMES})

    @property
    def has_ended(self) -> bool:
        """Whether it will not be run again; its last outputs may still be unsent."""
        return self.ended_at is not None

    def state(self, now: datetime) -> JobState:
        """Its state at a time."""
        if self.kind is not None:
            return JobState(self.kind)
        match self.wanted:
            case Want.STOP:
                return JobState.STOPPING
            case Want.CANCEL:
                return JobState.CANCELLING
        is_leased = self.lease_expires is not None and self.lease_expires > now
        return JobState.RUNNING if is_leased else JobState.WAITING


_NAMES = tuple(each.name for each in fields(JobRecord))

RECORD: Final[tuple[Column[Any], ...]] = tuple(jobs.c[name] for name in _NAMES)
"""The columns of a JobRecord: all but the message and the progress, which may be large."""


@dataclass(frozen=True, slots=True)
class StoredJob:
    """A job with its message and its progress, None before the first checkpoint."""

    record: JobRecord
    message: Delivery
    progress: bytes | None

    @classmethod
    def of(cls, row: RowMapping) -> Self:
        """The job of a whole row."""
        message = Delivery(0, row["body"], row["key"], headers_of(row["headers"]))
        return cls(JobRecord.of(row), message, row["progress"])


@dataclass(frozen=True, slots=True)
class Output:
    """An output of a job. The numbers of a job's outputs are in the order of sending."""

    number: int
    send: Send


def text_of(headers: Headers) -> str:
    """Headers as a column holds them."""
    return json.dumps(dict(headers)) if headers else ""


def headers_of(text: str) -> dict[str, str | int]:
    """The headers of a column."""
    return json.loads(text) if text else {}
