"""Outputs that come back because no program serves them."""

import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from indexer.broker import Broker, open_broker
from indexer.errors import Retry, Unroutable
from indexer.loops.batches import BatchRunner
from indexer.loops.inbox import Inbox
from indexer.loops.producing import ProducerRunner
from indexer.loops.runner import Runner
from indexer.messages.message import Send
from indexer.messages.outcome import Outcome, OutcomeKind, RetryPolicy
from indexer.messages.pipelines import Pipeline, Step
from indexer.messages.worker import BatchWorker, Done, Producer, Result, Skipped, Worker
from tests.each_row import each_row
from tests.toy.family.note import EXCHANGE, Note

SERVED, UNSERVED = Note("job.start.red", "served"), Note("job.start.blue", "nobody")
NOTICE = Note("log.said", "nobody listens")
ANSWER = Note("log.failed", "nobody serves it")

PIPELINE = Pipeline(
    "toy",
    [
        Step("ask", to=["work"]),
        Step("work", speak=["#"]),
        Step("red", listen=["job.start.red"]),
        Step("failures", listen=["log.failed"]),
    ],
    exchange=EXCHANGE,
)


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    opened = open_broker(f"sqlite:///{tmp_path / 'queues.sqlite3'}")
    opened.declare(PIPELINE.compile())
    opened.publish([Send("", "work-in", b"input")])
    yield opened
    opened.close()


class Asker(Worker[Note, Note]):
    """Makes these outputs of each message, and this answer for each request that came back."""

    name = "work"
    takes = Note
    exchange = EXCHANGE

    def __init__(
        self, outputs: Sequence[Note], answer: Callable[[], Result[Note]] | None = None
    ) -> None:
        self._outputs = outputs
        self._answer = answer
        self.unserved_requests: list[Note] = []

    def process(self, _: Note) -> Done[Note]:
        return Done(self._outputs, "asked")

    def unserved(self, request: Note) -> Result[Note]:
        self.unserved_requests.append(request)
        return self._answer() if self._answer else super().unserved(request)


class BatchAsker(BatchWorker[Note, Note]):
    """The same for batches."""

    name = "work"
    takes = Note
    exchange = EXCHANGE

    def __init__(self, asker: Asker) -> None:
        self._asker = asker
        self._batch: list[Note] = []
        self.unserved = asker.unserved  # type: ignore[method-assign] # the same answers

    def add(self, payload: Note) -> None:
        self._batch.append(payload)

    def flush(self) -> list[Result[Note]]:
        batch, self._batch = self._batch, []
        return [self._asker.process(payload) for payload in batch]


def run(broker: Broker, asker: Asker, *, batch: bool = False) -> Outcome:
    """The outcome of the one message in the queue."""
    outcomes: list[Outcome] = []
    consumer = broker.consume("work-in", 1)
    policy = RetryPolicy("work", exchange=EXCHANGE)
    inbox = Inbox(consumer, policy, [outcomes.append], broker.publish, until_empty=True)
    runner = BatchRunner(BatchAsker(asker), inbox) if batch else Runner(asker, inbox)
    runner.run(threading.Event())
    consumer.close()
    [outcome] = outcomes
    return outcome


def depths(broker: Broker) -> dict[str, int]:
    """The queues with messages."""
    found = {queue: broker.depth(queue) for queue in broker.queues() or ()}
    return {queue: depth.ready for queue, depth in found.items() if depth and depth.ready}


@each_row("batch", [False, True])
def test_a_request_that_is_served_is_an_output_like_others(broker: Broker, batch: bool) -> None:
    broker.purge("red-in")
    broker.purge("work-in")
    broker.publish([Send("", "work-in", b"input")])
    asker = Asker([SERVED, NOTICE])
    outcome = run(broker, asker, batch=batch)
    assert (outcome.kind, outcome.status) == (OutcomeKind.DONE, "asked")
    assert [send.key for send in outcome.sends] == [SERVED.key, NOTICE.key]
    assert depths(broker) == {"red-in": 1}
    assert asker.unserved_requests == []


def test_the_answer_takes_the_place_of_a_request_that_nobody_serves(broker: Broker) -> None:
    asker = Asker([UNSERVED, SERVED], lambda: Done([ANSWER], "failed"))
    outcome = run(broker, asker)
    assert asker.unserved_requests == [UNSERVED]
    assert (outcome.kind, outcome.status) == (OutcomeKind.DONE, "failed")
    assert depths(broker) == {"red-in": 1, "failures-in": 1}


def test_an_answer_without_a_status_of_its_own_keeps_that_of_the_message(broker: Broker) -> None:
    assert run(broker, Asker([UNSERVED], lambda: ANSWER)).status == "asked"
    assert depths(broker) == {"failures-in": 1}


@each_row("batch", [False, True])
def test_by_default_the_message_waits_for_an_operator(broker: Broker, batch: bool) -> None:
    broker.purge("work-in")
    broker.publish([Send("", "work-in", b"input")])
    outcome = run(broker, Asker([UNSERVED, NOTICE]), batch=batch)
    assert (outcome.kind, outcome.status) == (OutcomeKind.QUARANTINE, "unserved")
    assert "job.start.blue" in outcome.why
    [waiting] = broker.peek("work-quar", 1)
    assert waiting.body == b"input"
    broker.purge("work-quar")


def test_an_error_of_the_answer_replaces_the_result(broker: Broker) -> None:
    def later() -> Result[Note]:
        raise Retry("nobody-yet")

    outcome = run(broker, Asker([UNSERVED, ANSWER], later))
    assert (outcome.kind, outcome.status) == (OutcomeKind.RETRY, "nobody-yet")
    assert depths(broker) == {"work-fast": 1}


def test_an_answer_must_not_be_a_request(broker: Broker) -> None:
    outcome = run(broker, Asker([UNSERVED], lambda: UNSERVED))
    assert (outcome.kind, outcome.status) == (OutcomeKind.QUARANTINE, "bad-output")


class Starter(Producer[Note]):
    """Makes two requests; nobody serves the second."""

    name = "work"
    shuffled = False
    exchange = EXCHANGE

    def produce(self) -> Iterator[Note]:  # type: ignore[override] # without marks
        yield from (SERVED, UNSERVED)


class Counting(Starter):
    """Counts a request that came back."""

    def unserved(self, request: Note) -> Skipped:
        return Skipped("nobody", request.label)


def test_a_request_of_a_producer_that_nobody_serves_ends_it(broker: Broker) -> None:
    with pytest.raises(Unroutable, match="no program serves job"):
        ProducerRunner("work", Starter(), broker).run(threading.Event())


def test_a_producer_may_count_a_request_that_nobody_serves(broker: Broker) -> None:
    outcomes: list[Outcome] = []
    ProducerRunner("work", Counting(), broker, [outcomes.append]).run(threading.Event())
    assert [(o.kind, o.status) for o in outcomes] == [
        (OutcomeKind.QUEUED, "queuing"),
        (OutcomeKind.SKIPPED, "nobody"),
    ]
