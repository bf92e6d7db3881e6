"""The claim on a job: what the process that holds its lease may do to it, and no other process.

    checkpoint(progress, sends) → unsent() → sent(…) → … → end(…) → unsent() → sent(…) → close()

Each statement has the condition that the row still has this lease. A process that was cut off, and
whose job another one has taken over, can change nothing more.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, RowMapping, bindparam, case, select, update

from indexer.database import Database
from indexer.database.leases import RELEASED
from indexer.errors import JobLost
from indexer.jobs.job import Output, StoredJob, headers_of, text_of
from indexer.jobs.models import jobs, outputs
from indexer.messages.exchanges import Unheard
from indexer.messages.message import Send
from indexer.messages.outcome import OutcomeKind
from indexer.text.cleaning import one_line

ID_HEADER = "x-mc-id"
"""The header with the id of an output, STEP/JOB/CREATED/NUMBER: a repeat after a crash has the
same. CREATED is the time of the job: another job may have its id when it was deleted."""

PORTION = 100
"""The most outputs that are read at once."""

HEALTHY = timedelta(hours=1)
"""A checkpoint so long after the start of a run clears its job's retries and deaths: a job that
makes progress for weeks may fail now and then."""


class JobClaim:
    """A leased job. Its methods raise StorageError, and JobLost if the lease is another's."""

    def __init__(
        self,
        database: Database,
        job: StoredJob,
        lease: str,
        duration: timedelta,
        clock: Callable[[], datetime],
    ) -> None:
        self.job = job
        self.lease = lease
        self._database = database
        self._duration = duration
        self._clock = clock
        self.outputs = job.record.outputs
        """How many outputs the job has so far."""
        self.retries = job.record.retries

    def checkpoint(self, progress: bytes, sends: Sequence[Send]) -> None:
        """Store the progress and the outputs, and renew the lease, in one transaction."""
        now = self._clock()
        values: dict[str, Any] = {"progress": progress, "checkpoint_at": now}
        started = self.job.record.claimed_at
        if started is not None and now - started >= HEALTHY:
            values |= {"retries": 0, "deaths": 0}
            self.retries = 0
        self._store(values, sends)

    def end(self, kind: OutcomeKind, status: str, why: str, sends: Sequence[Send]) -> None:
        """Store the ending and the last outputs in one transaction: the job isn't run again."""
        self._store({"ended_at": self._clock(), **_ending(kind, status, why)}, sends)

    def unsent(self, behind: int = 0) -> list[Output]:
        """The first outputs behind a number, at most PORTION, that the broker has not confirmed."""
        waiting = (
            select(outputs)
            .where(*self._own_outputs(), outputs.c.sent_at.is_(None), outputs.c.number > behind)
            .order_by(outputs.c.number)
            .limit(PORTION)
        )
        with self._database.reading() as connection:
            rows = connection.execute(waiting).mappings().all()
        return [Output(row["number"], _send(row)) for row in rows]

    def sent(self, numbers: Collection[int], unserved: Collection[int] = ()) -> None:
        """Record that the broker has confirmed outputs; no queue took the `unserved` ones."""
        confirmed = (
            update(outputs)
            .where(*self._own_outputs(), outputs.c.number == bindparam("its_number"))
            .values(sent_at=self._clock(), unserved=bindparam("is_unserved"))
        )
        rows = [{"its_number": each, "is_unserved": each in unserved} for each in numbers]
        with self._database.writing() as connection:
            self._update(connection, {})
            connection.execute(confirmed, rows)

    def wait(self, time: timedelta, status: str, why: str, *, retries: int) -> None:
        """Release the job, to be run again after a time: at once if it is to stop or be cancelled.

        `retries` are its failed tries.
        """
        now = self._clock()
        # The wish may have come while the job failed.
        next_at = case((jobs.c.wanted.is_not(None), now), else_=now + time)
        values = {"next_at": next_at, "status": one_line(status), "why": why}
        self._store({**values, "retries": retries, **RELEASED}, ())

    def release(self) -> None:
        """Release the job, to be run again at once by any process."""
        self._store(RELEASED, ())

    def close(self) -> None:
        """Release the job, which has ended, and whose outputs are all sent."""
        self._store({"closed_at": self._clock(), **RELEASED}, ())

    def _store(self, values: Mapping[str, Any], sends: Sequence[Send]) -> None:
        last = self.outputs + len(sends)
        rows = [self._row(number, send) for number, send in enumerate(sends, self.outputs + 1)]
        with self._database.writing() as connection:
            self._update(connection, {"outputs": last, **values})
            if rows:
                connection.execute(outputs.insert(), rows)
        self.outputs = last

    def _update(self, connection: Connection, values: Mapping[str, Any]) -> None:
        """Change the job's row, and renew the lease. Raises JobLost."""
        record = self.job.record
        changed = connection.execute(
            update(jobs)
            .where(
                jobs.c.step == record.step,
                jobs.c.id == record.id,
                jobs.c.lease_owner == self.lease,
            )
            .values({"lease_expires": self._clock() + self._duration, **values})
        )
        if not changed.rowcount:
            raise JobLost(f"job {record.id}: another process has taken it over")

    def _own_outputs(self) -> tuple[Any, Any]:
        record = self.job.record
        return outputs.c.step == record.step, outputs.c.job_id == record.id

    def _row(self, number: int, send: Send) -> dict[str, Any]:
        record = self.job.record
        id = f"{record.step}/{record.id}/{record.created_at:%Y%m%dT%H%M%S}/{number}"
        return {
            "step": record.step,
            "job_id": record.id,
            "number": number,
            "exchange": send.exchange,
            "key": send.key,
            "headers": text_of({**send.headers, ID_HEADER: id}),
            "body": send.body,
            "unheard": send.unheard,
        }


def _send(row: RowMapping) -> Send:
    headers, unheard = headers_of(row["headers"]), Unheard(row["unheard"])
    return Send(row["exchange"], row["key"], row["body"], headers, unheard=unheard)


def _ending(kind: OutcomeKind, status: str, why: str) -> dict[str, str]:
    return {"kind": kind, "status": one_line(status), "why": why}
