"""A worker that is killed while it holds messages, some of which it settles together."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing

import pytest

from indexer.broker import Broker, open_broker
from indexer.loops.inbox import Inbox
from indexer.loops.runner import Runner
from indexer.messages.message import Send
from indexer.messages.outcome import RetryPolicy
from indexer.messages.pipelines import Pipeline, Step
from indexer.stories.story import RSSEntry, Story
from tests.broker.conftest import soon
from tests.loops.test_runner_together import PREFETCH, Echo
from tests.paths import ROOT

TOPOLOGY = Pipeline(
    "test", [Step("source", to=["work"]), Step("work", to=["next"]), Step("next")]
).compile()

COUNT = 200
KILLED_AFTER = (1, 20, 50)
"""The numbers of messages after which a process is killed."""

_WORK = """
import sys
from indexer.broker import open_broker
from tests.loops.test_runner_slow import work
work(open_broker(sys.argv[1]), lambda outcome: print(outcome.label, flush=True))
"""


def work(broker: Broker, *observers: object) -> None:
    """Run the worker until its queue is empty."""
    with closing(broker.consume("work-in", PREFETCH)) as consumer:
        inbox = Inbox(consumer, RetryPolicy("work"), observers, until_empty=True)  # type: ignore[arg-type] # any callable
        Runner(Echo(), inbox).run(threading.Event())


@pytest.fixture
def broker(broker_url: str) -> Iterator[Broker]:
    with closing(open_broker(broker_url)) as broker:
        broker.declare(TOPOLOGY)
        yield broker


def test_whenever_a_worker_is_killed_nothing_is_lost_or_repeated_beyond_its_prefetch(
    broker: Broker, broker_url: str
) -> None:
    links = [f"http://a.example/{number}" for number in range(COUNT)]
    broker.publish(
        Send("source-out", "default", Story(rss_entry=RSSEntry(link=link)).dump()) for link in links
    )
    for lines in KILLED_AFTER:
        kill_after(lines, broker_url)
    arrived: list[str | None] = []
    consumer = broker.consume("next-in", 10 * COUNT)

    def all_arrived() -> bool:
        work(broker)
        while delivery := consumer.receive(0.1):
            arrived.append(Story.load(delivery.body, delivery.key).rss_entry.link)
        return set(arrived) == set(links)

    assert soon(all_arrived)
    # SQLite's settlements are transactions; RabbitMQ's messages may arrive without being settled.
    repeated = 0 if broker_url.startswith("sqlite") else len(KILLED_AFTER) * PREFETCH
    assert len(arrived) <= COUNT + repeated


def kill_after(lines: int, url: str) -> None:
    """Run the worker in a process, and kill it when it has ended so many messages."""
    command = [sys.executable, "-c", _WORK, url]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout
        # It may have ended all messages before it is killed: then nothing more is printed.
        for _ in range(lines):
            process.stdout.readline()
        process.kill()
