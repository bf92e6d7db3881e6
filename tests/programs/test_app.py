"""The start and the end of programs, in this process; others are in `test_app_slow.py`."""

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import pytest

from indexer.broker import open_broker
from indexer.messages.message import Send
from indexer.messages.pipelines import Pipeline, Step
from indexer.messages.topology import Topology
from indexer.stories.story import RSSEntry, Story
from tests.toy.family.flavor import PIPELINE as FAMILY

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


def queue(tmp_path: Path, *links: str, topology: Topology = TOPOLOGY) -> None:
    """Declare the topology, and queue stories."""
    broker = open_broker(f"sqlite:///{tmp_path / 'queues.sqlite3'}")
    broker.declare(topology)
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


def test_a_worker_on_the_queues_of_an_older_version_retries_with_them(
    run: Run, tmp_path: Path
) -> None:
    older = [queue for queue in TOPOLOGY.queues if not queue.name.endswith(("-short", "-long"))]
    queue(tmp_path, "a", "next-run", topology=replace(TOPOLOGY, queues=older))
    ended = run("work", "--until-empty", RETRY_DELAY_MINUTES="30")
    assert ended.status == 0
    assert "no queue work-delay-long: messages wait in another one" in ended.err
    assert ready(tmp_path, "work-delay") == 1


def test_a_program_whose_output_nothing_takes_ends_before_it_takes_a_message(
    run: Run, tmp_path: Path
) -> None:
    queue(tmp_path, "a", topology=replace(TOPOLOGY, bindings=()))
    for program, arguments in (("work", ["--until-empty"]), ("source", ["b"])):
        ended = run(program, *arguments)
        assert ended.status == 1
        assert f"nothing is bound to {program}-out: `story-indexer pipeline configure" in ended.err
        assert "success" not in ended.err
    assert run("source", "b", "--dry-run", MIN_DISK_FREE="0").status == 0
    assert ready(tmp_path, "work-in") == 1


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


def test_a_file_that_cannot_be_the_database_of_jobs_is_status_2_and_said(run: Run) -> None:
    ended = run("steps", JOBS_DATABASE_URL="sqlite:////dev/null/jobs.sqlite3")
    assert ended.status == 2
    assert "can't use /dev/null/jobs.sqlite3 for a database" in ended.err


def test_a_flavor_without_queues_for_control_messages_is_status_2_and_said(
    run: Run, tmp_path: Path
) -> None:
    broker = open_broker(f"sqlite:///{tmp_path / 'queues.sqlite3'}")
    broker.declare(Pipeline("toy", [Step("source", to=["steps"]), Step("steps")]).compile())
    broker.close()
    ended = run("steps", "--until-empty")
    assert ended.status == 2
    assert "no exchange steps-instances" in ended.err


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


def test_a_program_reads_the_queue_that_its_place_names_and_may_speak_unheard(
    run: Run, tmp_path: Path
) -> None:
    broker = open_broker(f"sqlite:///{tmp_path / 'queues.sqlite3'}")
    broker.declare(FAMILY.compile())
    broker.publish([Send("toy_exchange", "job.start.red.paint", b"")])
    names = {"PROCESS_NAME": "red-painter", "INPUT_QUEUE": "red_painter"}
    assert run("family.painter", "--until-empty", **names).status == 0
    assert ready(tmp_path, "requester-in") == 2
    broker.purge("requester-in")
    wanted = [b"job.start.green.paint", b"job.start.red.paint"]
    broker.publish(Send("", "requester-in", key) for key in wanted)
    ended = run("family.requester", "--until-empty", PROCESS_NAME="", INPUT_QUEUE="")
    assert ended.status == 0
    assert ended.err.count("| INFO | requester | refused: ") == 1
    assert ready(tmp_path, "red_painter") == 1
    broker.close()
