"""`qutil` as a process of its own."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands.queue_command import Queues
from tests.commands.queues.test_qutil import DESTRUCTIVE, put_aside
from tests.patience import PATIENCE

QUTIL = [sys.executable, "-m", "indexer.commands.queues.qutil"]


@pytest.mark.parametrize("command", DESTRUCTIVE)
def test_without_a_terminal_nothing_is_dropped(queues: Queues, command: str) -> None:
    queues.publish([put_aside("x")])
    ended = subprocess.run(
        [*QUTIL, command, "parser-quar", "--broker", queues.url],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    assert ended.returncode == 2
    assert b"--yes" in ended.stderr
    assert queues.ready("parser-quar") == 1


def test_an_unknown_queue_is_status_1(tmp_path: Path) -> None:
    ended = subprocess.run(
        [*QUTIL, "show", "x", "--data", tmp_path],
        capture_output=True,
        timeout=PATIENCE,
        check=False,
        text=True,
    )
    assert (ended.returncode, ended.stderr) == (1, "qutil: no queue x\n")
