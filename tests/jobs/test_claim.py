"""The claim on a job, on each database: checkpoints, outputs, endings; lost claims."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from indexer.errors import JobLost
from indexer.jobs.claim import HEALTHY, JobClaim
from indexer.jobs.control import load
from indexer.jobs.job import Output
from indexer.jobs.store import JobStore
from indexer.messages.message import Send
from indexer.messages.outcome import OutcomeKind
from tests.clock import Clock
from tests.jobs.conftest import LEASE, add, claimed, output


def numbers(outputs: list[Output]) -> list[int]:
    return [each.number for each in outputs]


def test_the_next_claim_goes_on_from_the_last_checkpoint(store: JobStore, clock: Clock) -> None:
    add(store)
    first = claimed(store)
    first.checkpoint(b"1", [output(b"a")])
    first.checkpoint(b"2", [output(b"b"), output(b"c")])
    clock.sleep(120)
    second = claimed(store)
    assert second.job.progress == b"2"
    second.checkpoint(b"3", [output(b"d")])
    assert [(each.number, each.send.body) for each in second.unsent()] == [
        (1, b"a"),
        (2, b"b"),
        (3, b"c"),
        (4, b"d"),
    ]


def test_an_output_has_an_id_that_a_repeat_has_too(store: JobStore, clock: Clock) -> None:
    add(store)
    created = f"{store.clock():%Y%m%dT%H%M%S}"
    send = Send("work-out", "some.key", b"\x00", {"mine": 1})
    claimed(store).checkpoint(b"", [send])
    clock.sleep(120)
    [again] = claimed(store).unsent()
    headers: dict[str, str | int] = {"mine": 1, "x-mc-id": f"work/a/{created}/1"}
    assert again.send == Send("work-out", "some.key", b"\x00", headers)


def test_an_output_that_is_sent_is_not_sent_again(store: JobStore) -> None:
    add(store)
    claim = claimed(store)
    claim.checkpoint(b"", [output(b"a"), output(b"b"), output(b"c")])
    claim.sent([1, 2], unserved=[2])
    assert numbers(claim.unsent()) == [3]


def test_outputs_are_read_in_portions(store: JobStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("indexer.jobs.claim.PORTION", 2)
    add(store)
    claim = claimed(store)
    claim.checkpoint(b"", [output(b"x")] * 3)
    assert numbers(claim.unsent()) == [1, 2]
    claim.sent([1, 2])
    assert numbers(claim.unsent()) == [3]


def test_a_checkpoint_renews_the_lease(store: JobStore, clock: Clock) -> None:
    add(store)
    claim = claimed(store)
    clock.sleep(119)
    claim.checkpoint(b"", [])
    clock.sleep(119)
    assert store.claim() is None


def test_an_ended_job_is_claimed_only_to_send_its_last_outputs(
    store: JobStore, clock: Clock
) -> None:
    add(store)
    claimed(store).end(OutcomeKind.DONE, "OK", "all read", [output(b"last")])
    clock.sleep(120)
    claim = claimed(store)
    record = claim.job.record
    assert (record.kind, record.status, record.why) == ("done", "OK", "all read")
    assert record.has_ended
    assert numbers(claim.unsent()) == [1]
    claim.sent([1])
    claim.close()
    clock.sleep(120)
    assert store.claim() is None


CHANGES: list[Callable[[JobClaim], None]] = [
    lambda claim: claim.checkpoint(b"9", [output(b"late")]),
    lambda claim: claim.end(OutcomeKind.DONE, "success", "", [output(b"late")]),
    lambda claim: claim.wait(LEASE, "error", "", retries=5),
    lambda claim: claim.release(),
    lambda claim: claim.sent([1]),
    lambda claim: claim.close(),
]


def test_a_lost_claim_changes_nothing(store: JobStore, clock: Clock) -> None:
    add(store)
    lost = claimed(store)
    lost.checkpoint(b"1", [output(b"a")])
    clock.sleep(120)
    claim = claimed(store)
    [before] = load(store.database, "a")
    for change in CHANGES:
        with pytest.raises(JobLost):
            change(lost)
    assert load(store.database, "a") == [before]
    assert [each.send.body for each in claim.unsent()] == [b"a"]


def test_progress_after_an_hour_clears_failures(store: JobStore, clock: Clock) -> None:
    add(store)
    claimed(store).wait(timedelta(), "error", "", retries=3)
    claimed(store)
    clock.sleep(120)
    claim = claimed(store)
    claim.checkpoint(b"1", [])
    [job] = load(store.database, "a")
    # A job that fails soon after each start, at the same place, must not go on for ever.
    assert (job.record.retries, job.record.deaths) == (3, 1)
    clock.sleep(HEALTHY.total_seconds())
    claim.checkpoint(b"2", [])
    [job] = load(store.database, "a")
    assert (job.record.retries, job.record.deaths) == (0, 0)
