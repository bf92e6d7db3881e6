"""The loop of batch workers, on the embedded broker."""

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from indexer.broker import Broker, open_broker
from indexer.errors import Discard, Disposition, Quarantine, Retry, StorageError
from indexer.loops.batches import BatchRunner
from indexer.loops.inbox import Inbox
from indexer.messages.message import Delivery, Send
from indexer.messages.outcome import Outcome, OutcomeKind, RetryPolicy
from indexer.messages.pipelines import Pipeline, Step
from indexer.messages.worker import BatchWorker, Done, Result
from indexer.stories.story import RSSEntry, Story
from tests.patience import PATIENCE

TOPOLOGY = Pipeline("test", [Step("source", to=["sink"]), Step("sink")]).compile()


class Sink(BatchWorker[Story, Story]):
    """Records its batches; a story's link names its result."""

    name = "sink"
    takes = Story
    size = 4

    def __init__(self) -> None:
        self.batches: list[list[str]] = []
        self.batch: list[str] = []

    def add(self, payload: Story) -> None:
        link = payload.rss_entry.link or ""
        if "refuse" in link:
            raise Quarantine("no-url")
        if "bug" in link:
            raise KeyError(link)
        if "disk" in link:
            raise OSError("no space left")
        self.batch.append(link)

    def flush(self) -> Sequence[Result[Story] | Disposition]:
        self.batches.append(self.batch)
        batch, self.batch = self.batch, []
        return [self.result(link) for link in batch]

    def result(self, link: str) -> Result[Story] | Disposition:
        """The result that a link names."""
        if "dup" in link:
            return Discard("dups")
        if "again" in link:
            return Retry("retry")
        return Done([Story(rss_entry=RSSEntry(link=link))], "created")


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    opened = open_broker(f"sqlite:///{tmp_path / 'queues.sqlite3'}")
    opened.declare(TOPOLOGY)
    yield opened
    opened.close()


def send(*links: str) -> list[Send]:
    """Messages of stories for the worker."""
    return [Send("", "sink-in", Story(rss_entry=RSSEntry(link=link)).dump()) for link in links]


def run(broker: Broker, worker: BatchWorker[Story, Story]) -> list[Outcome]:
    """Run until the queue is empty."""
    outcomes: list[Outcome] = []
    consumer = broker.consume("sink-in", worker.size)
    try:
        BatchRunner(
            worker, Inbox(consumer, RetryPolicy("sink"), [outcomes.append], until_empty=True)
        ).run(threading.Event())
    finally:
        consumer.close()
    return outcomes


def ready(broker: Broker, queue: str) -> int:
    """The number of messages in a queue."""
    depth = broker.depth(queue)
    assert depth is not None
    return depth.ready


def test_a_batch_ends_when_it_is_full_and_the_last_one_at_the_end(broker: Broker) -> None:
    broker.publish(send(*(f"http://a.example/{number}" for number in range(6))))
    worker = Sink()
    outcomes = run(broker, worker)
    assert [len(batch) for batch in worker.batches] == [4, 2]
    assert {o.status for o in outcomes} == {"created"}
    assert ready(broker, "sink-in") == 0


def test_a_batch_ends_when_the_worker_says_it_is_full(broker: Broker) -> None:
    class Small(Sink):
        @property
        def full(self) -> bool:
            return len(self.batch) >= 2

    worker = Small()
    broker.publish(send("http://a.example/1", "http://a.example/2", "http://a.example/3"))
    run(broker, worker)
    assert [len(batch) for batch in worker.batches] == [2, 1]


def test_a_batch_ends_some_seconds_after_its_first_message(broker: Broker) -> None:
    worker = Sink()
    worker.seconds = 0.05
    consumer = broker.consume("sink-in", 4)
    stop = threading.Event()
    runner = BatchRunner(worker, Inbox(consumer, RetryPolicy("sink"), [lambda _: stop.set()]))
    broker.publish(send("http://a.example/1"))
    runner.run(stop)
    consumer.close()
    assert worker.batches == [["http://a.example/1"]]


