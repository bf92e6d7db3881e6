"""Whether there is room for a producer's messages."""

import logging
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import pytest

from indexer.broker import Broker, open_broker
from indexer.messages.message import Send
from indexer.messages.pipelines import Pipeline, Step
from indexer.messages.topology import delay_queue, input_queue
from indexer.programs.room import room_for
from indexer.programs.start import ProducerLoopOptions


class Steps:
    """A queuer and two steps after it, on a broker."""

    def __init__(self, broker: Broker) -> None:
        self.broker = broker
        part = f"test-{uuid4().hex[:8]}"
        self.queuer, self.first, self.last = f"{part}-queuer", f"{part}-first", f"{part}-last"
        steps = [
            Step(self.queuer, to=[self.first]),
            Step(self.first, to=[self.last]),
            Step(self.last),
        ]
        self.topology = Pipeline("test", steps).compile()

    def has_room(self, **options: str) -> bool:
        """Whether the queuer, started by hand, may go on."""
        given = {"MAX_QUEUE_LEN": "1", "MIN_DISK_FREE": "0", "DATAROOT": ".", **options}
        return room_for(ProducerLoopOptions.of(given), self.broker, self.queuer)()


@pytest.fixture
def steps(broker_url: str) -> Iterator[Steps]:
    """The steps, declared."""
    with closing(open_broker(broker_url)) as broker:
        steps = Steps(broker)
        broker.declare(steps.topology)
        yield steps
        broker.delete(steps.topology)


@pytest.mark.parametrize("queue", [input_queue, delay_queue], ids=["waits", "to-be-retried"])
def test_a_queuer_that_is_started_by_hand_waits_for_all_steps_after_it(
    steps: Steps, queue: Callable[[str], str], caplog: pytest.LogCaptureFixture
) -> None:
    assert steps.has_room()
    assert not caplog.records
    steps.broker.publish([Send("", queue(steps.last), b"", delay=3600)])
    assert not steps.has_room()
    assert steps.has_room(WATCH_QUEUES=input_queue(steps.first))


def test_a_queuer_without_back_pressure_warns(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with closing(open_broker(f"sqlite:///{tmp_path}/q")) as broker:
        steps = Steps(broker)
        with caplog.at_level(logging.WARNING):
            assert steps.has_room(MAX_QUEUE_LEN="0")
    assert "no back-pressure" in caplog.text
    assert "--watch-queues" in caplog.text


def test_a_broker_that_does_not_tell_its_bindings_is_warned_of(
    steps: Steps, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(steps.broker, "routes", lambda: None)
    assert steps.has_room()
    assert "can't list its bindings" in caplog.text


def test_a_dry_run_asks_for_no_bindings(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    tried = ProducerLoopOptions.chosen({"dry_run": True, "min_disk_free": 0.0})
    with closing(open_broker(f"sqlite:///{tmp_path}/q")) as broker:
        assert room_for(tried, broker, "queuer")()
    assert not caplog.records
