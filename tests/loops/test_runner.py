"""The message loop, on the embedded broker."""

import gc
import itertools
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from indexer.broker import Broker, Consumer, open_broker
from indexer.errors import Discard, Requeue, Retry, Unroutable
from indexer.loops.inbox import Inbox
from indexer.loops.runner import Runner
from indexer.messages.message import Delivery, Send
from indexer.messages.outcome import Outcome, OutcomeKind, RetryPolicy
from indexer.messages.pipelines import Pipeline, Step
from indexer.messages.worker import Hold, Result, Worker
from indexer.stories.story import ContentMetadata, RSSEntry, Story
from tests.patience import PATIENCE

TOPOLOGY = Pipeline("test", [Step("source", to=["work"]), Step("work")]).compile()


class Echo(Worker[Story, Story]):
    """Returns its input, or calls the given function."""

    name = "work"
    takes = Story
    prefetch = 4

    def __init__(self, act: Callable[[Story], Story | None] = lambda story: story) -> None:
        self.act = act
        self.waits: dict[str | None, float] = {}
        self.held: list[str | None] = []

    def process(self, payload: Story) -> Story | None:
        return self.act(payload)

    def hold(self, payload: Story) -> float:
        self.held.append(payload.rss_entry.link)
        return self.waits.get(payload.rss_entry.link, 0.0)


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    opened = open_broker(f"sqlite:///{tmp_path / 'queues.sqlite3'}")
    opened.declare(TOPOLOGY)
    yield opened
    opened.close()


def story(link: str) -> Send:
    """The message of a story for the worker."""
    return Send("source-out", "default", Story(rss_entry=RSSEntry(link=link)).dump())


def run(
    broker: Broker, worker: Worker[Story, Story], stop: threading.Event | None = None
) -> list[Outcome]:
    """Run a worker until its queue is empty; the outcomes of its messages."""
    outcomes: list[Outcome] = []
    consumer = broker.consume("work-in", worker.prefetch)
    runner = Runner(
        worker, Inbox(consumer, RetryPolicy("work"), [outcomes.append], until_empty=True)
    )
    try:
        runner.run(stop or threading.Event())
    finally:
        consumer.close()
    assert runner.taken == 0 or stop is not None
    return outcomes


def ready(broker: Broker, queue: str) -> int:
    """The number of messages in a queue."""
    depth = broker.depth(queue)
    assert depth is not None
    return depth.ready


def test_each_message_has_one_outcome_and_is_settled(broker: Broker) -> None:
    broker.publish(story(f"http://a.example/{number}") for number in range(20))
    outcomes = run(broker, Echo())
    assert sorted(o.label for o in outcomes) == sorted(f"http://a.example/{n}" for n in range(20))
    assert {(o.kind, o.status) for o in outcomes} == {(OutcomeKind.DONE, "success")}
    assert ready(broker, "work-in") == 0


def test_random_bytes_are_quarantined_as_they_came(broker: Broker) -> None:
    broker.publish([Send("", "work-in", b"\x80\x04\x95 pickle"), story("http://a.example/1")])
    outcomes = run(broker, Echo())
    assert {o.status for o in outcomes} == {"bad-message", "success"}
    consumer = broker.consume("work-quar", 1)
    delivery = consumer.receive(PATIENCE)
    assert delivery is not None
    assert delivery.body == b"\x80\x04\x95 pickle"
    assert "not a story" in str(delivery.headers["x-mc-what"])
    consumer.close()


def test_an_unexpected_error_costs_one_message_only(broker: Broker) -> None:
    def fail(story: Story) -> Story:
        if story.rss_entry.link == "http://a.example/0":
            raise ZeroDivisionError
        return story

    broker.publish(story(f"http://a.example/{number}") for number in range(3))
    outcomes = run(broker, Echo(fail))
    assert sorted(o.kind for o in outcomes) == [
        OutcomeKind.DONE,
        OutcomeKind.DONE,
        OutcomeKind.RETRY,
    ]
    assert ready(broker, "work-fast") == 1


def test_a_disposition_of_hold_ends_the_handling(broker: Broker) -> None:
    class Picky(Echo):
        def hold(self, payload: Story) -> float:
            raise Requeue("too-soon")

    broker.publish([story("http://a.example/1")])
    assert [o.status for o in run(broker, Picky())] == ["too-soon"]
    assert ready(broker, "work-fast") == 1


