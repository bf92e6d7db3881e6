"""Breadcrumbs: a line for each outcome; the program never waits for them."""

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from queue import Queue
from typing import Any

import pytest

from indexer.broker import open_broker
from indexer.errors import BrokerError
from indexer.loops.breadcrumbs import SECONDS, Breadcrumbs, crumb, message
from indexer.messages import exchanges
from indexer.messages.message import UNKNOWN, Origin, Send
from indexer.messages.outcome import Outcome, OutcomeKind
from indexer.messages.pipelines import Pipeline, Step
from indexer.metrics import attached
from indexer.metrics.snapshot import Snapshot
from tests.clock import START, Clock
from tests.each_row import each_row
from tests.logged import capture_logs
from tests.patience import PATIENCE

NOON = START.timestamp()


class Exchange:
    """Records published messages, or raises an error."""

    def __init__(self) -> None:
        self.sends: Queue[Send] = Queue()
        self.error: BrokerError | None = None
        self.open = threading.Event()
        self.open.set()

    def publish(self, sends: Sequence[Send]) -> None:
        self.open.wait(PATIENCE)
        if self.error is not None:
            raise self.error
        for send in sends:
            self.sends.put(send)

    def next(self) -> list[dict[str, Any]]:
        """The lines of the next message, without its header."""
        return lines(self.sends.get(timeout=PATIENCE))[1:]


Make = Callable[..., Breadcrumbs]


@pytest.fixture
def exchange() -> Exchange:
    return Exchange()


@pytest.fixture
def make(exchange: Exchange, clock: Clock) -> Iterator[Make]:
    """Makes an observer whose messages wait for an hour by default."""
    made: list[Breadcrumbs] = []

    def breadcrumbs(**given: Any) -> Breadcrumbs:
        settings = {"seconds": 3600.0, **given}
        made.append(Breadcrumbs("fetcher", "breadcrumb", exchange.publish, clock.time, **settings))
        return made[-1]

    yield breadcrumbs
    exchange.open.set()
    for each in made:
        each.close()


@pytest.fixture
def counted() -> Iterator[Callable[[], dict[str, float]]]:
    """The counts of crumbs, by status."""
    snapshot = Snapshot()

    def count() -> dict[str, float]:
        rows = (row for row in snapshot.rows() if row["name"] == "breadcrumbs")
        return {row["labels"]["status"]: row["value"] for row in rows}

    with attached(snapshot):
        yield count


def lines(send: Send) -> list[dict[str, Any]]:
    return [json.loads(line) for line in send.body.splitlines()]


def outcome(
    status: str = "success",
    kind: OutcomeKind = OutcomeKind.DONE,
    origin: Origin = UNKNOWN,
) -> Outcome:
    return Outcome("fetcher", kind, status, "http://a.example/", origin=origin)


def statuses(crumbs: Sequence[dict[str, Any]]) -> list[str]:
    return [each["status"] for each in crumbs]


def test_a_message_is_a_header_and_a_line_a_crumb(make: Make, exchange: Exchange) -> None:
    breadcrumbs = make()
    breadcrumbs(outcome("http-404", OutcomeKind.DISCARD, {"seeds": 7, "set": "a.example"}))
    breadcrumbs(outcome())
    breadcrumbs.close()
    send = exchange.sends.get_nowait()
    header, first, second = lines(send)
    assert (send.exchange, send.key) == ("breadcrumb", "default")
    assert (header["version"], header["sent_at"], header["app"]) == ([1, 0, 0], NOON, "fetcher")
    assert first == {
        "date": "2026-01-15",
        "seeds": 7,
        "set": "a.example",
        "app": "fetcher",
        "status": "http-404",
    }
    assert second == {"date": "2026-01-15", "app": "fetcher", "status": "success"}


def test_no_two_messages_are_the_same() -> None:
    assert message("fetcher", NOON, []) != message("fetcher", NOON, [])


@each_row(
    ("kind", "status"),
    [
        (OutcomeKind.DONE, "busy"),
        (OutcomeKind.QUEUED, "busy"),
        (OutcomeKind.SKIPPED, "busy"),
        (OutcomeKind.DISCARD, "busy"),
        (OutcomeKind.QUARANTINE, "busy"),
        (OutcomeKind.RETRY, "retry-busy"),
        (OutcomeKind.REQUEUE, "requeue-busy"),
    ],
)
def test_what_comes_back_is_told_apart_from_what_has_ended(kind: OutcomeKind, status: str) -> None:
    assert crumb("fetcher", outcome("busy", kind), NOON)["status"] == status


@each_row(
    ("origin", "expected"),
    [
        ({"set": ""}, {}),
        ({"set": "a\nb\x00.example"}, {"set": "a b.example"}),
        ({"set": "x" * 5000}, {"set": "x" * 253}),
        ({"set": "\ud800.example"}, {"set": ".example"}),
        ({"seeds": 2**63, "urls": -(2**63) - 1}, {}),
        ({"seeds": 2**63 - 1, "urls": 0}, {"seeds": 2**63 - 1, "urls": 0}),
        ({"status": "mine", "app": 7, "date": "once"}, {}),
    ],
)
def test_an_origin_that_no_table_could_take_is_cut_to_size(
    origin: Origin, expected: Origin
) -> None:
    made = crumb("fetcher", outcome(origin=origin), NOON)
    bare = crumb("fetcher", outcome(), NOON)
    assert made == {**bare, **expected}


