"""Programs that look at something once a minute."""

import json
import logging
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from indexer.errors import BrokerError, ConfigurationError
from indexer.metrics import attached
from indexer.programs.periodic import Periodic, PeriodicLoop, seconds_to_next
from indexer.system.options import environment
from tests.clock import Clock
from tests.metrics.sinks import DEPTH, Heard
from tests.paths import ROOT

Start = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def start(tmp_path: Path) -> Start:
    """Starts the program of tests/toy that looks."""

    def run(*arguments: str, **variables: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "tests.toy.look", *arguments],
            cwd=ROOT,
            env={**environment(), "DATAROOT": str(tmp_path), **variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    return run


@pytest.mark.parametrize(
    ("now", "interval", "seconds"),
    [
        (0.0, 60.0, 60.0),
        (1.0, 60.0, 59.0),
        (59.0, 60.0, 1.0),
        # Woken a little early: it was for this multiple.
        (59.9, 60.0, 60.1),
        (61.5, 0.5, 0.5),
    ],
)
def test_it_wakes_at_whole_multiples_of_the_interval(
    now: float, interval: float, seconds: float
) -> None:
    assert seconds_to_next(now, interval) == pytest.approx(seconds)


class Scripted(Periodic):
    """Sees what it is told to see, one thing after the other; stops after the last."""

    name = "scripted"

    def __init__(self, *seen: dict[str, int] | Exception) -> None:
        self._seen = list(seen)
        self.stop = threading.Event()

    def tick(self) -> None:
        seen = self._seen.pop(0)
        if not self._seen:
            self.stop.set()
        if isinstance(seen, Exception):
            raise seen
        for name, depth in seen.items():
            DEPTH.set(depth, name=name)


def rounds(program: Scripted, clock: Clock) -> Heard:
    """What is heard of its looks."""
    heard = Heard()
    with attached(heard):
        PeriodicLoop(program, "scripted", 0.01, clock).run(program.stop)
    return heard


def test_what_is_not_seen_any_more_is_forgotten(clock: Clock) -> None:
    heard = rounds(Scripted({"a": 1, "b": 2}, {"a": 3}, {"a": 3}), clock)
    assert heard.forgotten == [("test.depth", ("b",))]


def test_a_look_that_fails_is_logged_and_counted_and_the_next_one_comes(
    clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        heard = rounds(Scripted({"a": 1}, BrokerError("gone"), {"a": 2}), clock)
    ticks = [labels for name, _, labels in heard.numbers if name == "ticks"]
    assert ticks == [("ok",), ("error",), ("ok",)]
    assert caplog.messages == ["BrokerError: gone"]
    # Nobody knows how it was meanwhile.
    assert heard.forgotten == [("test.depth", ("a",))]


def test_what_can_never_work_ends_it(clock: Clock) -> None:
    with pytest.raises(ConfigurationError):
        rounds(Scripted(ConfigurationError("no"), {"a": 1}), clock)


def test_one_look_as_json_is_all_that_is_printed(start: Start) -> None:
    out, _ = (process := start("--json")).communicate(timeout=60)
    assert process.returncode == 0
    assert [json.loads(line) for line in out.splitlines()] == [
        {"name": "toy.depth", "labels": {"name": "parser-in"}, "value": 3},
        {"name": "toy.looks", "labels": {}, "value": 1},
    ]


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (["--once"], 0, ""),
        (["--once", "--fails"], 1, "BrokerError: the broker is gone"),
        (["--json", "--fails"], 1, "BrokerError: the broker is gone"),
        (["--interval=0"], 2, "--interval"),
        (["--interval=nan"], 2, "--interval"),
        (["--interval=1e12"], 2, "--interval"),
        (["--interval=often"], 2, "--interval"),
        (["--never"], 2, "--never can't work"),
        (["--metrics=nowhere"], 2, "HOST:PORT"),
    ],
)
def test_the_exit_status_says_how_it_ended(
    start: Start, arguments: list[str], status: int, says: str
) -> None:
    out, err = (process := start(*arguments)).communicate(timeout=60)
    assert (process.returncode, out) == (status, "")
    assert says in err
    assert "Traceback" not in err


@pytest.mark.parametrize("arguments", [[], ["--fails"]])
def test_sigterm_ends_it_cleanly_while_it_waits(start: Start, arguments: list[str]) -> None:
    process = start("--interval=86400", *arguments)
    assert process.stderr is not None
    process.stderr.readline()
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "closed" in err


def test_help_has_an_example_and_all_options(start: Start) -> None:
    out, _ = start("--help").communicate(timeout=60)
    assert "Example: python -m tests.toy.look" in out
    for name in ("--interval", "--once", "--json", "METRICS_ADDRESS", "STATSD_URL", "SYSLOG_HOST"):
        assert name in out
