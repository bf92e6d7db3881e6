"""Which process this is, in a form that other processes can check: is it still alive? And how
often it looks for garbage.

Nothing that is imported is garbage, but with Python's own thresholds the collector examines it
again and again: a seventh of the time in which a program starts, and then 20 ms each time.
"""

import gc
import os
from contextlib import suppress
from pathlib import Path

HOST_NAMESPACE = "pid:[4026531836]"
"""The namespace of process ids that Linux starts with; each container has another one."""

_USUAL = (700, 10, 10)
"""Python's own thresholds."""


def machine() -> str:
    """The name of the host; within a container, with the namespace of its process ids.

    Process ids mean nothing in another namespace: containers of one host may share its name.
    """
    import socket  # noqa: PLC0415 - not for commands, which call `collect_rarely` at their start

    host = socket.gethostname()
    with suppress(OSError):
        namespace = str(Path("/proc/self/ns/pid").readlink())
        if namespace != HOST_NAMESPACE:
            return f"{host}/{namespace}"
    return host


def is_dead(host: str, pid: int) -> bool:
    """Whether a process has certainly ended; False if it is of another machine."""
    if host != machine():
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False


def collect_rarely() -> None:
    """Let the collector of garbage rest: called before a program imports its modules."""
    gc.set_threshold(1_000_000)


def collect_as_usual() -> None:
    """Let the collector of garbage work: called when a program begins its work.

    It leaves out all objects that exist now.
    """
    gc.freeze()
    gc.set_threshold(*_USUAL)
