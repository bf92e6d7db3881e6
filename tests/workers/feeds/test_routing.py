"""Which attempts go to the parser, on every broker, also during an upgrade."""

import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from indexer.broker import Broker, open_broker
from indexer.feeds.attempt import Attempt, DocumentPart, Poll, Unchanged
from indexer.loops.inbox import Inbox
from indexer.loops.runner import Runner
from indexer.messages.message import DEFAULT_KEY, Send
from indexer.messages.outcome import RetryPolicy, outputs
from indexer.messages.pipelines import Pipeline, Step
from pipeline import flavor
from tests.feeds.documents import item, rss
from workers.feeds.feed_parser import FeedParser, FeedParserOptions

NOW = datetime(2026, 1, 15, 12)
NEW = flavor("feeds")
OLD = replace(
    NEW,
    steps=[
        Step("feed-fetcher", to=["feed-parser"]) if step.name == "feed-fetcher" else step
        for step in NEW.steps
    ],
)
"""The flavor of older versions: every attempt goes to the parser."""


def attempt(number: int, document: str = "", **fields: str) -> Attempt:
    poll = Poll(
        feed_id=number, url="https://a.example/", lease="x", expires=NOW + timedelta(hours=1)
    )
    body = document.encode()
    pages = [DocumentPart("https://a.example/", len(body))] if document else []
    return Attempt(poll=poll, started=NOW, pages=pages, parts=[body] if document else [], **fields)  # type: ignore[arg-type]


FETCHED = attempt(1, rss(item(1)))
NOT_MODIFIED = attempt(2, unchanged=Unchanged.NOT_MODIFIED)
FAILED = attempt(3, status="HTTP 404 Not Found")


def from_older_fetcher(attempt: Attempt) -> Send:
    """An attempt as older fetchers publish it: all have one key."""
    return Send("feed-fetcher-out", DEFAULT_KEY, attempt.dump())


@pytest.fixture
def broker(broker_url: str) -> Iterator[Broker]:
    with closing(open_broker(broker_url)) as broker:
        yield broker
        broker.delete(NEW.compile())


def configure(broker: Broker, pipeline: Pipeline) -> None:
    broker.declare(pipeline.compile())
    assert broker.declared(pipeline.compile()) == []


def depths(broker: Broker) -> tuple[int, int]:
    """The numbers of messages that wait for the parser and for the saver."""
    found = [broker.depth(queue) for queue in ("feed-parser-in", "story-saver-in")]
    return tuple(depth.ready if depth else -1 for depth in found)  # type: ignore[return-value]


def parse_all(broker: Broker) -> None:
    """Run the parser until its queue is empty."""
    parser = FeedParser(FeedParserOptions())
    with closing(broker.consume("feed-parser-in", 8)) as consumer:
        inbox = Inbox(consumer, RetryPolicy("feed-parser"), until_empty=True)
        Runner(parser, inbox).run(threading.Event())


def test_only_attempts_with_a_document_go_to_the_parser(broker: Broker) -> None:
    configure(broker, NEW)
    broker.publish(outputs("feed-fetcher", [FETCHED, NOT_MODIFIED, FAILED]))
    assert depths(broker) == (1, 2)
    parse_all(broker)
    assert depths(broker) == (0, 3)


def test_messages_queued_before_an_upgrade_are_parsed_after_it(broker: Broker) -> None:
    configure(broker, OLD)
    broker.publish(map(from_older_fetcher, [FETCHED, NOT_MODIFIED, FAILED]))
    configure(broker, NEW)
    assert depths(broker) == (3, 0)
    parse_all(broker)
    assert depths(broker) == (0, 3)


def test_a_fetcher_of_an_older_version_still_reaches_the_parser(broker: Broker) -> None:
    configure(broker, OLD)
    configure(broker, NEW)
    broker.publish(map(from_older_fetcher, [FETCHED, FAILED]))
    assert depths(broker) == (2, 0)
    parse_all(broker)
    assert depths(broker) == (0, 2)


def test_a_fetcher_works_before_the_flavor_is_configured_again(broker: Broker) -> None:
    configure(broker, OLD)
    broker.publish(outputs("feed-fetcher", [FETCHED, NOT_MODIFIED]))
    assert depths(broker) == (2, 0)
