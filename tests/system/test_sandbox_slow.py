"""A function in a process of its own: whatever it does, the caller goes on."""

import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from indexer.errors import ConfigurationError, SandboxError
from indexer.system.sandbox import STARTS, Sandbox, SandboxLimits
from tests.paths import ROOT
from tests.patience import PATIENCE

ACT = "tests.sandboxed_functions:act"
LIMITS = SandboxLimits(seconds=20, megabytes=512)


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    sandbox = Sandbox(ACT, LIMITS)
    yield sandbox
    sandbox.close()


def fail_by_name(request: bytes) -> bytes:
    raise ValueError(f"process {os.getpid()} fails")


def ending(sandbox: Sandbox, request: bytes) -> SandboxError:
    with pytest.raises(SandboxError) as error:
        sandbox.run(request)
    return error.value


def wait_for_end(pid: int) -> None:
    """Return when a process has ended."""
    deadline = time.monotonic() + PATIENCE
    while is_alive(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not is_alive(pid)


def is_alive(pid: int) -> bool:
    """Whether it runs; one that nobody has waited for doesn't."""
    try:
        os.kill(pid, 0)
        stat = Path(f"/proc/{pid}/stat")
        return not stat.exists() or stat.read_text(encoding="ascii").split()[2] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("size", [0, 1, 100_000, 12_000_000])
def test_a_request_of_any_size_is_answered(size: int) -> None:
    sandbox = Sandbox("tests.sandboxed_functions:echo", LIMITS)
    request = os.urandom(size)
    assert sandbox.run(request) == request
    sandbox.close()


def test_what_libraries_print_is_not_taken_for_an_answer(
    sandbox: Sandbox, capfd: pytest.CaptureFixture[str]
) -> None:
    assert sandbox.run(b"noise") == b"quiet"
    assert sandbox.run(b"noise") == b"quiet"
    assert "noise" not in "".join(capfd.readouterr())


@pytest.mark.parametrize(
    ("request_", "what"),
    [(b"fail", "ValueError: no such thing"), (b"recurse", "RecursionError")],
)
def test_an_exception_is_an_answer_too(sandbox: Sandbox, request_: bytes, what: str) -> None:
    pid = sandbox.run(b"pid")
    error = ending(sandbox, request_)
    assert error.reason == "error"
    assert what in error.why
    assert sandbox.run(b"pid") == pid


@pytest.mark.parametrize("request_", [b"sleep", b"spin"])
def test_a_function_that_takes_too_long_is_killed_and_the_next_request_is_served(
    request_: bytes,
) -> None:
    sandbox = Sandbox(ACT, SandboxLimits(seconds=0.2))
    sandbox._wall_seconds = PATIENCE
    pid = sandbox.run(b"pid")
    sandbox._wall_seconds = 0.5 if request_ == b"sleep" else PATIENCE
    assert ending(sandbox, request_).reason == "timeout"
    assert not is_alive(int(pid))
    sandbox._wall_seconds = PATIENCE
    assert sandbox.run(b"pid") != pid
    sandbox.close()


def test_only_time_of_the_cpu_counts() -> None:
    sandbox = Sandbox(ACT, SandboxLimits(seconds=1))
    sandbox._wall_seconds = PATIENCE
    assert sandbox.run(b"nap") == b"awake"
    assert "CPU time" in ending(sandbox, b"spin").why
    sandbox.close()


def test_a_request_may_have_a_lower_limit_than_the_others() -> None:
    sandbox = Sandbox(ACT, SandboxLimits(seconds=600))
    with pytest.raises(SandboxError, match="timeout"):
        sandbox.run(b"spin", seconds=0.1)
    assert sandbox.run(b"pid")
    sandbox.close()


@pytest.mark.parametrize("request_", [b"killed", b"ended"])
def test_a_process_that_is_killed_from_outside_is_not_the_fault_of_its_request(
    sandbox: Sandbox, request_: bytes
) -> None:
    assert ending(sandbox, request_).reason == "killed"
    assert sandbox.run(b"pid")


def test_a_process_that_is_killed_while_it_waits_costs_no_request(sandbox: Sandbox) -> None:
    pid = int(sandbox.run(b"pid"))
    os.kill(pid, signal.SIGKILL)
    wait_for_end(pid)
    assert int(sandbox.run(b"pid")) != pid


@pytest.mark.parametrize("kills", [1, STARTS - 1])
def test_a_process_that_is_killed_while_it_starts_is_started_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kills: int
) -> None:
    left = tmp_path / "kills"
    left.write_text("x" * kills)
    monkeypatch.setenv("HOME", str(tmp_path))
    sandbox = Sandbox("tests.killed_while_it_starts:act", LIMITS)
    assert sandbox.run(b"pid")
    assert left.read_text() == ""
    sandbox.close()


