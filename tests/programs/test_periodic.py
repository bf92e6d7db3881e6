"""Programs that measure something once a minute."""

import json
import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from indexer.errors import BrokerError, ConfigurationError
from indexer.metrics import attached
from indexer.programs.periodic import Periodic, PeriodicLoop, seconds_to_next
from tests.clock import Clock
from tests.each_row import each_row
from tests.metrics.sinks import DEPTH, Heard
from tests.toy import look


class Ended(NamedTuple):
    """How a program ended."""

    status: int
    out: str
    err: str


Run = Callable[..., Ended]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the program of tests/toy that measures, to its end."""
    monkeypatch.setenv("DATAROOT", str(tmp_path))

    def run(*arguments: str) -> Ended:
        try:
            status = look.main(arguments)
        except SystemExit as exit:
            status = int(exit.code or 0)
        return Ended(status, *capsys.readouterr())

    return run


@each_row(
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
    """Measures the given numbers, one set after the other; stops after the last."""

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
    """The numbers that a sink gets."""
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
    # After a failed measurement the old value may be wrong.
    assert heard.forgotten == [("test.depth", ("a",))]


def test_what_can_never_work_ends_it(clock: Clock) -> None:
    with pytest.raises(ConfigurationError):
        rounds(Scripted(ConfigurationError("no"), {"a": 1}), clock)


def test_one_look_as_json_is_all_that_is_printed(run: Run) -> None:
    ended = run("--json")
    assert ended.status == 0
    assert [json.loads(line) for line in ended.out.splitlines()] == [
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
    run: Run, arguments: list[str], status: int, says: str
) -> None:
    ended = run(*arguments)
    assert (ended.status, ended.out) == (status, "")
    assert says in ended.err
    assert "Traceback" not in ended.err


def test_help_has_an_example_and_all_options(run: Run) -> None:
    out = run("--help").out
    assert "Example: python -m tests.toy.look" in out
    for name in ("--interval", "--once", "--json", "METRICS_ADDRESS", "STATSD_URL", "SYSLOG_HOST"):
        assert name in out
