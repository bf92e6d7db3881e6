"""`story-indexer jobs`: lists, and wishes of an operator."""

import json
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from indexer.commands.jobs.jobs import app
from indexer.jobs.control import load
from indexer.jobs.store import JobStore
from indexer.messages.outcome import OutcomeKind
from tests.commands.entering import Command
from tests.jobs.conftest import add, claimed, output
from tests.jobs.new_jobs import new_jobs


@pytest.fixture
def store(tmp_path: Path) -> Iterator[JobStore]:
    """A waiting job, a running one, a quarantined one."""
    with closing(new_jobs(f"sqlite:///{tmp_path}/jobs.sqlite3")) as database:
        store = JobStore(database, "work", timedelta(seconds=120))
        for id in ("bad", "running", "waiting"):
            add(store, id)
        claim = claimed(store)
        claim.checkpoint(b'{"page": 7}', [output(b"x")])
        claim.sent([1], unserved=[1])
        claim.end(OutcomeKind.QUARANTINE, "error", "ValueError('odd')", [])
        claim.close()
        claimed(store)
        yield store


@pytest.fixture
def command(
    store: JobStore,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Command:
    monkeypatch.setenv("DATAROOT", str(tmp_path))
    return Command(app, "jobs", monkeypatch, capsys)


def wanted(store: JobStore, id: str) -> str | None:
    [job] = load(store.database, id)
    return job.record.wanted


def test_a_list_is_a_line_a_job_the_newest_first(command: Command) -> None:
    printed = command.run("list")
    lines = [line.split() for line in printed.out.splitlines()]
    assert lines[0][:3] == ["step", "id", "state"]
    assert [(line[1], line[2]) for line in lines[1:]] == [
        ("waiting", "waiting"),
        ("running", "running"),
        ("bad", "quarantine"),
    ]
    assert "3 jobs" in printed.err


def test_a_list_for_programs_has_all_columns(command: Command) -> None:
    lines = command.run("list", "--state", "quarantine", "--json").out.splitlines()
    [job] = [json.loads(line) for line in lines]
    assert (job["id"], job["state"], job["status"], job["why"]) == (
        "bad",
        "quarantine",
        "error",
        "ValueError('odd')",
    )
    assert command.run("list", "--step", "other").out == ""


def test_a_job_is_shown_with_its_progress_and_its_reason(command: Command) -> None:
    printed = command.run("show", "bad").out
    assert '{"page": 7}' in printed
    assert "ValueError('odd')" in printed
    shown = json.loads(command.run("show", "bad", "--json").out)
    assert (shown["outputs"], shown["unserved"], shown["progress"]) == (1, 1, '{"page": 7}')
    assert "no job gone" in command.run("show", "gone", status=1).err


def test_stop_and_cancel_leave_a_wish(command: Command, store: JobStore) -> None:
    assert command.run("stop", "running").out == "1 job to stop\n"
    assert wanted(store, "running") == "stop"
    assert command.run("cancel", "running", "waiting").out == "2 jobs to cancel\n"
    assert wanted(store, "waiting") == "cancel"


def test_an_unknown_or_ended_job_is_said_and_is_no_error(command: Command) -> None:
    printed = command.run("stop", "bad", "gone")
    assert printed.out == "0 jobs to stop\n"
    assert "job gone has ended, or is unknown" in printed.err


def test_a_job_is_run_again_with_or_without_its_progress(command: Command, store: JobStore) -> None:
    assert json.loads(command.run("retry", "bad", "running", "--json").out) == {"jobs": 1}
    [job] = load(store.database, "bad")
    assert (job.record.kind, job.progress) == (None, b'{"page": 7}')
    command.run("retry", "bad", "--afresh")
    [job] = load(store.database, "bad")
    assert job.progress is None


def test_a_missing_database_is_a_clear_error(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JOBS_DATABASE_URL", f"sqlite:///{tmp_path}/other.sqlite3")
    assert "there is no database" in command.run("list", status=2).err
    monkeypatch.setenv("JOBS_DATABASE_URL", "mysql://user:hunter2@host/")
    printed = command.run("list", status=2)
    assert "postgresql://" in printed.err
    assert "hunter2" not in printed.err
