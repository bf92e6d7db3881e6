"""Processes are told apart by machine and id; only one of this machine is known to be dead."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from indexer.system.this_process import is_dead, machine


def test_a_process_of_this_machine_is_dead_when_it_has_ended() -> None:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    assert is_dead(machine(), process.pid)
    assert not is_dead("elsewhere", process.pid)


def test_a_process_that_runs_is_not_dead() -> None:
    assert not is_dead(machine(), os.getpid())
    # Another user's: it exists, but takes no signals from us.
    assert not is_dead(machine(), 1)


def test_containers_of_one_host_are_different_machines(monkeypatch: pytest.MonkeyPatch) -> None:
    names = []
    for link in ("pid:[4026531836]", "pid:[4026532001]", "pid:[4026532002]"):
        monkeypatch.setattr(Path, "readlink", lambda _, link=link: Path(link))
        names.append(machine())
    host = socket.gethostname()
    assert names == [host, f"{host}/pid:[4026532001]", f"{host}/pid:[4026532002]"]
