"""The process of a `Sandbox`: imports a function, gives up its rights, and answers requests.

    python -m indexer.system.sandboxed DESCRIPTOR SECONDS MEGABYTES package.module:function

A message is a header with a length, and so many bytes, over a socket; in both directions.
"""

import os
import resource
import signal
import socket
import struct
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from enum import IntEnum
from importlib import import_module
from pathlib import Path
from typing import Any

from indexer.system.this_process import collect_as_usual, collect_rarely

MEGABYTE = 1 << 20

HEADER = struct.Struct("!BIQ")
"""The kind of message, a number, and the length of the body.

The number is the milliseconds of CPU time that a request may take, or the megabytes that the
process occupies after it.
"""

_FORBIDDEN = frozenset(
    (
        "socket.bind",
        "socket.connect",
        "socket.getaddrinfo",
        "socket.gethostbyname",
        "socket.sendmsg",
        "socket.sendto",
        "subprocess.Popen",
        "os.exec",
        "os.fork",
        "os.forkpty",
        "os.posix_spawn",
        "os.system",
    )
)
"""Audit events (PEP 578): no network, no programs. Extractors would fetch a page's images."""

Work = Callable[[bytes], bytes]


class SandboxMessage(IntEnum):
    """The kinds of messages."""

    REQUEST = 0
    ANSWER = 1
    ERROR = 2
    MEMORY = 3


def read(channel: socket.socket, size: int, deadline: float | None = None) -> bytes:
    """Read exactly `size` bytes. Raises TimeoutError at `deadline`, EOFError, OSError."""
    parts = bytearray()
    while len(parts) < size:
        if deadline is not None:
            # A timeout of 0 would make the socket non-blocking, with another exception.
            channel.settimeout(max(deadline - time.monotonic(), 0.001))
        part = channel.recv(min(size - len(parts), MEGABYTE))
        if not part:
            raise EOFError
        parts += part
    return bytes(parts)


def main(arguments: Sequence[str]) -> int:
    """Serve requests until the parent has closed the socket."""
    descriptor, seconds, megabytes, function = arguments
    with socket.socket(fileno=int(descriptor)) as channel:
        try:
            module, _, name = function.partition(":")
            collect_rarely()
            work: Work = getattr(import_module(module), name)
            collect_as_usual()
        except Exception as error:  # noqa: BLE001 - the parent reports any error of an import
            _reply(channel, SandboxMessage.ERROR, _describe(error))
            return 1
        _seal(int(megabytes))
        _reply(channel, SandboxMessage.ANSWER, b"")
        with suppress(EOFError, OSError):
            _serve(channel, work, float(seconds))
    return 0


def _seal(megabytes: int) -> None:
    """Forbid network, programs and output, and limit memory, from now on."""
    with Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stderr.fileno())
    # A process inherits ignored signals.
    for timer in (signal.SIGPROF, signal.SIGALRM):
        signal.signal(timer, signal.SIG_DFL)
    sys.addaudithook(_refuse)
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    # macOS knows the limit, but can't set it.
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (megabytes * MEGABYTE, most))


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:  # noqa: ARG001 - a hook's signature
    if event in _FORBIDDEN:
        raise PermissionError(f"{event} in a sandbox")


def _serve(channel: socket.socket, work: Work, seconds: float) -> None:
    while True:
        _, milliseconds, size = HEADER.unpack(read(channel, HEADER.size))
        request = read(channel, size)
        signal.setitimer(signal.ITIMER_PROF, milliseconds / 1000)
        # The parent kills it earlier; this timer ends a process whose parent was killed.
        signal.setitimer(signal.ITIMER_REAL, 1.5 * seconds)
        kind, answer = _answer(work, request)
        for timer in (signal.ITIMER_PROF, signal.ITIMER_REAL):
            signal.setitimer(timer, 0)
        _reply(channel, kind, answer)


def _answer(work: Work, request: bytes) -> tuple[SandboxMessage, bytes]:
    try:
        return SandboxMessage.ANSWER, work(request)
    except MemoryError:
        return SandboxMessage.MEMORY, b"out of memory"
    except Exception as error:  # noqa: BLE001 - libraries raise anything: it is the answer
        return SandboxMessage.ERROR, _describe(error)


def _describe(error: Exception) -> bytes:
    return f"{type(error).__name__}: {error}"[:500].encode("utf-8", "replace")


def _reply(channel: socket.socket, kind: SandboxMessage, body: bytes) -> None:
    channel.sendall(HEADER.pack(kind, _occupied(), len(body)) + body)


def _occupied() -> int:
    """Return the megabytes of memory in use; 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return 0
    return pages * resource.getpagesize() // MEGABYTE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