def test_a_process_that_is_killed_at_each_start_is_no_mistake_in_the_configuration(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    left = tmp_path / "kills"
    left.write_text("x" * 99)
    monkeypatch.setenv("HOME", str(tmp_path))
    sandbox = Sandbox("tests.killed_while_it_starts:act", LIMITS)
    assert ending(sandbox, b"pid").reason == "start"
    assert len(left.read_text()) == 99 - STARTS


def test_a_function_cannot_take_more_memory_than_it_may(sandbox: Sandbox) -> None:
    assert ending(sandbox, b"grow").reason == "memory"
    assert sandbox.run(b"pid")


@pytest.mark.parametrize(
    ("request_", "how"), [(b"segfault", "SIGSEGV"), (b"leave", "exit status 3")]
)
def test_a_function_that_crashes_harms_nobody(sandbox: Sandbox, request_: bytes, how: str) -> None:
    error = ending(sandbox, request_)
    assert (error.reason, error.why) == ("crash", how)
    assert sandbox.run(b"pid")


@pytest.mark.parametrize("request_", [b"connect", b"resolve", b"program"])
def test_there_is_no_network_and_no_other_program(sandbox: Sandbox, request_: bytes) -> None:
    assert "PermissionError" in ending(sandbox, request_).why


def test_secrets_of_the_environment_stay_outside(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARCHIVER_S3_SECRET_ACCESS_KEY", "secret")
    names = sandbox.run(b"environment").decode().split()
    assert "ARCHIVER_S3_SECRET_ACCESS_KEY" not in names
    assert "PATH" in names


def test_control_c_does_not_reach_it(sandbox: Sandbox) -> None:
    assert int(sandbox.run(b"session")) != os.getsid(0)


def test_a_process_is_replaced_after_so_many_requests() -> None:
    sandbox = Sandbox(ACT, SandboxLimits(requests=2))
    pids = [sandbox.run(b"pid") for _ in range(4)]
    assert pids[0] == pids[1] != pids[2] == pids[3]
    sandbox.close()


def test_a_process_that_only_fails_is_replaced_too() -> None:
    sandbox = Sandbox(ACT, SandboxLimits(requests=2))
    pid = sandbox.run(b"pid")
    assert ending(sandbox, b"fail").reason == "error"
    assert sandbox.run(b"pid") != pid
    sandbox.close()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what a process occupies")
def test_a_process_that_has_grown_and_failed_is_replaced() -> None:
    sandbox = Sandbox(
        "tests.system.test_sandbox_slow:fail_by_name", SandboxLimits(keep_megabytes=1)
    )
    assert ending(sandbox, b"").why != ending(sandbox, b"").why
    sandbox.close()


def test_a_system_without_room_for_a_process_is_an_error_that_passes(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise BlockingIOError(errno.EAGAIN, "no more processes")

    before = len([*Path("/dev/fd").iterdir()])
    with monkeypatch.context() as patch:
        patch.setattr(subprocess, "Popen", refuse)
        for _ in range(2):
            with pytest.raises(BlockingIOError):
                sandbox.run(b"pid")
    # Servers of other tests may close their own meanwhile.
    assert len([*Path("/dev/fd").iterdir()]) <= before
    assert sandbox.run(b"pid")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what a process occupies")
def test_a_process_that_has_grown_is_replaced() -> None:
    sandbox = Sandbox(ACT, SandboxLimits(keep_megabytes=100))
    pid = sandbox.run(b"pid")
    assert sandbox.run(b"fatten") == pid
    assert sandbox.run(b"pid") != pid
    sandbox.close()


@pytest.mark.parametrize("function", ["tests.sandboxed_functions:nothing", "tests.nowhere:act"])
def test_a_function_that_cannot_be_imported_is_said_at_the_start(function: str) -> None:
    with pytest.raises(ConfigurationError, match=r"nothing|nowhere"):
        Sandbox(function, LIMITS).start()


@pytest.mark.parametrize("request_", ["pid", "sleep"])
def test_the_process_ends_with_its_parent(request_: str) -> None:
    code = f"""
import os, threading
from indexer.system.sandbox import Sandbox, SandboxLimits
sandbox = Sandbox({ACT!r}, SandboxLimits(seconds=5))
print(int(sandbox.run(b"pid")), flush=True)
threading.Thread(target=sandbox.run, args=(b{request_!r},), daemon=True).start()
input()
"""
    parent = subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    parent.send_signal(signal.SIGKILL)
    parent.communicate()
    wait_for_end(pid)
