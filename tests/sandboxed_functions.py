"""What the tests of the sandbox run in it."""

import os
import signal
import socket
import subprocess
import sys
import time


def echo(request: bytes) -> bytes:
    """The request."""
    return request


def act(request: bytes) -> bytes:
    """Do what the request says, and answer."""
    return _ACTS[request.decode()]()


def _pid() -> bytes:
    return str(os.getpid()).encode()


def _noise() -> bytes:
    os.write(1, b"noise" * 1000)
    os.write(2, b"noise" * 1000)
    print("noise", file=sys.stderr, flush=True)
    return b"quiet"


def _fail() -> bytes:
    raise ValueError("no such thing")


def _sleep() -> bytes:
    time.sleep(60)
    return b""


def _nap() -> bytes:
    time.sleep(1.2)
    return b"awake"


def _killed() -> bytes:
    os.kill(os.getpid(), signal.SIGKILL)
    return b""


def _ended() -> bytes:
    os.kill(os.getpid(), signal.SIGTERM)
    return b""


def _spin() -> bytes:
    # In C, where no signal handler of Python would be called.
    return str(sum(range(10**13))).encode()


def _grow() -> bytes:
    return bytes(bytearray(4 << 30))


def _fatten() -> bytes:
    _KEPT.append(b"x" * (150 << 20))
    return _pid()


def _segfault() -> bytes:
    os.kill(os.getpid(), signal.SIGSEGV)
    return b""


def _leave() -> bytes:
    os._exit(3)


def _recurse() -> bytes:
    return _recurse()


def _connect() -> bytes:
    with socket.socket() as out:
        out.connect(("127.0.0.1", 9))
    return b""


def _resolve() -> bytes:
    socket.getaddrinfo("localhost", 80)
    return b""


def _program() -> bytes:
    subprocess.run(["true"], check=True)
    return b""


def _environment() -> bytes:
    return " ".join(sorted(os.environ)).encode()


def _session() -> bytes:
    return str(os.getsid(0)).encode()


_KEPT: list[bytes] = []

_ACTS = {
    "pid": _pid,
    "noise": _noise,
    "fail": _fail,
    "sleep": _sleep,
    "nap": _nap,
    "killed": _killed,
    "ended": _ended,
    "spin": _spin,
    "grow": _grow,
    "fatten": _fatten,
    "segfault": _segfault,
    "leave": _leave,
    "recurse": _recurse,
    "connect": _connect,
    "resolve": _resolve,
    "program": _program,
    "environment": _environment,
    "session": _session,
}
