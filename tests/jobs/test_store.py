"""The jobs of a step, on each database: added once, claimed by one, renewed, looked after."""

import os
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from sqlalchemy import inspect, update

from indexer.database import Database
from indexer.errors import ConfigurationError, JobLost, StorageError
from indexer.jobs.control import want
from indexer.jobs.job import NewJob
from indexer.jobs.models import jobs, metadata
from indexer.jobs.store import JobCounts, JobStore, open_jobs
from indexer.messages.job_worker import Want
from indexer.messages.message import KEY_HEADER, Delivery
from indexer.messages.outcome import OutcomeKind
from tests.clock import Clock
from tests.jobs.conftest import LEASE, add, claimed


def test_a_job_is_claimed_with_its_message(store: JobStore) -> None:
    message = Delivery(7, b"\x00body", "work-delay", {KEY_HEADER: "harvest.start", "x": 1})
    assert store.add(NewJob("a", "a\nline", message)) is None
    job = claimed(store).job
    assert (job.record.id, job.record.label, job.progress) == ("a", "a line", None)
    assert (job.message.body, job.message.key) == (b"\x00body", "harvest.start")
    assert job.message.headers == {KEY_HEADER: "harvest.start", "x": 1}


def test_a_second_message_with_the_id_is_no_second_job(store: JobStore) -> None:
    add(store)
    known = store.add(NewJob("a", "another", Delivery(8, b"[]")))
    assert known is not None
    assert (known.record.label, known.message.body) == ("label of a", b"{}")
    assert store.look().counts.open == 1


def test_steps_have_jobs_of_their_own(store: JobStore) -> None:
    other = JobStore(store.database, "other", LEASE, store.clock)
    add(store)
    add(other)
    assert claimed(other).job.record.step == "other"
    assert other.claim() is None
    assert claimed(store).job.record.step == "work"


def test_the_job_that_waits_longest_is_first(store: JobStore, clock: Clock) -> None:
    for id in "ba":
        add(store, id)
        clock.sleep(1)
    assert [claimed(store).job.record.id for _ in range(2)] == ["b", "a"]
    assert store.claim() is None


def test_a_leased_job_is_claimed_only_when_its_lease_is_over(store: JobStore, clock: Clock) -> None:
    add(store)
    first = claimed(store)
    clock.sleep(119)
    assert store.claim() is None
    clock.sleep(1)
    second = claimed(store)
    assert second.lease != first.lease
    assert second.job.record.deaths == 1
    with pytest.raises(JobLost, match="job a: another process"):
        first.checkpoint(b"1", [])


def test_a_renewed_lease_lasts(store: JobStore, clock: Clock) -> None:
    add(store)
    claim = claimed(store)
    for _ in range(3):
        clock.sleep(119)
        store.renew([claim.lease])
        assert store.claim() is None
    claim.checkpoint(b"1", [])
    store.renew([])


def test_a_lease_that_was_taken_over_is_not_renewed(store: JobStore, clock: Clock) -> None:
    add(store)
    lost = claimed(store)
    clock.sleep(120)
    claim = claimed(store)
    clock.sleep(60)
    store.renew([lost.lease])
    clock.sleep(60)
    store.renew([lost.lease])
    assert set(store.look().wanted) == {claim.lease}
    assert claimed(store).lease not in (lost.lease, claim.lease)


def test_a_released_job_is_claimed_at_once_and_no_death_is_counted(store: JobStore) -> None:
    add(store)
    claimed(store).release()
    assert claimed(store).job.record.deaths == 0


def test_a_job_that_waits_is_claimed_when_it_is_due(
    store: JobStore, clock: Clock, now: Callable[[], datetime]
) -> None:
    add(store)
    claimed(store).wait(timedelta(hours=1), "http-503", "busy", retries=1)
    assert store.claim() is None
    assert store.look().counts == JobCounts(open=1, active=0, ready=0)
    clock.sleep(3600)
    record = claimed(store).job.record
    assert (record.retries, record.status, record.why) == (1, "http-503", "busy")


def test_open_jobs_are_counted_until_their_outputs_are_sent(store: JobStore) -> None:
    assert store.look().counts == JobCounts(0, 0, 0)
    add(store)
    assert store.look().counts == JobCounts(1, 1, 1)
    claim = claimed(store)
    assert store.look().counts == JobCounts(1, 1, 0)
    claim.end(OutcomeKind.DONE, "success", "", [])
    assert store.look().counts == JobCounts(1, 1, 0)
    claim.close()
    assert store.look().counts == JobCounts(0, 0, 0)
    assert store.claim() is None


def test_a_look_finds_what_is_wanted_of_the_jobs_of_this_process(store: JobStore) -> None:
    add(store)
    claim = claimed(store)
    assert store.look().wanted == {claim.lease: None}
    want(store.database, Want.STOP, "a", store.clock())
    assert store.look().wanted == {claim.lease: "stop"}


def test_jobs_of_a_process_that_is_dead_are_free_at_once(
    store: JobStore, database: Database
) -> None:
    add(store)
    first = claimed(store)
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    with database.writing() as connection:
        connection.execute(update(jobs).values(pid=dead.pid))
    assert store.look().wanted == {}
    assert claimed(store).lease != first.lease


def test_a_process_of_another_machine_counts_as_alive(store: JobStore, database: Database) -> None:
    add(store)
    claimed(store)
    with database.writing() as connection:
        connection.execute(update(jobs).values(host="elsewhere", pid=2**22 + 1))
    assert store.look().wanted == {}
    assert store.claim() is None
    with database.writing() as connection:
        connection.execute(update(jobs).values(host="elsewhere", pid=os.getpid()))
    assert store.look().wanted == {}


def test_tables_of_a_newer_program_are_a_clear_error(database_url: str, database: Database) -> None:
    with database.writing() as connection:
        connection.exec_driver_sql("UPDATE jobs_version SET version_num = '9999'")
    for make in (True, False):
        with pytest.raises(ConfigurationError, match="another version"):
            open_jobs(database_url, make=make)


def test_a_missing_table_is_a_storage_error(store: JobStore) -> None:
    with store.database.writing() as connection:
        connection.exec_driver_sql("DROP TABLE jobs")
    with pytest.raises(StorageError, match="jobs"):
        store.look()


def test_the_migrations_make_the_tables_of_the_models(database: Database) -> None:
    with database.reading() as connection:
        found = inspect(connection)
        for table in metadata.sorted_tables:
            columns = {each["name"]: each["nullable"] for each in found.get_columns(table.name)}
            assert columns == {each.name: each.nullable for each in table.columns}
