"""Programs as processes: signals, kills, and a run that is gone. In-process: `test_app.py`."""

import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from indexer.system.options import environment
from tests.paths import ROOT
from tests.patience import PATIENCE
from tests.programs.test_app import queue, ready

Start = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def start(tmp_path: Path) -> Start:
    """Starts a program of tests/toy in a directory of its own."""

    def run(program: str, *arguments: str, **variables: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", f"tests.toy.{program}", *arguments],
            cwd=ROOT,
            env={**environment(), "DATAROOT": str(tmp_path), **variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    return run


def rest(process: subprocess.Popen[str]) -> str:
    """What a program writes until it ends, behind the lines that were read."""
    assert process.stderr is not None
    # `communicate` would lose the lines that `readline` has read ahead.
    too_late = threading.Timer(PATIENCE, process.kill)
    too_late.start()
    try:
        return process.stderr.read()
    finally:
        process.wait(PATIENCE)
        too_late.cancel()


def test_sigterm_ends_a_program_cleanly(start: Start, tmp_path: Path) -> None:
    queue(tmp_path, *["slow"] * 20)
    process = start("work")
    assert process.stderr is not None
    first = process.stderr.readline()
    process.send_signal(signal.SIGTERM)
    done = (first + rest(process)).count("success: slow")
    assert process.returncode == 0
    assert 1 <= done < 20
    assert ready(tmp_path, "work-in") == 20 - done


def test_a_program_that_is_killed_loses_nothing(start: Start, tmp_path: Path) -> None:
    queue(tmp_path, *["slow"] * 10)
    process = start("work")
    assert process.stderr is not None
    line = process.stderr.readline()
    process.kill()
    done = (line + rest(process)).count("success: slow")
    again = start("work", "--until-empty")
    _, err = again.communicate(timeout=PATIENCE)
    # A message that was settled, but not logged yet, is in neither count.
    assert 10 - done - 1 <= err.count("success: slow") <= 10 - done
    assert ready(tmp_path, "work-in") == 0


def test_a_worker_ends_when_the_run_that_started_it_is_gone(start: Start, tmp_path: Path) -> None:
    queue(tmp_path)
    # Descriptor 63 is not open in the program: writing to it fails, as if the run were gone.
    process = start("work", "--report-fd=63")
    assert process.wait(timeout=PATIENCE) == 0
    process.communicate()


@pytest.mark.parametrize("arguments", [[], ["--fails"]])
def test_sigterm_ends_a_periodic_program_cleanly_while_it_waits(
    start: Start, arguments: list[str]
) -> None:
    process = start("look", "--interval=86400", *arguments)
    assert process.stderr is not None
    process.stderr.readline()
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert "closed" in err
