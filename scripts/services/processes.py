"""Processes that outlive the command that started them, and can be found again.

A process is the leader of a session of its own, and all that it starts is stopped with it. It is
told apart from a later process of the same number by its boot and start time (proc(5)).
"""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from .places import account

PATIENCE = 15.0
"""Seconds that processes have to end before they are killed."""

PROGRAMS = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class Process(NamedTuple):
    """A process, for as long as this machine runs."""

    pid: int
    started: int
    boot: str

    def alive(self) -> bool:
        """Whether it still runs."""
        status = _status(self.pid)
        return self.boot == _boot() and status is not None and status.started == self.started

    def stop(self) -> None:
        """End it and all of its session; kill what doesn't end in time."""
        for sign in (signal.SIGTERM, signal.SIGKILL):
            deadline = time.monotonic() + PATIENCE
            members = self._session()
            for pid in members:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, sign)
            while members and time.monotonic() < deadline:
                time.sleep(0.05)
                members = self._session()

    def _session(self) -> list[int]:
        """The processes of its session. None if its number now belongs to another."""
        leader = _status(self.pid)
        reused = leader is not None and leader.started != self.started
        if self.boot != _boot() or reused:
            return []
        statuses = ((pid, _status(pid)) for pid in _pids())
        return [pid for pid, status in statuses if status and status.session == self.pid]


def start(
    command: Sequence[str], folder: Path, log: Path, environment: Mapping[str, str]
) -> Process:
    """Start a program in a folder, as the services' account; it outlives this process."""
    with log.open("wb") as output:
        owner = account()
        child = subprocess.Popen(
            command,
            cwd=folder,
            env={"PATH": PROGRAMS, "LANG": "C.UTF-8", "HOME": str(folder), **environment},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            user=owner.uid,
            group=owner.gid,
            extra_groups=_no_groups(),
        )
    status = _status(child.pid)
    return Process(child.pid, status.started if status else 0, _boot())


def run(command: Sequence[str], folder: Path) -> None:
    """Run a program to its end as the services' account. Raises CalledProcessError."""
    owner = account()
    subprocess.run(
        command,
        cwd=folder,
        env={"PATH": PROGRAMS, "LANG": "C.UTF-8", "HOME": str(folder)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=True,
        timeout=120,
        user=owner.uid,
        group=owner.gid,
        extra_groups=_no_groups(),
    )


def _no_groups() -> list[int] | None:
    """None of root's groups; another user's can't be, and needn't be, taken away."""
    return [] if os.geteuid() == 0 else None


class _Status(NamedTuple):
    session: int
    started: int


def _status(pid: int) -> _Status | None:
    """A process that runs: its session and its start, in ticks since the boot."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    # The second field is the program's name in parentheses, and may hold anything.
    fields = text.rpartition(")")[2].split()
    if fields[0] in "ZX":
        return None
    return _Status(session=int(fields[3]), started=int(fields[19]))


def _pids() -> list[int]:
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]


def _boot() -> str:
    return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
