"""Old jobs and outputs are deleted, on each database; open jobs are kept."""

import pytest

from indexer.jobs.control import load
from indexer.jobs.pruning import PrunedJobs, prune
from indexer.jobs.store import JobStore
from indexer.messages.outcome import OutcomeKind
from tests.clock import Clock
from tests.jobs.conftest import add, claimed, output


def test_closed_jobs_and_sent_outputs_are_deleted_in_portions(
    store: JobStore, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("indexer.jobs.pruning.PORTION", 2)
    for id in "abc":
        add(store, id)
        claim = claimed(store)
        claim.checkpoint(b"", [output(b"x")])
        claim.sent([1])
        claim.end(OutcomeKind.DONE, "success", "", [])
        claim.close()
    clock.sleep(1)
    add(store, "open")
    claim = claimed(store)
    claim.checkpoint(b"", [output(b"x"), output(b"y")])
    claim.sent([1])
    assert prune(store.database, claim.job.record.created_at) == PrunedJobs(jobs=3, outputs=3)
    clock.sleep(1)
    assert prune(store.database, store.clock()) == PrunedJobs(jobs=0, outputs=1)
    assert [each.number for each in claim.unsent()] == [2]
    assert load(store.database, "a") == []
    assert len(load(store.database, "open")) == 1


def test_unsent_outputs_are_deleted_with_their_job(store: JobStore, clock: Clock) -> None:
    add(store)
    claim = claimed(store)
    claim.checkpoint(b"", [output(b"x")])
    claim.end(OutcomeKind.QUARANTINE, "died", "", [])
    claim.close()
    clock.sleep(1)
    assert prune(store.database, store.clock()) == PrunedJobs(jobs=1, outputs=1)
