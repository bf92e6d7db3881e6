"""How a run of a job becomes its outcome, as a table."""

from datetime import timedelta

import pytest

from indexer.errors import Discard, JobCancelled, JobStopped, Quarantine, Requeue, Retry
from indexer.loops.job_endings import decide_job, is_tried_again, wait
from indexer.messages.message import UNKNOWN, Delivery
from indexer.messages.outcome import RETRIES_HEADER, Outcome, RetryPolicy
from indexer.messages.worker import Done, Result
from tests.each_row import each_row
from tests.toy.task import Task

POLICY = RetryPolicy("work", max_retries=2, retry_delay=60.0, requeue_delay=10.0)
TASK = Task("x")


def decided(
    ending: Result[Task] | Exception, *, cancelled: bool = False, retries: int = 0
) -> Outcome:
    """The outcome of a run."""
    message = Delivery(0, b"body", headers={RETRIES_HEADER: retries})
    return decide_job(POLICY, message, ending, "label", 1.5, UNKNOWN, cancelled=cancelled)


@each_row(
    ("ending", "cancelled", "found"),
    [
        (None, False, "done success 0"),
        ([TASK, TASK], False, "done success 2"),
        (Done((), "OK"), False, "done OK 0"),
        (Discard("old"), False, "discard old 0"),
        (Quarantine("odd"), False, "quarantine odd 1"),
        (ValueError("bug"), False, "retry error 0"),
        (Requeue("busy"), False, "requeue busy 0"),
        (JobStopped(), False, "done stopped 0"),
        # However it ends after it was cancelled.
        (JobCancelled(), False, "discard cancelled 0"),
        (JobStopped(), True, "discard cancelled 0"),
        (Done([TASK], "partial"), True, "discard cancelled 1"),
        (Retry("http-503"), True, "discard cancelled 0"),
        ("no task", True, "discard cancelled 0"),
    ],
)
def test_outcomes(ending: Result[Task] | Exception, cancelled: bool, found: str) -> None:
    outcome = decided(ending, cancelled=cancelled)
    assert f"{outcome.kind} {outcome.status} {len(outcome.sends)}" == found
    assert (outcome.label, outcome.seconds) == ("label", 1.5)


@each_row(
    ("ending", "seconds"),
    [
        (ValueError("bug"), 60),
        (Retry("http-503"), 60),
        # A server's word counts, also beyond the delay of the step.
        (Retry("http-429", delay=7200.0), 7200),
        (Requeue("busy"), 10),
        (Requeue("busy", delay=300.0), 300),
        (Requeue("busy", delay=-1.0), 0),
        (Requeue("busy", delay=1e300), 366 * 86_400),
    ],
)
def test_waits(ending: Exception, seconds: int) -> None:
    outcome = decided(ending)
    assert is_tried_again(outcome)
    assert wait(POLICY, outcome, ending) == timedelta(seconds=seconds)


@pytest.mark.parametrize(("retries", "again"), [(1, True), (2, False)])
def test_retries_are_bounded(retries: int, again: bool) -> None:
    outcome = decided(ValueError("bug"), retries=retries)
    assert (is_tried_again(outcome), outcome.exhausted) == (again, not again)


def test_a_cleanup_that_failed_is_the_reason_of_a_cancelled_job() -> None:
    assert decided(OSError("the disk is full"), cancelled=True).why == "OSError('the disk is full')"
    assert decided(JobCancelled("a"), cancelled=True).why == ""
