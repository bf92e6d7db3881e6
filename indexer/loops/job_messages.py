"""The messages of a job worker: those that ask for jobs, and those that control them.

    message → its job is stored, or is known → acknowledged → answered if the job is known
    control message → a wish in the database

Every instance hears the control messages and writes them into the database, where the instance that
runs the job finds them.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic

from indexer.errors import Quarantine, RefusedValue
from indexer.jobs import control
from indexer.jobs.job import NewJob, StoredJob, is_job_id
from indexer.jobs.store import JobStore
from indexer.loops.inbox import Inbox, load
from indexer.loops.job_run import job_of
from indexer.messages.job_worker import JobWorker, Progress, Want
from indexer.messages.message import BAD_MESSAGE, UNKNOWN, Delivery
from indexer.messages.outcome import OutcomeKind, decide
from indexer.messages.worker import Done, In, Out
from indexer.system.loggers import get_logger

REPEATED = "repeated"
"""The status of a message for a job that is known already."""

BAD_JOB = "bad-job"
"""The status of a message whose job can't be stored."""

log = get_logger()


@dataclass
class JobMessages(Generic[In, Out, Progress]):
    """Takes the messages of one instance; `commands` has its control messages.

    Its methods raise StorageError, BrokerError.
    """

    worker: JobWorker[In, Out, Progress]
    inbox: Inbox
    store: JobStore
    commands: Inbox | None = None

    def arrive(self, delivery: Delivery, stored: Callable[[], object]) -> None:
        """Store the job of a message, and acknowledge the message.

        `stored` is called between the two, if there is now a job to run.
        """
        payload: In | None = None
        try:
            payload = load(self.worker.takes, delivery)
            new = NewJob(self.worker.identity(payload), payload.label, delivery)
            if not is_job_id(new.id):
                raise Quarantine(BAD_JOB, f"not the id of a job: {new.id!a:.100}")
        except Exception as error:  # noqa: BLE001 - an error costs its message, not the program
            self._settle(delivery, payload, error)
            return
        try:
            known = self.store.add(new)
        except RefusedValue as error:
            self._settle(delivery, payload, Quarantine(BAD_JOB, str(error)))
            return
        if known is not None and not self._reopen(known):
            self._settle(delivery, payload, self._answer(known))
            return
        stored()
        self.inbox.acknowledge(delivery)

    def _reopen(self, known: StoredJob) -> bool:
        """Run a quarantined job again: an operator returns messages of the quarantine."""
        if known.record.kind != OutcomeKind.QUARANTINE:
            return False
        now, step = self.store.clock(), self.store.step
        return bool(control.retry(self.store.database, known.record.id, now, step=step))

    def _answer(self, known: StoredJob) -> Done[Out] | Exception:
        try:
            job = job_of(self.worker, known, known.record.state(self.store.clock()))
            return Done(self.worker.repeated(job), REPEATED)
        except Exception as error:  # noqa: BLE001 - as above
            return error

    def _settle(
        self, delivery: Delivery, payload: In | None, ending: Done[Out] | Exception
    ) -> None:
        """Settle a message that is no new job."""
        label, origin = (payload.label, payload.origin) if payload else ("", UNKNOWN)
        outcome = decide(self.inbox.policy, delivery, ending, label, origin=origin)
        if outcome.kind is OutcomeKind.DONE:
            # Published before, as an answer that no queue takes is handed back.
            self.inbox.publish(outcome.sends)
            outcome = replace(outcome, sends=())
        self.inbox.settle([(delivery, outcome)])

    def heed(self) -> None:
        """Record what control messages want."""
        heeds = self.worker.heeds
        if self.commands is None or heeds is None:
            return
        while delivery := self.commands.consumer.receive(0.0):
            try:
                command = load(heeds, delivery)
                wants, id = Want(command.wants), command.job_id
            except Exception as error:  # noqa: BLE001 - an error costs its message, not the program
                # Never a retry: it would come back to the input queue.
                refused = Quarantine(BAD_MESSAGE, str(error))
                self.commands.settle([(delivery, decide(self.commands.policy, delivery, refused))])
                continue
            now, step = self.store.clock(), self.store.step
            found = control.want(self.store.database, wants, id, now, step=step)
            log.info("heard", job=id, wants=wants, jobs=found)
            self.commands.acknowledge(delivery)
