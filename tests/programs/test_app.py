"""How a program starts and ends."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from indexer.broker import open_broker
from indexer.messages.message import Send
from indexer.messages.topology import Pipeline, Step
from indexer.stories.story import RSSEntry, Story
from indexer.system.options import environment
from tests.paths import ROOT

TOPOLOGY = Pipeline("toy", [Step("source", to=["work"]), Step("work")]).compile()

Start = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def start(tmp_path: Path) -> Start:
    """Starts a program of tests/toy in a directory of its own."""

    def run(program: str, *arguments: str, **variables: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", f"tests.toy.{program}", *arguments],
            cwd=ROOT,
            env={**environment(), "DATAROOT": str(tmp_path), **variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    return run


def queue(tmp_path: Path, *links: str) -> None:
    """Declare the topology, and queue stories."""
    broker = open_broker(f"sqlite:///{tmp_path / 'queues.sqlite3'}")
    broker.declare(TOPOLOGY)
    stories = [Story(rss_entry=RSSEntry(link=link)) for link in links]
    broker.publish(Send("", "work-in", story.dump()) for story in stories)
    broker.close()


def ready(tmp_path: Path, name: str) -> int:
    """How many messages wait."""
    broker = open_broker(f"sqlite:///{tmp_path / 'queues.sqlite3'}")
    depth = broker.depth(name)
    broker.close()
    assert depth is not None
    return depth.ready


def test_help_is_the_modules_docstring_and_every_option(start: Start) -> None:
    out, _ = start("work", "--help").communicate(timeout=30)
    assert "Passes stories on" in out
    assert "--max-retries" in out
    assert "python -m tests.toy.work" in out


def test_a_worker_ends_with_status_0_when_its_queue_is_empty(start: Start, tmp_path: Path) -> None:
    queue(tmp_path, "a", "drop")
    process = start("work", "--until-empty")
    _, err = process.communicate(timeout=30)
    assert process.returncode == 0
    assert "| INFO | work | success: a" in err
    assert "dropped: drop [discard]" in err


def test_sigterm_ends_a_program_cleanly(start: Start, tmp_path: Path) -> None:
    queue(tmp_path, *["slow"] * 20)
    process = start("work")
    assert process.stderr is not None
    first = process.stderr.readline()
    process.send_signal(signal.SIGTERM)
    _, rest = process.communicate(timeout=30)
    done = (first + rest).count("success: slow")
    assert process.returncode == 0
    assert 1 <= done < 20
    assert ready(tmp_path, "work-in") == 20 - done


def test_a_program_that_is_killed_loses_nothing(start: Start, tmp_path: Path) -> None:
    queue(tmp_path, *["slow"] * 10)
    process = start("work")
    assert process.stderr is not None
    line = process.stderr.readline()
    process.kill()
    _, rest = process.communicate(timeout=30)
    done = (line + rest).count("success: slow")
    again = start("work", "--until-empty")
    _, err = again.communicate(timeout=30)
    # What was settled but not yet logged when it was killed is in neither count.
    assert 10 - done - 1 <= err.count("success: slow") <= 10 - done
    assert ready(tmp_path, "work-in") == 0


def test_a_broker_that_is_not_there_is_status_1_and_one_line(start: Start) -> None:
    url = "amqp://user:hunter2@127.0.0.1:9/?connection_attempts=1"
    process = start("work", BROKER_URL=url)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "BrokerError" in err
    assert "Traceback" not in err
    assert "hunter2" not in err


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
    start: Start, program: str, arguments: list[str], says: str
) -> None:
    process = start(program, *arguments)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 2
    assert says in err
    assert "Traceback" not in err


def test_from_quarantine_takes_what_was_quarantined(start: Start, tmp_path: Path) -> None:
    queue(tmp_path)
    broker = open_broker(f"sqlite:///{tmp_path / 'queues.sqlite3'}")
    good = Story(rss_entry=RSSEntry(link="a")).dump()
    broker.publish([Send("", "work-quar", body) for body in (good, b"junk")])
    broker.close()
    process = start("work", "--from-quarantine")
    _, err = process.communicate(timeout=30)
    assert "success: a" in err
    # What is quarantined again is not taken again.
    assert err.count("bad-message") == 1
    assert ready(tmp_path, "work-quar") == 1


def test_a_worker_ends_when_the_run_that_started_it_is_gone(start: Start, tmp_path: Path) -> None:
    queue(tmp_path)
    # Descriptor 63 is not open in the program: writing to it fails as to a reader that is gone.
    process = start("work", "--report-fd=63")
    started = time.monotonic()
    assert process.wait(timeout=30) == 0
    assert time.monotonic() - started < 30
    process.communicate()
