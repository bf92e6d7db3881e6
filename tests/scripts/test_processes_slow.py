"""Processes that are started, found again and stopped."""

import os
import time
from pathlib import Path

import pytest

from scripts.services import processes
from scripts.services.processes import Process
from tests.patience import PATIENCE


def start(folder: Path, script: str) -> Process:
    """Start a shell script that says when it is ready."""
    log = folder / "log"
    # Under root the services' account must be able to enter, and pytest's folders are private.
    process = processes.start(["sh", "-c", script], Path("/"), log, {})
    deadline = time.monotonic() + PATIENCE
    while "ready" not in log.read_text() and time.monotonic() < deadline:
        time.sleep(0.01)
    return process


def test_a_stopped_process_takes_its_children_with_it(tmp_path: Path) -> None:
    process = start(tmp_path, "sleep 60 & echo $! ready; wait")
    child = int((tmp_path / "log").read_text().split()[0])
    assert process.alive()
    process.stop()
    assert not process.alive()
    assert processes._status(child) is None


def test_what_ignores_the_signal_to_end_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "PATIENCE", 0.2)
    process = start(tmp_path, "trap '' TERM; echo ready; while :; do sleep 0.1; done")
    process.stop()
    assert not process.alive()


def test_another_process_of_the_same_number_is_left_alone(tmp_path: Path) -> None:
    process = start(tmp_path, "echo ready; exec sleep 60")
    stale = process._replace(started=process.started - 1)
    assert not stale.alive()
    stale.stop()
    assert process.alive()
    process.stop()


def test_a_process_of_an_earlier_boot_is_left_alone(tmp_path: Path) -> None:
    process = start(tmp_path, "echo ready; exec sleep 60")
    stale = process._replace(boot="an-earlier-one")
    assert not stale.alive()
    stale.stop()
    assert process.alive()
    process.stop()


def test_a_process_outlives_the_session_of_its_starter(tmp_path: Path) -> None:
    process = start(tmp_path, "echo ready; exec sleep 60")
    assert os.getsid(process.pid) == process.pid != os.getsid(0)
    process.stop()


def test_its_log_holds_all_that_it_says(tmp_path: Path) -> None:
    process = start(tmp_path, "echo error >&2; echo ready")
    assert (tmp_path / "log").read_text().split() == ["error", "ready"]
    process.stop()