def test_each_message_of_a_batch_has_its_own_outcome(broker: Broker) -> None:
    broker.publish(send("http://a/ok", "http://a/dup", "http://a/again", "http://a/refuse"))
    outcomes = run(broker, Sink())
    assert {(o.label, o.kind, o.status) for o in outcomes} == {
        ("http://a/ok", OutcomeKind.DONE, "created"),
        ("http://a/dup", OutcomeKind.DISCARD, "dups"),
        ("http://a/again", OutcomeKind.RETRY, "retry"),
        ("http://a/refuse", OutcomeKind.QUARANTINE, "no-url"),
    }


def test_what_is_sent_again_has_its_body(broker: Broker) -> None:
    broker.publish([*send("http://a/dup", "http://a/again"), Send("", "sink-in", b"junk")])
    run(broker, Sink())
    consumer = broker.consume("sink-quar", 1)
    junk = consumer.receive(PATIENCE)
    consumer.close()
    assert junk is not None
    assert junk.body == b"junk"
    assert ready(broker, "sink-fast") == 1


def test_a_batchs_output_that_cannot_be_written_quarantines_the_whole_input(broker: Broker) -> None:
    class Bad(Sink):
        def result(self, link: str) -> Result[Story] | Disposition:
            return Story(rss_entry=RSSEntry(link="\ud800"))

    (sent,) = send("http://a.example/1")
    broker.publish([sent])
    assert [o.status for o in run(broker, Bad())] == ["bad-output"]
    consumer = broker.consume("sink-quar", 1)
    kept = consumer.receive(PATIENCE)
    consumer.close()
    assert kept is not None
    assert kept.body == sent.body


def test_an_unexpected_error_costs_one_message_only(broker: Broker) -> None:
    broker.publish(send("http://a/bug", "http://a/ok"))
    assert {(o.label, o.kind) for o in run(broker, Sink())} == {
        ("http://a/bug", OutcomeKind.RETRY),
        ("http://a/ok", OutcomeKind.DONE),
    }


def test_a_disk_that_fails_ends_the_runner_and_settles_nothing(broker: Broker) -> None:
    broker.publish(send("http://a/disk", "http://a/ok"))
    with pytest.raises(OSError, match="no space"):
        run(broker, Sink())
    assert ready(broker, "sink-in") == 2


def test_a_flush_that_fails_settles_nothing(broker: Broker) -> None:
    class Broken(Sink):
        def flush(self) -> Sequence[Result[Story] | Disposition]:
            raise StorageError("no upload")

    broker.publish(send("http://a.example/1", "http://a.example/2"))
    with pytest.raises(StorageError):
        run(broker, Broken())
    assert ready(broker, "sink-in") == 2


def test_a_batch_in_which_all_was_refused_is_normal(broker: Broker) -> None:
    broker.publish(send("http://a/refuse"))
    worker = Sink()
    assert [o.status for o in run(broker, worker)] == ["no-url"]
    assert worker.batches == []


def test_a_message_that_was_delivered_before_is_added_as_such() -> None:
    class Given:
        """A consumer of two messages: a new one, and one that was delivered before."""

        def __init__(self) -> None:
            body = Story(rss_entry=RSSEntry(link="http://a.example/")).dump()
            self.left = [Delivery(1, body, deliveries=1), Delivery(2, body, deliveries=2)]

        def receive(self, timeout: float) -> Delivery | None:
            return self.left.pop(0) if self.left else None

        def is_empty(self) -> bool:
            return not self.left

        def settle(self, deliveries: Sequence[Delivery], sends: Sequence[Send] = ()) -> None:
            pass

        def close(self) -> None:
            pass

    class Careful(Sink):
        def add_again(self, payload: Story) -> None:
            self.batch.append("again")

    worker = Careful()
    BatchRunner(worker, Inbox(Given(), RetryPolicy("sink"), until_empty=True)).run(
        threading.Event()
    )
    assert worker.batches == [["http://a.example/", "again"]]


def test_the_outcomes_of_a_batch_say_where_their_stories_came_from(broker: Broker) -> None:
    for number, link in enumerate(("new", "dup", "again", "refuse"), 1):
        entry = RSSEntry(link=link, source_feed_id=number)
        broker.publish([Send("", "sink-in", Story(rss_entry=entry).dump())])
    outcomes = run(broker, Sink())
    assert {outcome.label: outcome.origin for outcome in outcomes} == {
        "new": {"feed_id": 1},
        "dup": {"feed_id": 2},
        "again": {"feed_id": 3},
        "refuse": {"feed_id": 4},
    }