def test_what_is_held_is_processed_when_it_is_due_and_others_pass_it(broker: Broker) -> None:
    order: list[str | None] = []

    def note(story: Story) -> None:
        order.append(story.rss_entry.link)

    worker = Echo(note)
    worker.waits = {"http://a.example/slow": 0.15}
    broker.publish([story("http://a.example/slow"), story("http://b.example/quick")])
    run(broker, worker)
    assert order == ["http://b.example/quick", "http://a.example/slow"]
    assert sorted(filter(None, worker.held)) == ["http://a.example/slow", "http://b.example/quick"]


def test_a_hold_is_called_in_place_of_process_with_what_it_carries(broker: Broker) -> None:
    class Careful(Worker[Story, Story]):
        name = "work"
        takes = Story

        def hold(self, payload: Story) -> Hold[Story]:
            link = payload.rss_entry.link or ""
            return Hold(0.02 * ("slow" in link), lambda: self._learned(payload, f"{link}#seen"))

        def process(self, payload: Story) -> Story:
            raise AssertionError

        def _learned(self, payload: Story, link: str) -> Story:
            payload.rss_entry.link = link
            return payload

    broker.publish([story("http://a.example/slow"), story("http://b.example/quick")])
    outcomes = run(broker, Careful())
    assert {outcome.label for outcome in outcomes if outcome.status == "success"} == {
        "http://a.example/slow#seen",
        "http://b.example/quick#seen",
    }


def test_what_hold_learned_is_forgotten_with_its_message(broker: Broker) -> None:
    """Neither a message that is put back, nor one that the runner releases, leaves it behind."""

    class Fact:
        """A value that a hold carries."""

    stop, facts = threading.Event(), weakref.WeakSet[Fact]()

    class Careful(Worker[Story, Story]):
        name = "work"
        takes = Story

        def hold(self, payload: Story) -> Hold[Story]:
            fact = Fact()
            facts.add(fact)
            ending = Requeue("too-soon") if "again" in payload.label else None
            return Hold(0.0 if ending else 600.0, lambda: self._end(fact, ending))

        def process(self, payload: Story) -> Story:
            raise AssertionError

        def _end(self, _: Fact, ending: Exception | None) -> Result[Story]:
            stop.set()
            raise ending or AssertionError

    broker.publish([story("http://a.example/later"), story("http://a.example/again")])
    assert [o.status for o in run(broker, Careful(), stop)] == ["too-soon"]
    gc.collect()
    assert list(facts) == []


def test_what_is_held_goes_back_when_the_runner_stops(broker: Broker) -> None:
    stop = threading.Event()
    worker = Echo(lambda _: stop.set())
    worker.waits = {"http://a.example/later": 600.0}
    broker.publish([story("http://a.example/later"), story("http://b.example/now")])
    outcomes = run(broker, worker, stop)
    assert [o.label for o in outcomes] == ["http://b.example/now"]
    assert ready(broker, "work-in") == 1


def test_threads_process_at_the_same_time(broker: Broker) -> None:
    together = threading.Barrier(3, timeout=PATIENCE)

    def meet(_: Story) -> None:
        together.wait()

    worker = Echo(meet)
    worker.threads = 3
    broker.publish(story(f"http://a.example/{number}") for number in range(3))
    assert len(run(broker, worker)) == 3


def test_a_send_that_cannot_be_routed_ends_the_runner_and_keeps_the_message(broker: Broker) -> None:
    broker.publish([story("http://a.example/1")])
    broker.delete(Pipeline("end", [Step("work")]).compile())
    with pytest.raises(Unroutable):
        run(broker, Echo())
    assert ready(broker, "work-in") == 1


def test_observers_are_told_after_settling(broker: Broker) -> None:
    seen: list[int] = []
    broker.publish([story("http://a.example/1")])
    consumer = broker.consume("work-in", 1)
    runner = Runner(
        Echo(lambda _: (_ for _ in ()).throw(Discard("no-text"))),
        Inbox(
            consumer,
            RetryPolicy("work"),
            [lambda _: seen.append(len(_unsettled(broker)))],
            until_empty=True,
        ),
    )
    runner.run(threading.Event())
    assert seen == [0]
    consumer.close()


