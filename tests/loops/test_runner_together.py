"""Which messages are settled together, and when."""

import itertools
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from indexer.broker import Broker, open_broker
from indexer.errors import Unroutable
from indexer.loops.inbox import Inbox
from indexer.loops.runner import TOGETHER_SECONDS, Runner
from indexer.messages.message import Delivery, Send
from indexer.messages.outcome import Outcome, RetryPolicy
from indexer.messages.pipelines import Pipeline, Step
from indexer.messages.worker import Worker
from indexer.stories.story import RSSEntry, Story
from tests.broker.conftest import soon
from tests.each_row import each_row
from tests.patience import PATIENCE

TOPOLOGY = Pipeline("test", [Step("source", to=["work"]), Step("work")]).compile()
PREFETCH = 16


class Echo(Worker[Story, Story]):
    """Returns its input after a call of the given function."""

    name = "work"
    takes = Story
    prefetch = PREFETCH

    def __init__(self, act: Callable[[], None] = lambda: None) -> None:
        self.act = act

    def process(self, payload: Story) -> Story:
        self.act()
        return payload


class Recorded:
    """A consumer that records the numbers of messages that were settled together."""

    def __init__(self, broker: Broker, prefetch: int = PREFETCH) -> None:
        self._consumer = broker.consume("work-in", prefetch)
        self.settled: list[int] = []

    def receive(self, timeout: float) -> Delivery | None:
        return self._consumer.receive(timeout)

    def is_empty(self) -> bool:
        return self._consumer.is_empty()

    def settle(self, deliveries: Sequence[Delivery], sends: Sequence[Send] = ()) -> None:
        self._consumer.settle(deliveries, sends)
        self.settled.append(len(deliveries))

    def close(self) -> None:
        self._consumer.close()


class Time:
    """A clock that stands still unless it is moved."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now

    def pass_by(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    opened = open_broker(f"sqlite:///{tmp_path / 'queues.sqlite3'}")
    opened.declare(TOPOLOGY)
    yield opened
    opened.close()


def fill(broker: Broker, count: int) -> None:
    body = Story(rss_entry=RSSEntry(link="http://a.example/")).dump()
    broker.publish([Send("source-out", "default", body)] * count)


def run(
    consumer: Recorded,
    worker: Echo,
    clock: Callable[[], float] | None = None,
    stop: threading.Event | None = None,
) -> list[Outcome]:
    """Run a worker until its queue is empty; the outcomes of its messages."""
    outcomes: list[Outcome] = []
    policy = RetryPolicy("work")
    inbox = Inbox(
        consumer, policy, [outcomes.append], clock=clock or Time(), until_empty=stop is None
    )
    Runner(worker, inbox).run(stop or threading.Event())
    consumer.close()
    return outcomes


def waiting(broker: Broker, queue: str) -> int:
    depth = broker.depth(queue)
    assert depth is not None
    return depth.ready


def test_half_of_the_prefetch_is_settled_by_one_call_and_the_rest_when_none_follows(
    broker: Broker,
) -> None:
    fill(broker, 20)
    consumer = Recorded(broker)
    assert len(run(consumer, Echo())) == 20
    assert consumer.settled == [8, 8, 4]


@each_row("prefetch", [1, 2, 3])
def test_a_worker_that_keeps_few_messages_settles_each_at_once(
    broker: Broker, prefetch: int
) -> None:
    fill(broker, 3)
    consumer, worker = Recorded(broker, prefetch), Echo()
    worker.prefetch = prefetch
    run(consumer, worker)
    assert consumer.settled == [1, 1, 1]


def test_a_message_does_not_wait_long_for_others(broker: Broker) -> None:
    fill(broker, 9)
    clock = Time()
    consumer = Recorded(broker)
    run(consumer, Echo(lambda: clock.pass_by(TOGETHER_SECONDS / 2)), clock)
    assert consumer.settled == [3, 3, 3]


def test_threads_settle_together_what_ends_at_the_same_time(broker: Broker) -> None:
    fill(broker, 4)
    # All four are taken when the first of them ends.
    barrier = threading.Barrier(4)

    def wait() -> None:
        barrier.wait(PATIENCE)

    consumer, worker = Recorded(broker), Echo(wait)
    worker.threads = 4
    assert len(run(consumer, worker)) == 4
    assert consumer.settled == [4]


def test_messages_that_end_during_a_settlement_wait_for_others_too(broker: Broker) -> None:
    fill(broker, 4)
    first = threading.Barrier(2)
    settling, settled = threading.Event(), threading.Event()
    calls = itertools.count()

    class Slow(Recorded):
        """Settles the first two messages while the third one ends, and before the fourth does."""

        def settle(self, deliveries: Sequence[Delivery], sends: Sequence[Send] = ()) -> None:
            settling.set()
            super().settle(deliveries, sends)
            settled.set()

    def act() -> None:
        call = next(calls)
        if call < 2:
            first.wait(PATIENCE)
        else:
            assert (settling if call == 2 else settled).wait(PATIENCE)

    consumer, worker = Slow(broker, prefetch=4), Echo(act)
    worker.threads = worker.prefetch = 4
    assert len(run(consumer, worker)) == 4
    assert consumer.settled == [2, 2]


def test_a_message_is_settled_though_another_one_takes_long(broker: Broker) -> None:
    fill(broker, 2)
    consumer, calls, waited = Recorded(broker), itertools.count(), list[bool]()

    def act() -> None:
        if next(calls):
            waited.append(soon(lambda: consumer.settled == [1]))

    worker = Echo(act)
    worker.threads = 2
    run(consumer, worker, time.monotonic)
    assert waited == [True]
    assert consumer.settled == [1, 1]


def test_all_that_was_processed_is_settled_at_a_stop_and_the_rest_returned(
    broker: Broker,
) -> None:
    fill(broker, 5)
    stop = threading.Event()
    consumer, seen = Recorded(broker), list[int]()

    def act() -> None:
        seen.append(1)
        if len(seen) == 2:
            stop.set()

    assert len(run(consumer, Echo(act), stop=stop)) == 2
    assert consumer.settled == [2]
    assert waiting(broker, "work-in") == 3


def test_others_are_settled_before_a_message_that_may_have_ended_its_process(
    broker: Broker,
) -> None:
    fill(broker, 3)
    died = broker.consume("work-in", 3)
    assert all(died.receive(0) for _ in range(3))
    died.close()
    consumer = Recorded(broker)
    settled_before: list[int] = []
    run(consumer, Echo(lambda: settled_before.append(sum(consumer.settled))))
    assert settled_before == [0, 1, 2]


def test_a_send_that_cannot_be_routed_keeps_all_messages_that_would_be_settled_with_it(
    broker: Broker,
) -> None:
    fill(broker, 4)
    broker.delete(Pipeline("end", [Step("work")]).compile())
    consumer = Recorded(broker)
    with pytest.raises(Unroutable):
        run(consumer, Echo())
    consumer.close()
    assert waiting(broker, "work-in") == 4
