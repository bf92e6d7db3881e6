"""The loop of producers, on the embedded broker."""

import threading
import time
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pytest

from indexer.broker import Broker, open_broker
from indexer.errors import BrokerError
from indexer.loops.producing import ProducerRunner
from indexer.messages.message import queued_since
from indexer.messages.outcome import Outcome, OutcomeKind
from indexer.messages.pipelines import Pipeline, Step
from indexer.messages.worker import Mark, Producer, Skipped
from indexer.stories.story import RSSEntry, Story

TOPOLOGY = Pipeline("test", [Step("source", to=["work"]), Step("work")]).compile()

Item = Story | Skipped | Mark


class Source(Producer[Story]):
    """Yields the given items, and records when it is resumed."""

    name = "source"

    def __init__(self, items: list[Item], resumed: Callable[[Item], None] = lambda _: None) -> None:
        self.items = items
        self.resumed = resumed
        self.closed = False

    def produce(self) -> Generator[Item, None, None]:
        try:
            for item in self.items:
                yield item
                self.resumed(item)
        finally:
            self.closed = True


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    opened = open_broker(f"sqlite:///{tmp_path / 'queues.sqlite3'}")
    opened.declare(TOPOLOGY)
    yield opened
    opened.close()


def stories(count: int) -> list[Item]:
    """Some stories."""
    return [Story(rss_entry=RSSEntry(link=f"http://a.example/{n}")) for n in range(count)]


def ready(broker: Broker) -> int:
    """The number of queued stories."""
    depth = broker.depth("work-in")
    assert depth is not None
    return depth.ready


def test_all_that_is_yielded_is_queued_and_told(broker: Broker) -> None:
    outcomes: list[Outcome] = []
    source = Source([*stories(5), Skipped("bad-url", "http://x", "no host")])
    ProducerRunner("source", source, broker, [outcomes.append], batch_size=2).run(threading.Event())
    assert ready(broker) == 5
    assert [o.status for o in outcomes].count("queuing") == 5
    skipped = [o for o in outcomes if o.kind is OutcomeKind.SKIPPED]
    assert [(o.status, o.label, o.why) for o in skipped] == [("bad-url", "http://x", "no host")]


def test_what_is_queued_has_the_time_of_its_queuing(broker: Broker) -> None:
    before = time.time()
    ProducerRunner("source", Source(stories(1)), broker, []).run(threading.Event())
    delivery = broker.consume("work-in", 1).receive(0)
    assert delivery is not None
    since = queued_since(delivery)
    assert since is not None
    assert before - 0.001 <= since <= time.time()


def test_what_comes_before_a_mark_is_in_the_queue_when_it_is_passed(broker: Broker) -> None:
    seen: list[int] = []

    def resumed(item: Item) -> None:
        if isinstance(item, Mark):
            seen.append(ready(broker))

    source = Source([*stories(3), Mark(), *stories(2), Mark()], resumed)
    ProducerRunner("source", source, broker, batch_size=100).run(threading.Event())
    assert seen == [3, 5]


def test_a_batch_is_shuffled(broker: Broker) -> None:
    source = Source(stories(4))
    runner = ProducerRunner("source", source, broker, batch_size=4, shuffle=lambda b: b.reverse())
    runner.run(threading.Event())
    consumer = broker.consume("work-in", 4)
    bodies = [consumer.receive(1.0) for _ in range(4)]
    links = [Story.load(d.body).rss_entry.link for d in bodies if d]
    consumer.close()
    assert links == [f"http://a.example/{n}" for n in (3, 2, 1, 0)]


def test_a_dry_run_queues_nothing(broker: Broker) -> None:
    outcomes: list[Outcome] = []
    runner = ProducerRunner("source", Source(stories(3)), broker, [outcomes.append], dry_run=True)
    runner.run(threading.Event())
    assert ready(broker) == 0
    assert [o.status for o in outcomes] == ["parsed"] * 3


def test_full_queues_end_a_run_that_does_not_loop_and_close_the_producer(broker: Broker) -> None:
    source = Source(stories(10))
    runner = ProducerRunner("source", source, broker, batch_size=2, room=lambda: ready(broker) < 4)
    runner.run(threading.Event())
    assert ready(broker) == 4
    assert source.closed


def test_full_queues_make_a_looping_run_wait(broker: Broker) -> None:
    stop = threading.Event()
    looks: list[bool] = []

    def room() -> bool:
        looks.append(True)
        if len(looks) == 2:
            stop.set()
        return False

    runner = ProducerRunner("source", Source(stories(3)), broker, loop=True, room=room)
    runner.run(_Impatient(stop))
    assert len(looks) == 2
    assert ready(broker) == 0


class _Impatient(threading.Event):
    """An event whose waits end at once: the test doesn't depend on time."""

    def __init__(self, event: threading.Event) -> None:
        super().__init__()
        self._event = event

    def is_set(self) -> bool:
        return self._event.is_set()

    def wait(self, timeout: float | None = None) -> bool:
        return self._event.is_set()


def test_a_broker_that_fails_ends_the_run_and_closes_the_producer(broker: Broker) -> None:
    source = Source([*stories(1), Mark()], lambda _: pytest.fail("resumed"))
    broker.delete(TOPOLOGY)
    with pytest.raises(BrokerError):
        ProducerRunner("source", source, broker, batch_size=1).run(threading.Event())
    assert source.closed


def test_what_is_queued_or_skipped_says_where_it_came_from(broker: Broker) -> None:
    queued = Story(rss_entry=RSSEntry(link="http://a.example/1", source_feed_id=7))
    skipped = Skipped("no-url", "row 8", origin={"row": 8})
    outcomes: list[Outcome] = []
    ProducerRunner("source", Source([queued, skipped]), broker, [outcomes.append]).run(
        threading.Event()
    )
    assert {outcome.status: outcome.origin for outcome in outcomes} == {
        "queuing": {"feed_id": 7},
        "no-url": {"row": 8},
    }


def test_a_producer_that_waits_is_not_asked_whether_there_is_room(broker: Broker) -> None:
    looks: list[None] = []

    def room() -> bool:
        looks.append(None)
        return True

    items: list[Item] = [*[Mark(idle=True)] * 5, *stories(1), Mark()]
    ProducerRunner("source", Source(items), broker, room=room).run(threading.Event())
    assert len(looks) == 2
    assert ready(broker) == 1
