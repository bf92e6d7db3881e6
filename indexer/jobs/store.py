"""The jobs of one step: add, claim, look after, renew. All processes of the step share them."""

import os
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, NamedTuple, Self

from sqlalchemy import ColumnElement, Connection, and_, case, func, or_, select, update

from indexer.database import Database, open_migrated, utc_now
from indexer.database.leases import is_free, is_leased, new_lease
from indexer.jobs.claim import JobClaim
from indexer.jobs.job import RECORD, JobRecord, NewJob, StoredJob, text_of
from indexer.jobs.models import jobs
from indexer.messages.job_worker import Want
from indexer.messages.message import first_key
from indexer.system.this_process import is_dead, machine
from indexer.text.cleaning import one_line

MIGRATIONS: Final = "indexer.jobs.migrations"
VERSIONS: Final = "jobs_version"

LABEL_LENGTH = 300


def open_jobs(url: str, *, make: bool = True) -> Database:
    """Open the database of a URL, as `open_migrated` does."""
    return open_migrated(url, MIGRATIONS, VERSIONS, make=make)


class JobCounts(NamedTuple):
    """Numbers of jobs that are open: not ended, or with outputs that are not sent.

    `active` ones are due or leased; the others wait for a later try. `ready` ones may be claimed;
    of these, some are to be `cancelled`.
    """

    open: int
    active: int
    ready: int
    cancelled: int = 0

    def with_another(self) -> Self:
        """The numbers when one more job is ready."""
        return self._replace(open=self.open + 1, active=self.active + 1, ready=self.ready + 1)

    def by_state(self) -> dict[str, int]:
        """The numbers of jobs that are leased, ready, and waiting for a later try."""
        later = self.open - self.active
        return {"leased": self.active - self.ready, "ready": self.ready, "later": later}


class Look(NamedTuple):
    """What a look at the jobs has found: counts, and what is `wanted` of this process's claims.

    `wanted` has the leases that this process still holds; others of its leases are lost.
    """

    counts: JobCounts
    wanted: dict[str, str | None]


@dataclass
class JobStore:
    """The jobs of a step. Thread-safe. Its methods raise StorageError.

    A lease lasts `lease` from its last renewal.
    """

    database: Database
    step: str
    lease: timedelta
    clock: Callable[[], datetime] = utc_now

    def add(self, new: NewJob) -> StoredJob | None:
        """Store a job and return None; if its id is known, change nothing and return that job."""
        now = self.clock()
        row = {
            "step": self.step,
            "id": new.id,
            "key": first_key(new.message),
            "headers": text_of(new.message.headers),
            "body": new.message.body,
            "label": one_line(new.label, LABEL_LENGTH),
            "created_at": now,
            "next_at": now,
        }
        insert = self.database.insert(jobs).values(row).on_conflict_do_nothing()
        with self.database.writing() as connection:
            if connection.execute(insert.returning(jobs.c.id)).first():
                return None
            known = select(jobs).where(jobs.c.step == self.step, jobs.c.id == new.id)
            return StoredJob.of(connection.execute(known).mappings().one())

    def claim(self, *, cancelled: bool = False) -> JobClaim | None:
        """Lease a job that is due, the one that waits longest; None if there is none.

        `cancelled`: only one that is to be cancelled.
        """
        now = self.clock()
        chosen = (
            select(jobs.c.id)
            .where(self._is_open(), _is_ready(now), *[_IS_CANCELLED] * cancelled)
            .order_by(jobs.c.next_at)
            .limit(1)
            # Other processes claim at the same moment: each takes another row.
            .with_for_update(skip_locked=True)
        )
        lease = new_lease(f"{machine()}-{os.getpid()}")
        # A lease that was not given back: the process that ran the job has died, or hangs.
        died = case((jobs.c.lease_owner.is_not(None), 1), else_=0)
        values = {
            "lease_owner": lease,
            "lease_expires": now + self.lease,
            "deaths": jobs.c.deaths + died,
            "claimed_at": now,
            "host": machine(),
            "pid": os.getpid(),
        }
        statement = (
            update(jobs)
            .where(jobs.c.step == self.step, jobs.c.id == chosen.scalar_subquery())
            .values(values)
            .returning(jobs)
        )
        with self.database.writing() as connection:
            row = connection.execute(statement).mappings().one_or_none()
        if row is None:
            return None
        return JobClaim(self.database, StoredJob.of(row), lease, self.lease, self.clock)

    def renew(self, leases: Collection[str]) -> None:
        """Renew leases. Those that another process has taken over stay as they are."""
        if not leases:
            return
        with self.database.writing() as connection:
            connection.execute(
                update(jobs)
                .where(jobs.c.step == self.step, self.database.among(jobs.c.lease_owner, [*leases]))
                .values(lease_expires=self.clock() + self.lease)
            )

    def look(self) -> Look:
        """The numbers of open jobs, and what is wanted of this process's claims.

        Ends the leases of processes of this machine that have died.
        """
        now = self.clock()
        here = select(*RECORD).where(
            self._is_open(), jobs.c.lease_owner.is_not(None), jobs.c.host == machine()
        )
        with self.database.reading() as connection:
            counts = self._count(connection, now)
            leased = [JobRecord.of(row) for row in connection.execute(here).mappings()]
        own = {each.lease_owner or "": each.wanted for each in leased if each.pid == os.getpid()}
        dead = [
            each.lease_owner
            for each in leased
            if each.lease_expires is not None
            and each.lease_expires > now
            and is_dead(each.host or "", each.pid or 0)
        ]
        if dead:
            with self.database.writing() as connection:
                connection.execute(
                    update(jobs)
                    .where(jobs.c.step == self.step, jobs.c.lease_owner.in_(dead))
                    .values(lease_expires=now)
                )
        return Look(counts, own)

    def _count(self, connection: Connection, now: datetime) -> JobCounts:
        active = or_(jobs.c.next_at <= now, is_leased(jobs, now))
        numbers = select(
            func.count(),
            func.count().filter(active),
            func.count().filter(_is_ready(now)),
            func.count().filter(_is_ready(now), _IS_CANCELLED),
        ).where(self._is_open())
        return JobCounts(*connection.execute(numbers).one())

    def _is_open(self) -> ColumnElement[bool]:
        return and_(jobs.c.step == self.step, jobs.c.closed_at.is_(None))


_IS_CANCELLED = jobs.c.wanted == Want.CANCEL


def _is_ready(now: datetime) -> ColumnElement[bool]:
    """The condition that an open job may be claimed."""
    return and_(jobs.c.next_at <= now, is_free(jobs, now))
