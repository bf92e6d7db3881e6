"""What people and messages may do to jobs, whichever process runs them: find, stop, cancel, retry.

A running job learns of a wish within a second, from its process, which looks twice a second.
"""

from collections.abc import Collection, Generator
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, case, func, or_, select, update

from indexer.database import Database
from indexer.database.leases import is_free
from indexer.jobs.job import RECORD, JobRecord, StoredJob, is_job_id
from indexer.jobs.job_state import JobState
from indexer.jobs.models import jobs, outputs
from indexer.messages.job_worker import Want

PORTION = 1000
"""Rows that are in memory at once."""

OPEN_STATES = frozenset(
    {JobState.WAITING, JobState.RUNNING, JobState.STOPPING, JobState.CANCELLING}
)
"""The states of a job that has not ended."""

REOPENED = {
    "wanted": None,
    "retries": 0,
    "deaths": 0,
    "kind": None,
    "status": "",
    "why": "",
    "ended_at": None,
    "closed_at": None,
}
"""Columns of a job that has ended, and is to be run again."""


def find(
    database: Database, now: datetime, *, step: str = "", states: Collection[JobState] = ()
) -> Generator[JobRecord, None, None]:
    """Yield jobs, the newest first: of a step, in some states; by default all.

    Callers that don't read all of them must close the generator. Raises StorageError.
    """
    statement = select(*RECORD).order_by(jobs.c.created_at.desc(), jobs.c.id)
    if step:
        statement = statement.where(jobs.c.step == step)
    if states and not OPEN_STATES.isdisjoint(states):
        statement = statement.where(or_(jobs.c.kind.is_(None), jobs.c.kind.in_(states)))
    elif states:
        statement = statement.where(jobs.c.kind.in_(states))
    with database.reading() as connection:
        options = {"stream_results": True, "yield_per": PORTION}
        for row in connection.execute(statement, execution_options=options).mappings():
            record = JobRecord.of(row)
            if not states or record.state(now) in states:
                yield record


def load(database: Database, id: str, *, step: str = "") -> list[StoredJob]:
    """The jobs of an id with their messages and progress: one for each step that has it."""
    if not is_job_id(id):
        return []
    with database.reading() as connection:
        rows = connection.execute(select(jobs).where(_is(id, step)).order_by(jobs.c.step))
        return [StoredJob.of(row) for row in rows.mappings()]


def unserved(database: Database, job: JobRecord) -> int:
    """The number of a job's outputs that no queue took."""
    number = select(func.count()).where(
        outputs.c.step == job.step, outputs.c.job_id == job.id, outputs.c.unserved
    )
    with database.reading() as connection:
        return connection.scalar(number) or 0


def want(database: Database, what: Want, id: str, now: datetime, *, step: str = "") -> int:
    """Ask for a job to stop or to be cancelled; return how many jobs of that id are not ended.

    A job that waits for its next try is due at once: it then ends. Raises StorageError.
    """
    if not is_job_id(id):
        return 0
    values: dict[str, Any] = {"wanted": what}
    if what is Want.STOP:
        values["wanted"] = case((jobs.c.wanted == Want.CANCEL, Want.CANCEL), else_=what)
    values["next_at"] = case((jobs.c.next_at > now, now), else_=jobs.c.next_at)
    with database.writing() as connection:
        changed = connection.execute(
            update(jobs).where(_is(id, step), jobs.c.ended_at.is_(None)).values(values)
        )
        return changed.rowcount


def retry(
    database: Database, id: str, now: datetime, *, step: str = "", afresh: bool = False
) -> int:
    """Have a job run again at once, if it has ended or waits; return how many were changed.

    It goes on from its last checkpoint; with `afresh` it forgets its progress. Raises StorageError.
    """
    values = {**REOPENED, "next_at": now, **({"progress": None} if afresh else {})}
    # A job that has ended, but not closed, still has outputs to send.
    is_idle = and_(
        is_free(jobs, now), or_(jobs.c.ended_at.is_(None), jobs.c.closed_at.is_not(None))
    )
    with database.writing() as connection:
        return connection.execute(
            update(jobs).where(_is(id, step), is_idle).values(values)
        ).rowcount


def _is(id: str, step: str) -> ColumnElement[bool]:
    return and_(jobs.c.id == id, jobs.c.step == step) if step else jobs.c.id == id
