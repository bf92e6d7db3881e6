"""What people and messages may do to jobs, on each database."""

from datetime import timedelta

from indexer.jobs.control import find, load, retry, unserved, want
from indexer.jobs.job_state import JobState
from indexer.jobs.store import JobStore
from indexer.messages.job_worker import Want
from indexer.messages.outcome import OutcomeKind
from tests.clock import Clock
from tests.jobs.conftest import LEASE, add, claimed, output


def ids(store: JobStore, *states: JobState, step: str = "") -> list[str]:
    return [job.id for job in find(store.database, store.clock(), step=step, states=states)]


def test_jobs_are_found_by_state_and_step(store: JobStore, clock: Clock) -> None:
    for id in ("running", "done", "bad", "gone", "stopping", "late", "new"):
        add(store, id)
        clock.sleep(1)
    other = JobStore(store.database, "other", LEASE, store.clock)
    add(other, "new")
    claimed(store)
    for kind in (OutcomeKind.DONE, OutcomeKind.QUARANTINE, OutcomeKind.DISCARD):
        claim = claimed(store)
        claim.end(kind, "x", "", [])
        claim.close()
    claimed(store)
    want(store.database, Want.STOP, "stopping", store.clock())
    claimed(store).wait(timedelta(hours=1), "error", "", retries=1)
    assert ids(store) == ["new", "new", "late", "stopping", "gone", "bad", "done", "running"]
    assert ids(store, JobState.RUNNING) == ["running"]
    assert ids(store, JobState.WAITING) == ["new", "new", "late"]
    assert ids(store, JobState.WAITING, step="other") == ["new"]
    assert ids(store, JobState.DONE, JobState.STOPPING) == ["stopping", "done"]
    assert ids(store, JobState.QUARANTINED, JobState.DISCARDED) == ["gone", "bad"]


def test_a_wish_makes_a_waiting_job_due(store: JobStore) -> None:
    add(store)
    claimed(store).wait(timedelta(hours=1), "error", "", retries=1)
    assert want(store.database, Want.CANCEL, "a", store.clock()) == 1
    assert claimed(store).job.record.wanted == Want.CANCEL


def test_a_wish_to_stop_does_not_replace_one_to_cancel(store: JobStore) -> None:
    add(store)
    for wish in (Want.STOP, Want.CANCEL, Want.STOP):
        assert want(store.database, wish, "a", store.clock(), step="work") == 1
    assert ids(store, JobState.CANCELLING) == ["a"]


def test_a_wish_for_an_unknown_or_ended_job_is_no_error(store: JobStore) -> None:
    add(store)
    claimed(store).end(OutcomeKind.DONE, "success", "", [])
    assert want(store.database, Want.STOP, "a", store.clock()) == 0
    assert want(store.database, Want.STOP, "unknown", store.clock()) == 0


def test_an_ended_job_can_be_run_again(store: JobStore) -> None:
    add(store)
    claim = claimed(store)
    claim.checkpoint(b"1", [output(b"x")])
    claim.end(OutcomeKind.QUARANTINE, "error", "why", [])
    # Its outputs are not sent yet: it is not idle.
    assert retry(store.database, "a", store.clock()) == 0
    claim.sent([1])
    claim.close()
    assert retry(store.database, "a", store.clock(), step="other") == 0
    assert retry(store.database, "a", store.clock(), step="work") == 1
    claim = claimed(store)
    assert (claim.job.progress, claim.job.record.status, claim.job.record.kind) == (b"1", "", None)
    claim.checkpoint(b"2", [output(b"y")])
    assert [each.number for each in claim.unsent()] == [2]


def test_a_job_can_be_run_again_from_its_start(store: JobStore) -> None:
    add(store)
    claim = claimed(store)
    claim.checkpoint(b"1", [])
    claim.wait(timedelta(hours=1), "error", "", retries=4)
    assert retry(store.database, "a", store.clock(), afresh=True) == 1
    job = claimed(store).job
    assert (job.progress, job.record.retries) == (None, 0)


def test_a_running_job_is_not_run_again(store: JobStore) -> None:
    add(store)
    claimed(store)
    assert retry(store.database, "a", store.clock()) == 0


def test_outputs_that_no_queue_took_are_counted(store: JobStore) -> None:
    add(store)
    claim = claimed(store)
    claim.checkpoint(b"", [output(b"x"), output(b"y")])
    claim.sent([1, 2], unserved=[2])
    [job] = load(store.database, "a")
    assert unserved(store.database, job.record) == 1
    assert load(store.database, "unknown") == []
