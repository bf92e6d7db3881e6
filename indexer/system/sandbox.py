"""One function in a process of its own that can be killed, for untrusted input.

    Sandbox("package.module:function").run(request) → answer        bytes in, bytes out

The process is started once and serves many requests. A request that takes too much CPU time ends
it, and another one is started; a busy machine does not change what a request may take. The process
has limited memory, no network and none of our secrets, can't start programs, and dies with its
parent. Nothing is pickled, and output of libraries is discarded.
"""

import math
import signal
import socket
import subprocess
import time
from contextlib import ExitStack
from typing import NamedTuple

from indexer.errors import ConfigurationError, SandboxError
from indexer.system.children import import_path, python
from indexer.system.options import environment
from indexer.system.sandboxed import HEADER, MEGABYTE, SandboxMessage, read
from indexer.system.signals import signal_name

START_SECONDS = 60.0
"""Time limit for importing the function."""

STARTS = 3
"""The number of processes started before the caller learns that none starts."""

WALL_FACTOR = 10.0
"""A request may take so many times its CPU time, also on a busy machine: a process that sleeps must
end, too."""

_STOPPED_FROM_OUTSIDE = (
    signal.SIGHUP,
    signal.SIGINT,
    signal.SIGQUIT,
    signal.SIGKILL,
    signal.SIGTERM,
)
"""Signals that a request can't cause: from a person, a shutdown, or a system short of memory."""

END_SECONDS = 10.0
"""Time limit for the end of a process that has closed its connection."""

MAX_ANSWER = 256 * MEGABYTE

_KEPT = ("HOME", "LANG", "LD_LIBRARY_PATH", "PATH", "TMPDIR", "TZ")
"""Variables that the process needs. The others may hold secrets."""

_ENVIRONMENT = {
    # Otherwise libraries of linear algebra start a thread for each core, each with its memory.
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "PYTHONUTF8": "1",
}


class SandboxLimits(NamedTuple):
    """The limits of one process.

    `seconds` of CPU time limit a request, `megabytes` the address space. The process is replaced
    after `requests` requests, and when it occupies more than `keep_megabytes` after one: libraries
    leak.
    """

    seconds: float = 30.0
    megabytes: int = 1024
    requests: int = 2000
    keep_megabytes: int = 400


class Sandbox:
    """A function in a process of its own. For one thread at a time."""

    def __init__(self, function: str, limits: SandboxLimits | None = None) -> None:
        """`function` is "package.module:name", of type `Callable[[bytes], bytes]`.

        Raises ConfigurationError.
        """
        self._function = function
        self._limits = limits or SandboxLimits()
        if self._limits.seconds <= 0 or self._limits.megabytes <= 0:
            raise ConfigurationError("a sandbox needs time and memory: more than 0")
        self._wall_seconds = WALL_FACTOR * self._limits.seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._channel: socket.socket | None = None
        self._served = 0

    def start(self) -> None:
        """Start the process, if it does not run; `run` does so, too.

        Raises ConfigurationError; SandboxError("start") if several processes were killed, or took
        too long, while they started; OSError if the system can't start a process at the moment.
        """
        for starts in range(1, STARTS + 1):
            try:
                self._start()
            except SandboxError as error:
                self.close()
                why = f"{self._function} doesn't start: {error.why}"
                if error.reason not in ("killed", "timeout"):
                    raise ConfigurationError(why) from error
                if starts == STARTS:
                    raise SandboxError("start", why) from error
            else:
                return

    def run(self, request: bytes, seconds: float | None = None) -> bytes:
        """Return the function's answer, made in at most `seconds` of CPU time.

        Raises SandboxError; the next request is served again. Raises the errors of `start`, if
        another process had to be started.
        """
        self.start()
        seconds = min(seconds or self._limits.seconds, self._limits.seconds)
        self._served += 1
        self._send(request, seconds)
        kind, body, megabytes = self._receive(time.monotonic() + self._wall_seconds)
        if self._served >= self._limits.requests or megabytes > self._limits.keep_megabytes:
            self.close()
        return _answer(kind, body)

    def close(self) -> None:
        """End the process. A later `run` starts another."""
        if self._channel is not None:
            self._channel.close()
            self._channel = None
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _start(self) -> None:
        # A process may be killed while it waits for a request.
        if self._process is not None and self._process.poll() is not None:
            self.close()
        if self._channel is None:
            self._launch()
            kind, body, _ = self._receive(time.monotonic() + START_SECONDS)
            _answer(kind, body)

    def _launch(self) -> None:
        ours, theirs = socket.socketpair()
        limits = [str(self._wall_seconds), str(self._limits.megabytes)]
        program = python("indexer.system.sandboxed", str(theirs.fileno()), *limits)
        with ExitStack() as unless_started, theirs:
            unless_started.callback(ours.close)
            self._process = subprocess.Popen(
                [*program, self._function],
                env=_environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                # Ctrl-C must not reach it: the program first finishes the messages in progress.
                start_new_session=True,
            )
            unless_started.pop_all()
        self._channel = ours
        self._served = 0

    def _send(self, request: bytes, seconds: float) -> None:
        assert self._channel is not None  # noqa: S101 - for mypy: it was started
        header = HEADER.pack(SandboxMessage.REQUEST, math.ceil(seconds * 1000), len(request))
        try:
            self._channel.settimeout(self._wall_seconds)
            self._channel.sendall(header + request)
        except TimeoutError:
            raise self._stopped("timeout", "it does not read the request") from None
        except OSError:
            # The process has ended: `_receive` finds out why.
            return

    def _receive(self, deadline: float) -> tuple[int, bytes, int]:
        """Return the kind of the reply, its body, and the megabytes that the process occupies."""
        assert self._channel is not None  # noqa: S101 - for mypy: it was started
        try:
            kind, megabytes, size = HEADER.unpack(read(self._channel, HEADER.size, deadline))
            if size > MAX_ANSWER:
                raise self._stopped("crash", f"an answer of {size} bytes")
            body = read(self._channel, size, deadline)
        except TimeoutError:
            raise self._stopped("timeout", f"no answer in {self._wall_seconds:g} s") from None
        except (EOFError, OSError):
            raise self._ended() from None
        if kind == SandboxMessage.MEMORY:
            raise self._stopped("memory", f"more than {self._limits.megabytes} MB")
        return kind, body, megabytes

    def _stopped(self, reason: str, why: str) -> SandboxError:
        self.close()
        return SandboxError(reason, why)

    def _ended(self) -> SandboxError:
        """Return the error for a process that ended by itself."""
        assert self._process is not None  # noqa: S101 - for mypy: it was started
        try:
            status = self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            return self._stopped("crash", "it closed its connection")
        if status == -signal.SIGPROF:
            return self._stopped("timeout", "more CPU time than its limit")
        if status == -signal.SIGALRM:
            return self._stopped("timeout", "its own timer ended it")
        ending = signal_name(-status) if status < 0 else f"exit status {status}"
        reason = "killed" if -status in _STOPPED_FROM_OUTSIDE else "crash"
        return self._stopped(reason, ending)


def _answer(kind: int, body: bytes) -> bytes:
    """Return the function's result. Raises SandboxError for an exception of the function."""
    if kind == SandboxMessage.ERROR:
        raise SandboxError("error", body.decode("utf-8", "replace"))
    return body


def _environment() -> dict[str, str]:
    kept = {name: value for name, value in environment().items() if name in _KEPT}
    return kept | _ENVIRONMENT | {"PYTHONPATH": import_path()}
