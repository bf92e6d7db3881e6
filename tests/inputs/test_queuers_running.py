"""Whole runs of queuers: after full queues, stops and failures nothing is repeated or lost."""

import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from indexer.broker import Broker, open_broker
from indexer.errors import BrokerError, InputError
from indexer.inputs.queuers import Named
from indexer.inputs.tracker import InputState
from indexer.loops.producing import ProducerRunner
from indexer.messages.outcome import Outcome, OutcomeKind
from indexer.messages.pipelines import Pipeline, Step
from indexer.messages.worker import Skipped
from indexer.stories.story import Story
from tests.lines import Lines, Make, making, state, write

TOPOLOGY = Pipeline("test", [Step("lines", to=["work"]), Step("work")]).compile()


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """See `Make`."""
    with making(tmp_path) as make:
        yield make


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    opened = open_broker(f"sqlite:///{tmp_path / 'queues.sqlite3'}")
    opened.declare(TOPOLOGY)
    yield opened
    opened.close()


def run(queuer: Lines, broker: Broker, **given: Any) -> list[Outcome]:
    """Queue the items of a queuer; the outcomes."""
    outcomes: list[Outcome] = []
    stop = given.pop("stop", threading.Event())
    runner = ProducerRunner("lines", queuer, broker, [outcomes.append], batch_size=3, **given)
    runner.run(stop)
    return outcomes


def queued(broker: Broker) -> list[str]:
    """The links in the queue, in alphabetical order."""
    depth = broker.depth("work-in")
    assert depth is not None
    consumer = broker.consume("work-in", 1000)
    received = [consumer.receive(0.0) for _ in range(depth.ready)]
    consumer.close()
    return sorted(Story.load(each.body).rss_entry.link or "" for each in received if each)


def test_full_queues_stop_a_run_and_the_next_goes_on_without_repeating_anything(
    make: Make, tmp_path: Path, broker: Broker
) -> None:
    path = write(tmp_path / "f", *"abcdefgh")
    for _ in range(4):
        rooms = iter([True, True, False])
        run(make(path), broker, room=lambda rooms=rooms: next(rooms, False))
    assert state(tmp_path, path) is InputState.FINISHED
    assert queued(broker) == list("abcdefgh")


@pytest.mark.parametrize("lines", ["ab", "abc", ["a", "b", "broken"]])
def test_queues_that_are_full_at_the_end_of_a_file_make_nothing_come_twice(
    make: Make, tmp_path: Path, broker: Broker, lines: list[str]
) -> None:
    path = write(tmp_path / "f", *lines)
    rooms = iter([True])
    run(make(path), broker, room=lambda: next(rooms, False))
    with suppress(InputError):
        run(make(path), broker)
    assert queued(broker) == [line for line in lines if line != "broken"]


def test_a_run_that_is_stopped_repeats_nothing(make: Make, tmp_path: Path, broker: Broker) -> None:
    path = write(tmp_path / "f", *"abcdefgh")
    for stopped_after in (1, 5, 100):
        stop = threading.Event()
        queuer = make(path)
        queuer.process_file = _stopping(queuer, stop, stopped_after)  # type: ignore[method-assign]  # to be told
        run(queuer, broker, stop=stop)
    assert queued(broker) == list("abcdefgh")
    assert state(tmp_path, path) is InputState.FINISHED


def _stopping(queuer: Lines, stop: threading.Event, after: int) -> Callable[..., Any]:
    """Read a file, and stop after some items."""
    original = queuer.process_file

    def process_file(name: str, file: BinaryIO) -> Iterator[Story | Skipped | Named]:
        for count, item in enumerate(original(name, file)):
            if count == after:
                stop.set()
            yield item

    return process_file


def test_a_broker_that_fails_leaves_the_file_to_be_read_again(
    make: Make, tmp_path: Path, broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> None:
        raise BrokerError("gone")

    path = write(tmp_path / "f", "a", "b")
    with monkeypatch.context() as patched:
        patched.setattr(broker, "publish", fail)
        with pytest.raises(BrokerError):
            run(make(path), broker)
    assert state(tmp_path, path) is InputState.LEFT
    run(make(path), broker)
    assert queued(broker) == ["a", "b"]


def test_every_item_is_told(make: Make, tmp_path: Path, broker: Broker) -> None:
    outcomes = run(make(write(tmp_path / "f", "a", "-", "b")), broker)
    assert sorted((o.kind, o.status) for o in outcomes) == [
        (OutcomeKind.QUEUED, "queuing"),
        (OutcomeKind.QUEUED, "queuing"),
        (OutcomeKind.SKIPPED, "bad"),
    ]
