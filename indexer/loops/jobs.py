"""The loop of a job worker: messages become jobs, and threads run the jobs that are due.

receive → load → store as a job → acknowledge
twice a second: control messages → database → wishes for the running jobs → claim jobs
claim → run → checkpoint: store, send → … → ended: store, send → observers
"""

import math
import threading
import time
from contextlib import ExitStack
from dataclasses import KW_ONLY, dataclass, field, replace
from datetime import timedelta
from typing import Generic

from indexer.errors import JobLost, JobPaused
from indexer.jobs.claim import JobClaim
from indexer.jobs.pruning import prune
from indexer.jobs.store import JobCounts, JobStore
from indexer.loops.inbox import POLL_SECONDS, Inbox, notify
from indexer.loops.job_messages import JobMessages
from indexer.loops.job_run import JobRun
from indexer.messages.job_worker import JobWorker, Progress
from indexer.messages.worker import In, Out
from indexer.metrics import gauge
from indexer.system.loggers import get_logger
from indexer.system.repeating import Repeating

LOOK_SECONDS = 0.5
"""The time between two looks at the jobs: a wish to stop is noticed within it."""

PRUNE_SECONDS = 3600.0

FAILURE_SECONDS = 10.0
"""How long a program that fails waits for its jobs to end: a job may be hours from a checkpoint."""

RETENTION = timedelta(days=30)

JOBS = gauge("jobs", "open jobs of this step in the database, by state", "state")

log = get_logger()


@dataclass
class JobRunner(Generic[In, Out, Progress]):
    """Runs one job worker on one queue, until it is stopped or fails.

    `commands` has the control messages of this instance. Closed jobs are kept for `retention`.
    """

    worker: JobWorker[In, Out, Progress]
    inbox: Inbox
    store: JobStore
    commands: Inbox | None = None
    _: KW_ONLY
    retention: timedelta = RETENTION
    _counts: JobCounts = field(default=JobCounts(0, 0, 0), init=False)
    _running: dict[str, JobRun[In, Out, Progress]] = field(default_factory=dict, init=False)
    _next_look: float = field(default=-math.inf, init=False)
    _changed: threading.Event = field(default_factory=threading.Event, init=False)
    _failure: BaseException | None = field(default=None, init=False)

    waiting = 0
    """How many messages wait for the end of a batch: none, this loop has no batches."""

    def __post_init__(self) -> None:
        self._messages = JobMessages(self.worker, self.inbox, self.store, self.commands)

    @property
    def taken(self) -> int:
        """How many jobs of the step are open, whichever process runs them."""
        return self._counts.open

    def run(self, stop: threading.Event) -> None:
        """Handle messages and jobs until `stop`, or until none is left.

        At `stop` the jobs are paused: each at its next checkpoint. Raises the error of a thread.
        """
        self._prune()
        with ExitStack() as stack:
            for name, seconds, action in (
                # A quarter of the lease: some renewals may fail before it is over.
                ("renewing leases", self.store.lease.total_seconds() / 4, self._renew),
                ("deleting old jobs", PRUNE_SECONDS, self._prune),
            ):
                stack.enter_context(Repeating(name, seconds, action))
            try:
                self._receive(stop)
                self._pause()
            except Exception:
                self._abandon()
                raise

    def _receive(self, stop: threading.Event) -> None:
        self._look()
        # Jobs may be left when the queue is empty.
        for delivery in replace(self.inbox, until_empty=False).arrivals(stop):
            if delivery is not None:
                self._messages.arrive(delivery, self._expect_another)
            elif (
                self.inbox.until_empty
                and not self._running
                and not self._counts.active
                and self.inbox.consumer.is_empty()
            ):
                # Counted before the queue was found empty; only this thread adds jobs.
                return
            if self.inbox.clock() >= self._next_look:
                self._look()
                self._claim()
            self._raise_failure()

    def _pause(self) -> None:
        """Wait until all jobs have paused or ended; wishes to cancel are heard meanwhile."""
        while self._running:
            self._interrupt_all()
            self._changed.wait(POLL_SECONDS)
            self._changed.clear()
            self._look()
        self._raise_failure()

    def _abandon(self) -> None:
        """Give the jobs some seconds to end: their database or broker is out of order."""
        deadline = time.monotonic() + FAILURE_SECONDS
        while self._running and time.monotonic() < deadline:
            self._interrupt_all()
            self._changed.wait(POLL_SECONDS)
            self._changed.clear()

    def _interrupt_all(self) -> None:
        for run in [*self._running.values()]:
            run.interrupt(JobPaused)

    def _expect_another(self) -> None:
        """Count a job that was just stored: a run ends when it finds no message and no job."""
        self._counts = self._counts.with_another()
        self._next_look = -math.inf

    def _raise_failure(self) -> None:
        if self._failure is not None:
            raise self._failure

    def _look(self) -> None:
        """Learn what is wanted of the running jobs, and count the open ones."""
        self._messages.heed()
        found = self.store.look()
        self._counts = found.counts
        for run in [*self._running.values()]:
            if run.claim.lease in found.wanted:
                run.want(found.wanted[run.claim.lease])
            else:
                run.interrupt(JobLost)
        self._next_look = self.inbox.clock() + LOOK_SECONDS
        for state, number in found.counts.by_state().items():
            JOBS.set(number, state=state)

    def _claim(self) -> None:
        """Start jobs that are due, as many as there are threads for; cancelled ones in any case."""
        # Those end at once: they don't wait until the jobs that run now have ended.
        for _ in range(self._counts.cancelled):
            self._start(self.store.claim(cancelled=True))
        for _ in range(min(self.worker.threads - len(self._running), self._counts.ready)):
            self._start(self.store.claim())

    def _start(self, claim: JobClaim | None) -> None:
        """Run a job in a thread, unless another process has claimed it first."""
        if claim is None:
            return
        run = JobRun(self.worker, self.inbox.policy, claim, self.inbox.publish, self.inbox.clock)
        self._running[claim.lease] = run
        # Daemon: a job that is hours from its next checkpoint must not keep a program alive that
        # has failed.
        threading.Thread(target=self._work, args=(run,), daemon=True).start()

    def _work(self, run: JobRun[In, Out, Progress]) -> None:
        try:
            if (outcome := run.handle()) is not None:
                notify(self.inbox.observers, outcome)
        except JobLost as error:
            log.warning("lost", why=str(error))
        except BaseException as error:  # noqa: BLE001 - the receiving thread raises it
            self._failure = self._failure or error
        finally:
            del self._running[run.claim.lease]
            self._next_look = -math.inf
            self._changed.set()

    def _renew(self) -> None:
        self.store.renew([*self._running])

    def _prune(self) -> None:
        prune(self.store.database, self.store.clock() - self.retention)
