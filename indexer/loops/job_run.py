"""One run of one job, by one thread: from its last checkpoint to its end, or to an interruption.

send what an earlier run has left → run → checkpoint: store, send → … → end: store, send, close
"""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Generic

import msgspec

from indexer.errors import (
    JobCancelled,
    JobInterrupted,
    JobLost,
    JobPaused,
    JobStopped,
    Quarantine,
    RefusedValue,
)
from indexer.jobs.claim import JobClaim
from indexer.jobs.job import StoredJob
from indexer.jobs.job_state import JobState
from indexer.loops.inbox import load
from indexer.loops.job_endings import decide_job, is_tried_again, wait
from indexer.messages.job_worker import Checkpoint, Job, JobSteps, JobWorker, Progress, Want
from indexer.messages.message import UNKNOWN, Origin, Send, check, queued_since
from indexer.messages.outcome import (
    RETRIES_HEADER,
    Outcome,
    OutcomeKind,
    RetryPolicy,
    outputs,
)
from indexer.messages.worker import In, Out, Result
from indexer.system.loggers import get_logger

DIED = "died"
"""The status of a job whose processes have died too often."""

BAD_PROGRESS = "bad-progress"
"""The status of a job whose progress can't be read."""

BAD_OUTPUT = "bad-output"

ORDER: tuple[type[JobInterrupted], ...] = (JobLost, JobCancelled, JobStopped, JobPaused)
"""Interruptions, the strongest first."""

log = get_logger()


def job_of(
    worker: JobWorker[In, Out, Progress], stored: StoredJob, state: JobState
) -> Job[In, Progress]:
    """A stored job as its worker sees it. Raises Quarantine if it can't be read."""
    payload = load(worker.takes, stored.message)
    progress = None
    if stored.progress is not None:
        try:
            progress = msgspec.json.decode(stored.progress, type=worker.keeps)
        except (msgspec.MsgspecError, RecursionError, ValueError) as error:
            raise Quarantine(BAD_PROGRESS, str(error)) from error
    record = stored.record
    return Job(record.id, payload, progress, state, record.status, record.retries)


