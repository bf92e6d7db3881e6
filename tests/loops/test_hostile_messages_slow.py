"""Hostile messages: each is quarantined unchanged, and harms no other message."""

import pickle
import random
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
import zstandard

from indexer.broker import Broker, open_broker
from indexer.errors import Disposition
from indexer.loops.batches import BatchRunner
from indexer.loops.inbox import Inbox
from indexer.loops.runner import Runner
from indexer.messages.message import Delivery, Send
from indexer.messages.outcome import Outcome, RetryPolicy
from indexer.messages.pipelines import Pipeline, Step
from indexer.messages.worker import BatchWorker, Result, Worker
from indexer.stories.story import FORMAT, RawHTML, RSSEntry, Story
from tests.stories.damaged import with_damaged_page

TOPOLOGY = Pipeline("test", [Step("fetcher", to=["parser"]), Step("parser")]).compile()

GOOD = "http://a.example/good"


EXPLODED: list[int] = []


class Bomb:
    """An object that creates a file if it is unpickled."""

    def __reduce__(self) -> tuple[object, tuple[int]]:
        return explode, (1,)


def explode(times: int) -> None:
    """The function that the pickle calls."""
    EXPLODED.append(times)


VERSION = b'"v":%d'
LINE = Story(rss_entry=RSSEntry(link="http://a.example/bad")).dump()
FUTURE = LINE.replace(VERSION % FORMAT, VERSION % (FORMAT + 1))
WITH_PAGE = LINE.replace(b'"page":false', b'"page":true')
BILLION = zstandard.ZstdCompressor().compress(b"\0" * 200_000_000)
SURROGATE = LINE.replace(b"http://a.example/bad", b"http://a.example/\\ud800")

HOSTILE = {
    "pickle": (pickle.dumps({"link": "http://a.example/"}), "not a story"),
    "pickle-that-runs": (pickle.dumps(Bomb()), "not a story"),
    "random": (random.Random(7).randbytes(10_000), "not a story"),
    "nothing": (b"", "not a story"),
    "future": (FUTURE, f"format {FORMAT + 1}"),
    "future-of-another-shape": (b'{"v":99,"rss_entry":[]}\n', "format 99"),
    "nested": (b"[" * 100_000 + b"]" * 100_000 + b"\n", ""),
    "nested-in-a-story": (b'{"v":1,"x":' + b'{"x":' * 100_000 + b"1" + b"}" * 100_001, ""),
    "page-that-is-cut": (WITH_PAGE + zstandard.compress(b"<p>" * 5000)[:-3], "unpack"),
    "page-that-is-none": (WITH_PAGE + b"<html>", "unpack"),
    "page-that-explodes": (WITH_PAGE + BILLION, "unpacks to 200000000 bytes"),
    "half-a-character": (SURROGATE, "not a story"),
}
"""Bodies, and a part of the reason in the log."""


class Pass(Worker[Story, Story]):
    """Records the payloads that it gets."""

    name = "parser"
    takes = Story

    def __init__(self) -> None:
        self.links: list[str | None] = []

    def process(self, payload: Story) -> None:
        self.links.append(payload.rss_entry.link)


class PassBatch(BatchWorker[Story, Story]):
    """Records the payloads that it gets, in batches."""

    name = "parser"
    takes = Story
    size = 100

    def __init__(self) -> None:
        self.links: list[str | None] = []
        self._batch: list[str | None] = []

    def add(self, payload: Story) -> None:
        self._batch.append(payload.rss_entry.link)

    def flush(self) -> Sequence[Result[Story] | Disposition]:
        self.links += self._batch
        results: list[Result[Story] | Disposition] = [None] * len(self._batch)
        self._batch = []
        return results


@dataclass(frozen=True)
class Ran:
    """The outcomes of all hostile messages, each between two good ones."""

    outcomes: Sequence[Outcome]
    links: Sequence[str | None]
    aside: Mapping[bytes, Delivery]
    left: int


