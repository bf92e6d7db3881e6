"""Deletes closed jobs and sent outputs after a time, in portions that others hardly notice."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Table, delete, exists, select, tuple_
from sqlalchemy.sql.elements import ColumnElement

from indexer.database import Database
from indexer.jobs.models import jobs, outputs

PORTION = 500
"""Rows that are deleted in one transaction."""


class PrunedJobs(NamedTuple):
    """The numbers of deleted rows."""

    jobs: int
    outputs: int


def prune(database: Database, before: datetime) -> PrunedJobs:
    """Delete the jobs that were closed before a time, and the outputs that were sent before it.

    An open job keeps its row, however old it is. The unsent outputs of a quarantined job are
    deleted with it. Raises StorageError: earlier portions stay
    deleted.
    """
    # Outputs first: those of a closed job were sent before it was closed.
    sent = _delete(database, outputs, outputs.c.sent_at < before)
    closed = _delete(database, jobs, jobs.c.closed_at < before)
    its_job = exists().where(jobs.c.step == outputs.c.step, jobs.c.id == outputs.c.job_id)
    return PrunedJobs(closed, sent + _delete(database, outputs, ~its_job))


def _delete(database: Database, table: Table, condition: ColumnElement[bool]) -> int:
    """Delete the rows that meet a condition; return their number."""
    keys = [*table.primary_key]
    chosen = select(*keys).where(condition).limit(PORTION)
    total = 0
    while True:
        with database.writing() as connection:
            number = connection.execute(
                delete(table).where(tuple_(*keys).in_(chosen), condition)
            ).rowcount
        total += number
        if number < PORTION:
            return total