def test_a_status_is_one_word(make: Make, exchange: Exchange) -> None:
    breadcrumbs = make()
    breadcrumbs(outcome("two words\n\ud800" + "x" * 1000))
    breadcrumbs.close()
    (status,) = statuses(exchange.next())
    assert status.startswith("two-words-x")
    assert len(status) == 100


def test_the_day_is_that_of_the_outcome_in_utc(
    make: Make, exchange: Exchange, clock: Clock
) -> None:
    breadcrumbs = make()
    breadcrumbs(outcome())
    clock.sleep(12 * 3600)
    breadcrumbs(outcome())
    breadcrumbs.close()
    assert [each["date"] for each in exchange.next()] == ["2026-01-15", "2026-01-16"]


def test_crumbs_wait_for_others_for_a_minute(make: Make, exchange: Exchange) -> None:
    assert SECONDS == 60.0
    breadcrumbs = make(seconds=0.05)
    breadcrumbs(outcome("first"))
    assert statuses(exchange.next())[0] == "first"


def test_a_full_message_does_not_wait(make: Make, exchange: Exchange) -> None:
    breadcrumbs = make(size=2)
    for status in ("a", "b", "c"):
        breadcrumbs(outcome(status))
    assert statuses(exchange.next()) == ["a", "b"]
    breadcrumbs.close()
    assert statuses(exchange.next()) == ["c"]


def test_what_waits_at_the_end_is_sent(
    make: Make, exchange: Exchange, counted: Callable[[], dict[str, float]]
) -> None:
    breadcrumbs = make(size=2)
    for _ in range(5):
        breadcrumbs(outcome())
    breadcrumbs.close()
    assert sum(len(exchange.next()) for _ in range(3)) == 5
    assert exchange.sends.empty()
    assert counted() == {"sent": 5}


def test_nothing_is_sent_of_nothing(make: Make, exchange: Exchange) -> None:
    make(seconds=0.0).close()
    assert exchange.sends.empty()


def test_a_broker_that_refuses_costs_crumbs_and_one_warning(
    make: Make, exchange: Exchange, counted: Callable[[], dict[str, float]]
) -> None:
    exchange.error = BrokerError("it is gone")
    breadcrumbs = make(size=1)
    with capture_logs() as logs:
        for _ in range(3):
            breadcrumbs(outcome())
        breadcrumbs.close()
    assert counted() == {"lost": 3}
    assert [(log["log_level"], log["why"]) for log in logs] == [("warning", "it is gone")]


def test_a_broker_that_takes_nothing_costs_the_oldest_crumbs(
    make: Make, exchange: Exchange, counted: Callable[[], dict[str, float]]
) -> None:
    exchange.open.clear()
    breadcrumbs = make(room=10, size=10)
    for number in range(100):
        breadcrumbs(outcome(f"{number}"))
    exchange.open.set()
    breadcrumbs.close()
    sent = [status for send in [*exchange.sends.queue] for status in statuses(lines(send)[1:])]
    # Crumbs of a message that is being sent don't count as waiting.
    assert sent[-10:] == [f"{number}" for number in range(90, 100)]
    assert 10 <= len(sent) <= 20
    assert counted() == {"dropped": 100 - len(sent), "sent": len(sent)}


def test_a_program_does_not_wait_for_a_broker_that_takes_nothing(
    make: Make, exchange: Exchange, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("indexer.loops.breadcrumbs.CLOSE_SECONDS", 0.01)
    exchange.open.clear()
    breadcrumbs = make()
    breadcrumbs(outcome())
    with capture_logs() as logs:
        breadcrumbs.close()
    assert [log["why"] for log in logs] == ["the broker is slow"]


def test_on_a_broker_crumbs_come_into_the_queue_of_pipeview(tmp_path: Path) -> None:
    broker = open_broker(f"sqlite:///{tmp_path / 'queues.sqlite3'}")
    steps = [Step("pipeview", listen=["#"])]
    broker.declare(Pipeline("pipeview", steps, exchange=exchanges.Exchange("breadcrumb")).compile())
    breadcrumbs = Breadcrumbs("fetcher", "breadcrumb", broker.publish)
    breadcrumbs(outcome())
    breadcrumbs.close()
    depth = broker.depth("pipeview-in")
    broker.close()
    assert depth is not None
    assert depth.ready == 1


def test_an_exchange_that_is_not_there_costs_the_program_nothing(
    tmp_path: Path, counted: Callable[[], dict[str, float]]
) -> None:
    broker = open_broker(f"sqlite:///{tmp_path / 'queues.sqlite3'}")
    breadcrumbs = Breadcrumbs("fetcher", "misspelt", broker.publish)
    breadcrumbs(outcome())
    breadcrumbs.close()
    broker.close()
    assert counted() == {"lost": 1}