@pytest.fixture(scope="module", params=[Pass, PassBatch], ids=["worker", "batch-worker"])
def ran(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """One run, on the embedded broker."""
    broker = open_broker(f"sqlite:///{tmp_path_factory.mktemp('hostile') / 'queues.sqlite3'}")
    broker.declare(TOPOLOGY)
    worker: Pass | PassBatch = request.param()
    try:
        broker.publish([good(0)])
        for number, (body, _) in enumerate(HOSTILE.values(), 1):
            broker.publish([Send("", "parser-in", body), good(number)])
        outcomes = run(broker, worker)
        aside = {each.body: each for each in quarantined(broker)}
        return Ran(outcomes, worker.links, aside, ready(broker, "parser-in"))
    finally:
        broker.close()


def good(number: int) -> Send:
    """The message of a story."""
    body = Story(rss_entry=RSSEntry(link=f"{GOOD}/{number}")).dump()
    return Send("fetcher-out", "default", body)


def run(broker: Broker, worker: Pass | PassBatch) -> list[Outcome]:
    """Run a worker until its queue is empty; the outcomes of its messages."""
    outcomes: list[Outcome] = []
    consumer = broker.consume("parser-in", 100)
    policy, observers, stop = RetryPolicy("parser"), [outcomes.append], threading.Event()
    try:
        if isinstance(worker, Pass):
            Runner(worker, Inbox(consumer, policy, observers, until_empty=True)).run(stop)
        else:
            BatchRunner(worker, Inbox(consumer, policy, observers, until_empty=True)).run(stop)
    finally:
        consumer.close()
    return outcomes


def quarantined(broker: Broker) -> list[Delivery]:
    """The messages in the quarantine."""
    consumer = broker.consume("parser-quar", 100)
    found = []
    while (delivery := consumer.receive(0.0)) is not None:
        found.append(delivery)
    consumer.close()
    return found


def ready(broker: Broker, queue: str) -> int:
    """The number of messages in a queue."""
    depth = broker.depth(queue)
    assert depth is not None
    return depth.ready


@pytest.mark.parametrize(("body", "why"), HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_message_is_set_aside_untouched_with_the_reason(
    ran: Ran, body: bytes, why: str
) -> None:
    what = str(ran.aside[body].headers["x-mc-what"])
    assert what
    assert what.isprintable()
    assert why in what


def test_the_messages_around_hostile_ones_are_handled(ran: Ran) -> None:
    statuses = Counter(outcome.status for outcome in ran.outcomes)
    assert statuses == {"bad-message": len(HOSTILE), "success": len(HOSTILE) + 1}
    assert ran.links == [f"{GOOD}/{number}" for number in range(len(HOSTILE) + 1)]
    assert len(ran.aside) == len(HOSTILE)
    assert ran.left == 0


class Read(Pass):
    """Reads the page of each story."""

    def process(self, payload: Story) -> None:
        assert payload.raw_html.html is not None


class ReadBatch(PassBatch):
    """The same, in batches."""

    def add(self, payload: Story) -> None:
        assert payload.raw_html.html is not None
        super().add(payload)


@pytest.mark.parametrize("worker", [Read(), ReadBatch()], ids=["worker", "batch-worker"])
def test_damage_that_is_found_when_the_page_is_read_sets_the_message_aside(
    tmp_path: Path, worker: Pass | PassBatch
) -> None:
    whole = Story(rss_entry=RSSEntry(link=GOOD), raw_html=RawHTML(html=b"<p>good</p>"))
    damaged = with_damaged_page(whole)
    broker = open_broker(f"sqlite:///{tmp_path / 'queues.sqlite3'}")
    broker.declare(TOPOLOGY)
    broker.publish([Send("", "parser-in", body) for body in (whole.dump(), damaged, whole.dump())])
    outcomes = run(broker, worker)
    (aside,) = quarantined(broker)
    broker.close()
    assert sorted(outcome.status for outcome in outcomes) == ["bad-message", "success", "success"]
    assert aside.body == damaged
    assert "the page of the story" in str(aside.headers["x-mc-what"])


@pytest.mark.usefixtures("ran")
def test_nothing_of_a_pickle_was_run() -> None:
    assert EXPLODED == []


def test_the_pickle_would_have_run() -> None:
    pickle.loads(HOSTILE["pickle-that-runs"][0])  # noqa: S301 - what the programs must not do
    assert EXPLODED.pop() == 1
