"""The central log with real processes, from a program's log to the file."""

import re
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.patience import PATIENCE
from tests.workers.operations.programs import run, start


class Sink(NamedTuple):
    """A running sink: its process, its file and its port."""

    process: subprocess.Popen[str]
    file: Path
    port: int

    def send(self, *datagrams: bytes) -> None:
        """Send datagrams to it."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            for each in datagrams:
                sender.sendto(each, ("127.0.0.1", self.port))

    def text(self) -> str:
        """Return the log when it contains everything that was sent before."""
        deadline = time.monotonic() + PATIENCE
        self.send(b"all of it")
        while time.monotonic() < deadline:
            if self.file.exists() and "all of it" in (text := self.file.read_text()):
                return text
            time.sleep(0.02)
        raise AssertionError("nothing arrived")

    @property
    def variables(self) -> dict[str, str]:
        """The environment of a program that logs to it."""
        return {"SYSLOG_HOST": "127.0.0.1", "SYSLOG_PORT": str(self.port)}


@pytest.fixture
def sink(tmp_path: Path) -> Iterator[Sink]:
    """A listening sink."""
    process = start("syslog_sink", "--bind=127.0.0.1", LOG_DIR=str(tmp_path), SYSLOG_PORT="0")
    try:
        assert process.stderr is not None
        said = re.search(r"listening at 127\.0\.0\.1:(\d+)", process.stderr.readline())
        assert said
        yield Sink(process, tmp_path / "messages.log", int(said[1]))
    finally:
        process.kill()
        process.communicate(timeout=PATIENCE)


def test_logs_of_programs_are_in_one_file(sink: Sink) -> None:
    said = ["-t", "backup", "-p", "error", "done in", "42 s"]
    assert run("log", *said, **sink.variables)[0] == 0
    assert f" {socket.gethostname()} backup ERROR done in 42 s\n" in sink.text()


def test_hostile_datagrams_end_nothing(sink: Sink) -> None:
    sink.send(b"", b"\xff\xfe", b"\x00" * 60_000, b"\n\n\n", b"<134>fine")
    assert sink.text().splitlines() == ["\ufffd\ufffd", "fine", "all of it"]


def test_sigterm_ends_it_cleanly(sink: Sink) -> None:
    sink.process.send_signal(signal.SIGTERM)
    assert sink.process.wait(PATIENCE) == 0


def test_it_never_sends_its_own_log_to_itself(sink: Sink) -> None:
    variables = sink.variables | {"LOG_DIR": str(sink.file.parent / "other")}
    assert run("syslog_sink", "--bind=127.0.0.1", **variables)[0] == 2
    assert "can't listen" not in sink.text()


def test_log_sends_each_line_of_its_input(sink: Sink) -> None:
    process = start("log", **sink.variables)
    process.communicate("one\n\ntwo\n", timeout=PATIENCE)
    assert process.returncode == 0
    lines = [line for line in sink.text().splitlines() if " log INFO " in line]
    assert [line.partition(" INFO ")[2] for line in lines] == ["one", "two"]
