"""Processes that are killed at a chosen moment of their work on a disk."""

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

fork = multiprocessing.get_context("fork")

EFFECTS = ("open", "os.rename", "os.remove", "os.mkdir", "os.truncate", "fcntl.flock")
"""Python's audit events of calls that change a disk."""


def killed_at(moment: int, root: Path, act: Callable[[], None]) -> bool:
    """Call `act` in a process that is killed before its effect number `moment` below `root`.

    Returns False if the process ended before.
    """

    def run() -> None:
        seen = 0

        def hook(event: str, arguments: tuple[object, ...]) -> None:
            nonlocal seen
            if event in EFFECTS and (event == "fcntl.flock" or str(root) in str(arguments[0])):
                seen += 1
                if seen > moment:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(hook)
        act()

    process = fork.Process(target=run)
    process.start()
    process.join()
    assert process.exitcode in (0, -signal.SIGKILL)
    return process.exitcode != 0
