"""The jobs of a database, for commands: listed, shown, and changed by a note."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import islice
from typing import Any

from rich.table import Table

from indexer.commands.console.terminal import cell, line_of_json, print_table
from indexer.database import Database, utc_now
from indexer.errors import InputError
from indexer.jobs import control
from indexer.jobs.job import JobRecord, StoredJob
from indexer.jobs.job_state import JobState
from indexer.jobs.store import open_jobs
from indexer.messages.job_worker import Want

HEADINGS = ("step", "id", "state", "since (UTC)", "outputs", "tries", "status", "job")

PROGRESS_LENGTH = 2000
"""Characters of a job's progress that are shown."""


@contextmanager
def opened(url: str, *, as_json: bool) -> Iterator["JobRecords"]:
    """Open a database; a missing one is an error, not an empty list."""
    with closing(open_jobs(url, make=False)) as database:
        yield JobRecords(database, as_json)


@dataclass(frozen=True, slots=True)
class JobRecords:
    """The jobs of a database. A blank step means the jobs of all steps."""

    database: Database
    as_json: bool

    def print_all(self, step: str, states: Sequence[JobState], limit: int | None) -> None:
        """Print jobs, the newest first."""
        now = utc_now()
        with closing(control.find(self.database, now, step=step, states=states)) as jobs:
            _print_list(islice(jobs, limit), now, as_json=self.as_json)

    def show(self, id: str, step: str) -> None:
        """Print all that is known of the jobs with an id. Raises InputError if there are none."""
        now = utc_now()
        found = control.load(self.database, id, step=step)
        if not found:
            raise InputError(f"no job {cell(id)}")
        for job in found:
            values = _values(self.database, job, now)
            if self.as_json:
                print(line_of_json(values, str))
                continue
            for name, value in values.items():
                if value not in (None, "", 0):
                    print(f"{name:<14} {cell(str(value), PROGRESS_LENGTH)}")

    def want(self, want: Want, ids: Sequence[str], step: str) -> None:
        """Note for programs what is wanted of jobs."""

        def change(id: str, now: datetime) -> int:
            return control.want(self.database, want, id, now, step=step)

        self._change(change, ids, f"to {want}", "has ended, or is unknown")

    def retry(self, ids: Sequence[str], step: str, *, afresh: bool) -> None:
        """Have jobs run again."""

        def change(id: str, now: datetime) -> int:
            return control.retry(self.database, id, now, step=step, afresh=afresh)

        self._change(change, ids, "to run again", "is running, or unknown")

    def _change(
        self,
        change: Callable[[str, datetime], int],
        ids: Sequence[str],
        done: str,
        otherwise: str,
    ) -> None:
        number = 0
        for id in ids:
            changed = change(id, utc_now())
            if not changed:
                print(f"job {cell(id)} {otherwise}: left alone", file=sys.stderr)
            number += changed
        print(line_of_json({"jobs": number}) if self.as_json else f"{_counted(number)} {done}")


def _print_list(jobs: Iterator[JobRecord], now: datetime, *, as_json: bool) -> None:
    if as_json:
        for job in jobs:
            print(line_of_json({**asdict(job), "state": job.state(now)}, str))
        return
    table = Table(*HEADINGS, box=None, highlight=False)
    for job in jobs:
        table.add_row(*(cell(str(value)) for value in _row(job, now)))
    if table.row_count:
        print_table(table)
    print(_counted(table.row_count), file=sys.stderr)


def _counted(number: int) -> str:
    return f"{number:,} job{'' if number == 1 else 's'}"


def _row(job: JobRecord, now: datetime) -> tuple[object, ...]:
    """The cells of the columns `HEADINGS`."""
    state = job.state(now)
    since = job.ended_at or (job.claimed_at if state is not JobState.WAITING else None)
    return (
        job.step,
        job.id,
        state,
        _moment(since or job.created_at),
        job.outputs,
        job.retries + job.deaths or "",
        job.status,
        job.label,
    )


def _values(database: Database, job: StoredJob, now: datetime) -> dict[str, Any]:
    progress = job.progress.decode("utf-8", "replace") if job.progress is not None else None
    return {
        **asdict(job.record),
        "state": job.record.state(now),
        "message_bytes": len(job.message.body),
        "unserved": control.unserved(database, job.record),
        "progress": progress,
    }


def _moment(time: datetime) -> str:
    return f"{time:%Y-%m-%d %H:%M:%S}"