def _unsettled(broker: Broker) -> range:
    depth = broker.depth("work-in")
    assert depth is not None
    return range(depth.ready + (depth.unsettled or 0))


def test_retries_come_back_until_they_are_used_up(broker: Broker) -> None:
    class Failing(Echo):
        def process(self, payload: Story) -> Story | None:
            raise Retry("noconn", delay=0.01, drop=True)

    broker.publish([story("http://a.example/1")])
    consumer = broker.consume("work-in", 1)
    outcomes: list[Outcome] = []
    policy = RetryPolicy("work", max_retries=2)
    stop = threading.Event()

    def observe(outcome: Outcome) -> None:
        outcomes.append(outcome)
        if outcome.kind is OutcomeKind.DISCARD:
            stop.set()

    Runner(Failing(), Inbox(consumer, policy, [observe])).run(stop)
    consumer.close()
    assert [o.kind for o in outcomes] == [OutcomeKind.RETRY, OutcomeKind.RETRY, OutcomeKind.DISCARD]


def test_an_outcome_says_where_its_story_came_from_as_known_in_the_end(broker: Broker) -> None:
    def parse(story: Story) -> Story:
        story.content_metadata = ContentMetadata(canonical_domain="town.example")
        return story

    entry = RSSEntry(link="http://town.example/1", source_feed_id=3, source_source_id=4)
    broker.publish([Send("source-out", "default", Story(rss_entry=entry).dump())])
    (outcome,) = run(broker, Echo(parse))
    assert outcome.origin == {"feed_id": 3, "source_id": 4, "domain": "town.example"}


class Slow:
    """A consumer that waits for `is_time` before it settles its first message.

    `is_settling` is set when it is asked to.
    """

    def __init__(self, consumer: Consumer) -> None:
        self._consumer = consumer
        self.is_time: Callable[[], bool] = lambda: True
        self.is_settling = threading.Event()
        self.settled: list[int] = []

    def receive(self, timeout: float) -> Delivery | None:
        return self._consumer.receive(timeout)

    def is_empty(self) -> bool:
        return self._consumer.is_empty()

    def settle(self, deliveries: Sequence[Delivery], sends: Sequence[Send] = ()) -> None:
        self.is_settling.set()
        end = time.monotonic() + PATIENCE
        while not self.settled and not self.is_time() and time.monotonic() < end:
            time.sleep(0.01)
        self._consumer.settle(deliveries, sends)
        self.settled.append(len(deliveries))

    def close(self) -> None:
        self._consumer.close()


def test_a_broker_that_sends_late_is_not_taken_for_an_empty_queue(broker: Broker) -> None:
    class Late(Slow):
        silences = 3

        def receive(self, timeout: float) -> Delivery | None:
            self.silences -= 1
            return None if self.silences >= 0 else super().receive(timeout)

        def is_empty(self) -> bool:
            return self.silences < 0 and super().is_empty()

    broker.publish([story("http://a.example/")])
    outcomes, consumer = list[Outcome](), Late(broker.consume("work-in", 1))
    inbox = Inbox(consumer, RetryPolicy("work"), [outcomes.append], until_empty=True)
    Runner(Echo(), inbox).run(threading.Event())
    consumer.close()
    assert [o.label for o in outcomes] == ["http://a.example/"]


def test_what_ends_while_another_is_settled_is_settled_together(broker: Broker) -> None:
    broker.publish(story(f"http://a.example/{number}") for number in range(3))
    calls, outcomes = itertools.count(), list[Outcome]()
    consumer = Slow(broker.consume("work-in", 3))

    def act(story: Story) -> Story:
        if next(calls):
            assert consumer.is_settling.wait(PATIENCE)
        return story

    worker = Echo(act)
    worker.threads = worker.prefetch = 3
    runner = Runner(
        worker, Inbox(consumer, RetryPolicy("work"), [outcomes.append], until_empty=True)
    )
    consumer.is_time = lambda: len(runner._ended) == 2
    runner.run(threading.Event())
    assert consumer.settled == [1, 2]
    assert len(outcomes) == 3
    assert runner.taken == ready(broker, "work-in") == 0
    consumer.close()
