"""How a run of a job becomes its outcome, and when the next try is: values, no I/O."""

from dataclasses import replace
from datetime import timedelta

from indexer.errors import JobCancelled, JobStopped, Requeue, Retry
from indexer.jobs.job import CANCELLED
from indexer.messages.message import Delivery, Origin
from indexer.messages.outcome import Outcome, OutcomeKind, RetryPolicy, decide
from indexer.messages.worker import Done, Out, Result
from indexer.text.cleaning import one_line

STOPPED = "stopped"
"""The status of a job whose generator does not catch JobStopped."""

LONGEST_WAIT = 366 * 86_400.0
"""Seconds."""

WHY_LENGTH = 300


def decide_job(
    policy: RetryPolicy,
    message: Delivery,
    ending: Result[Out] | Exception,
    label: str,
    seconds: float,
    origin: Origin,
    *,
    cancelled: bool,
) -> Outcome:
    """The outcome of a run that ended with a result, a disposition, an interruption or an error."""
    if cancelled or isinstance(ending, JobCancelled):
        return _cancelled(policy, message, ending, label, seconds, origin)
    if isinstance(ending, JobStopped):
        ending = Done(status=STOPPED)
    outcome = decide(policy, message, ending, label, seconds, origin)
    # The job itself waits for its next try, in place of its message.
    return replace(outcome, sends=()) if is_tried_again(outcome) else outcome


def _cancelled(
    policy: RetryPolicy,
    message: Delivery,
    ending: Result[Out] | Exception,
    label: str,
    seconds: float,
    origin: Origin,
) -> Outcome:
    """The outcome of a cancelled job, with the outputs of its cleanup."""
    result = None if isinstance(ending, Exception) else ending
    done = decide(policy, message, result, label, seconds, origin)
    failed = isinstance(ending, Exception) and not isinstance(ending, JobCancelled)
    why = one_line(repr(ending), WHY_LENGTH) if failed else ""
    sends = done.sends if done.kind is OutcomeKind.DONE else ()
    return replace(done, kind=OutcomeKind.DISCARD, status=CANCELLED, why=why, sends=sends)


def is_tried_again(outcome: Outcome) -> bool:
    """Whether the job has not ended, and waits for its next try."""
    return outcome.kind in (OutcomeKind.RETRY, OutcomeKind.REQUEUE)


def wait(policy: RetryPolicy, outcome: Outcome, ending: Result[Out] | Exception) -> timedelta:
    """The time until the next try: as long as a server has asked for, or that of the policy."""
    requeued = outcome.kind is OutcomeKind.REQUEUE
    seconds = policy.requeue_delay if requeued else policy.retry_delay
    if isinstance(ending, Retry | Requeue) and ending.delay is not None:
        seconds = ending.delay
    return timedelta(seconds=min(max(seconds, 0.0), LONGEST_WAIT))
