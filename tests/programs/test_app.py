"""The start and the end of programs, in this process; others are in `test_app_slow.py`."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import pytest

from indexer.broker import open_broker
from indexer.messages.message import Send
from indexer.messages.topology import Pipeline, Step
from indexer.stories.story import RSSEntry, Story

TOPOLOGY = Pipeline("toy", [Step("source", to=["work"]), Step("work")]).compile()


class Ended(NamedTuple):
    """How a program ended."""

    status: int
    out: str
    err: str


Run = Callable[..., Ended]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a program of tests/toy to its end."""

    def run(program: str, *arguments: str, **variables: str) -> Ended:
        for name, value in {"DATAROOT": str(tmp_path), **variables}.items():
            monkeypatch.setenv(name, value)
        try:
            status = import_module(f"tests.toy.{program}").main(arguments)
        except SystemExit as exit:
            status = exit.code
        return Ended(status, *capsys.readouterr())

    return run


def queue(tmp_path: Path, *links: str) -> None:
    """Declare the topology, and queue stories."""
    broker = open_broker(f"sqlite:///{tmp_path / 'queues.sqlite3'}")
    broker.declare(TOPOLOGY)
    stories = [Story(rss_entry=RSSEntry(link=link)) for link in links]
    broker.publish(Send("", "work-in", story.dump()) for story in stories)
    broker.close()


def ready(tmp_path: Path, name: str) -> int:
    """The number of messages in a queue."""
    broker = open_broker(f"sqlite:///{tmp_path / 'queues.sqlite3'}")
    depth = broker.depth(name)
    broker.close()
    assert depth is not None
    return depth.ready


def test_help_is_the_modules_docstring_and_every_option(run: Run) -> None:
    out = run("work", "--help").out
    assert "Passes stories on" in out
    assert "--max-retries" in out
    assert "python -m tests.toy.work" in out


def test_a_worker_ends_with_status_0_when_its_queue_is_empty(run: Run, tmp_path: Path) -> None:
    queue(tmp_path, "a", "drop")
    ended = run("work", "--until-empty")
    assert ended.status == 0
    assert "| INFO | work | success: a" in ended.err
    assert "dropped: drop [discard]" in ended.err


def test_a_broker_that_is_not_there_is_status_1_and_one_line(run: Run) -> None:
    url = "amqp://user:hunter2@127.0.0.1:9/?connection_attempts=1"
    ended = run("work", BROKER_URL=url)
    assert ended.status == 1
    assert "BrokerError" in ended.err
    assert "Traceback" not in ended.err
    assert "hunter2" not in ended.err


@pytest.mark.parametrize(
    ("program", "arguments", "says"),
    [
        ("work", ["--broker-url=ftp://x/"], "URLs start with sqlite:///"),
        ("work", ["--log-level=loud"], "no log level 'loud'"),
        ("sink", ["--batch-seconds=1800"], "at most 1500"),
        ("work", ["--threads=many"], "--threads"),
    ],
)
def test_an_option_that_cannot_work_is_status_2_and_said(
    run: Run, program: str, arguments: list[str], says: str, caplog: pytest.LogCaptureFixture
) -> None:
    ended = run(program, *arguments)
    assert ended.status == 2
    # The log has no handler of the program's own yet if its level is wrong.
    assert says in ended.err + caplog.text
    assert "Traceback" not in ended.err


def test_from_quarantine_takes_what_was_quarantined(run: Run, tmp_path: Path) -> None:
    queue(tmp_path)
    broker = open_broker(f"sqlite:///{tmp_path / 'queues.sqlite3'}")
    good = Story(rss_entry=RSSEntry(link="a")).dump()
    broker.publish([Send("", "work-quar", body) for body in (good, b"junk")])
    broker.close()
    err = run("work", "--from-quarantine").err
    assert "success: a" in err
    # A message that is quarantined again is not taken again.
    assert err.count("bad-message") == 1
    assert ready(tmp_path, "work-quar") == 1