@dataclass(eq=False)
class JobRun(Generic[In, Out, Progress]):
    """A claimed job while a thread of this process runs it.

    `publish` is a broker's. `clock` gives seconds, for the duration of the run.
    """

    worker: JobWorker[In, Out, Progress]
    policy: RetryPolicy
    claim: JobClaim
    publish: Callable[[Sequence[Send]], list[Send]]
    clock: Callable[[], float] = time.monotonic
    job: Job[In, Progress] | None = field(default=None, init=False)
    _asked: set[type[JobInterrupted]] = field(default_factory=set, init=False)
    _thrown: set[type[JobInterrupted]] = field(default_factory=set, init=False)

    def interrupt(self, kind: type[JobInterrupted]) -> None:
        """Have the job interrupted at its next checkpoint. May be called by any thread."""
        self._asked.add(kind)
        if (job := self.job) is not None:
            self._alert(job)

    def want(self, want: str | None) -> None:
        """Interrupt the job as a person or a message wants it."""
        match want:
            case Want.STOP:
                self.interrupt(JobStopped)
            case Want.CANCEL:
                self.interrupt(JobCancelled)

    def handle(self) -> Outcome | None:
        """Run the job; its outcome, which is stored and sent. None: it was paused.

        Raises JobLost, StorageError, BrokerError.
        """
        started = self.clock()
        record = self.claim.job.record
        if record.deaths > self.worker.max_deaths:
            return self._give_up(f"its process died {record.deaths} times, or hung")
        # Of an earlier run, whose process died: order is kept, so they are first.
        self._send()
        if record.kind is not None:
            self.claim.close()
            label, origin = self._about()
            kind = OutcomeKind(record.kind)
            since = queued_since(self.claim.job.message)
            step, why = self.policy.step, record.why
            return Outcome(step, kind, record.status, label, why, origin=origin, since=since)
        self.want(record.wanted)
        ending = self._run()
        if isinstance(ending, JobPaused):
            self.claim.release()
            return None
        return self._end(ending, self.clock() - started)

    def _give_up(self, why: str) -> Outcome:
        """Quarantine the job. Its unsent outputs are not tried: each try may have ended a process.

        They are sent first when an operator has the job run again.
        """
        outcome = self._decide(Quarantine(DIED, why), 0.0)
        behind = self.claim.outputs
        self.claim.end(outcome.kind, outcome.status, outcome.why, outcome.sends)
        self._send(behind)
        self.claim.close()
        return outcome

    def _run(self) -> Result[Out] | Exception:
        """Run the job, unless it is not to be run any more."""
        try:
            self.job = job_of(self.worker, self.claim.job, JobState.RUNNING)
            self._alert(self.job)
            if JobCancelled in self._asked:
                raise JobCancelled("cancelled while it waited")
            steps = self.worker.run(self.job)
        except Exception as error:  # noqa: BLE001 - an error costs its job, not the program
            return error
        try:
            return self._follow(steps)
        finally:
            # It may yield once more instead of ending: then this raises RuntimeError.
            with suppress(Exception):
                steps.close()

    def _follow(self, steps: JobSteps[Progress, Out]) -> Result[Out] | Exception:
        """Store what the generator yields, until it ends; its result or its error."""
        resume: Callable[[], Checkpoint[Progress, Out]] = partial(next, steps)
        while True:
            try:
                checkpoint = resume()
            except StopIteration as end:
                result: Result[Out] = end.value
                return result
            except Exception as error:  # noqa: BLE001 - an error costs its job, not the program
                return self._own(error)
            try:
                unserved = self._store(checkpoint)
            except JobLost as lost:
                # So that it can tell: whatever it does now, others have its job.
                with suppress(Exception):
                    steps.throw(lost)
                raise
            except Quarantine as error:
                return error
            resume = self._resumption(steps, unserved)

    def _own(self, error: Exception) -> Exception:
        """An error of the generator; JobPaused counts only if the program asked for it."""
        if isinstance(error, JobPaused) and JobPaused not in self._thrown:
            return RuntimeError(f"JobPaused, but the program goes on: {error}")
        return error

    def _resumption(
        self, steps: JobSteps[Progress, Out], unserved: Sequence[Out]
    ) -> Callable[[], Checkpoint[Progress, Out]]:
        """How to resume the generator: with a value, or with the strongest new interruption."""
        for kind in ORDER:
            if kind in self._asked and kind not in self._thrown:
                self._thrown.add(kind)
                return partial(steps.throw, kind(self.claim.job.record.id))
        return partial(steps.send, unserved)

    def _store(self, checkpoint: Checkpoint[Progress, Out]) -> list[Out]:
        """Store a checkpoint and send its outputs; those that no queue took."""
        try:
            progress = msgspec.json.encode(checkpoint.progress)
            since = queued_since(self.claim.job.message)
            sends = outputs(self.policy.step, checkpoint.outputs, self.policy.exchange, since)
            for send in sends:
                check(send)
        except Exception as error:  # a worker's progress and outputs may be anything
            raise Quarantine(BAD_OUTPUT, repr(error)) from error
        first = self.claim.outputs + 1
        try:
            self.claim.checkpoint(progress, sends)
        except RefusedValue as error:
            raise Quarantine(BAD_OUTPUT, str(error)) from error
        unserved = self._send() if sends else ()
        return [checkpoint.outputs[number - first] for number in unserved]

    def _send(self, behind: int = 0) -> list[int]:
        """Publish the outputs behind a number that the broker has not confirmed; return the numbers
        of those that no queue took."""
        unserved: list[int] = []
        while waiting := self.claim.unsent(behind):
            returned = {id(send) for send in self.publish([each.send for each in waiting])}
            back = [each.number for each in waiting if id(each.send) in returned]
            self.claim.sent([each.number for each in waiting], back)
            if back:
                log.warning(
                    "no program serves these outputs", job=self.claim.job.record.id, numbers=back
                )
            unserved += back
        return unserved

    def _end(self, ending: Result[Out] | Exception, seconds: float) -> Outcome:
        """Store the ending, and send the last outputs."""
        outcome = self._decide(ending, seconds)
        if is_tried_again(outcome):
            time = wait(self.policy, outcome, ending)
            retries = self.claim.retries + (outcome.kind is OutcomeKind.RETRY)
            self.claim.wait(time, outcome.status, outcome.why, retries=retries)
            return outcome
        try:
            self.claim.end(outcome.kind, outcome.status, outcome.why, outcome.sends)
        except RefusedValue as error:
            outcome = self._decide(Quarantine(BAD_OUTPUT, str(error)), seconds)
            self.claim.end(outcome.kind, outcome.status, outcome.why, outcome.sends)
        self._send()
        self.claim.close()
        return outcome

    def _decide(self, ending: Result[Out] | Exception, seconds: float) -> Outcome:
        message = self.claim.job.message
        headers = {**message.headers, RETRIES_HEADER: self.claim.retries}
        label, origin = self._about()
        return decide_job(
            self.policy,
            replace(message, headers=headers),
            ending,
            label,
            seconds,
            origin,
            cancelled=JobCancelled in self._thrown,
        )

    def _about(self) -> tuple[str, Origin]:
        """The label and the origin of the payload; without a payload, the label as stored."""
        with suppress(Quarantine):
            # Read late: the run may have learned more about it.
            payload = (
                self.job.payload if self.job else load(self.worker.takes, self.claim.job.message)
            )
            return payload.label, payload.origin
        return self.claim.job.record.label, UNKNOWN

    def _alert(self, job: Job[In, Progress]) -> None:
        """Set the job's events, for code that waits."""
        if JobLost in self._asked:
            job.lost.set()
        if self._asked:
            job.stopping.set()
