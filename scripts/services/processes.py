"""Processes that outlive the command that started them, and can be found again.

Each process leads its own session, and is stopped with all its children. Its boot and start time
(proc(5)) distinguish it from a later process with the same number.
"""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from .places import Account, account

PATIENCE = 15.0
"""Seconds after which processes that do not end are killed."""

KILLED_SECONDS = 60.0
"""The longest wait for the end of killed processes: a busy machine takes its time."""

PROGRAMS = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class Process(NamedTuple):
    """A process, identified until the machine is restarted."""

    pid: int
    started: int
    boot: str

    def alive(self) -> bool:
        """Whether the process runs."""
        status = _status(self.pid)
        return self.boot == _boot() and status is not None and status.started == self.started

    def stop(self) -> None:
        """End all processes of the session; kill those that don't end in time."""
        for sign, seconds in ((signal.SIGTERM, PATIENCE), (signal.SIGKILL, KILLED_SECONDS)):
            deadline = time.monotonic() + seconds
            members = self._session()
            for pid in members:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, sign)
            while members and time.monotonic() < deadline:
                time.sleep(0.05)
                members = self._session()

    def _session(self) -> list[int]:
        """The processes of the session; none if another process has the number now."""
        leader = _status(self.pid)
        reused = leader is not None and leader.started != self.started
        if self.boot != _boot() or reused:
            return []
        statuses = ((pid, _status(pid)) for pid in _pids())
        return [pid for pid, status in statuses if status and status.session == self.pid]


def start(
    command: Sequence[str],
    folder: Path,
    log: Path,
    environment: Mapping[str, str],
    *,
    as_root: bool = False,
) -> Process:
    """Start a program in a folder, as the services' account or as root.

    It continues after this process.
    """
    with log.open("wb") as output:
        owner = Account(0, 0) if as_root else account()
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
    """No groups under root, so that services don't have root's; else the groups stay."""
    return [] if os.geteuid() == 0 else None


class _Status(NamedTuple):
    session: int
    started: int


def _status(pid: int) -> _Status | None:
    """The session and the start, in ticks since the boot, of a running process."""
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
