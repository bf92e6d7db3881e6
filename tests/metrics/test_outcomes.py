"""The metrics of outcomes."""

import pytest

from indexer.messages.message import Send
from indexer.messages.outcome import Outcome, OutcomeKind
from indexer.metrics import attached
from indexer.metrics.outcomes import count_outcomes
from tests.each_row import each_row
from tests.metrics.sinks import Heard


def counted(outcome: Outcome) -> dict[str, tuple[float, tuple[str, ...]]]:
    """Return the values that a sink receives for an outcome."""
    heard = Heard()
    with attached(heard):
        count_outcomes(now=lambda: 1000.0)(outcome)
    return {name: (value, labels) for name, value, labels in heard.numbers}


@each_row(
    ("kind", "status", "stat"),
    [
        (OutcomeKind.DONE, "OK-trafilatura", "ok"),
        (OutcomeKind.DISCARD, "http-404", "ok"),
        (OutcomeKind.QUARANTINE, "no-decode", "error"),
        (OutcomeKind.RETRY, "noconn", "retry"),
        (OutcomeKind.REQUEUE, "busy", "requeue"),
    ],
)
def test_a_message_counts_once_by_its_status_and_its_time_by_how_it_ended(
    kind: OutcomeKind, status: str, stat: str
) -> None:
    assert counted(Outcome("fetcher", kind, status, seconds=0.5)) == {
        "outcomes": (1, (status,)),
        "message": (0.5, (stat,)),
    }


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        (OutcomeKind.QUEUED, "parsed"),
        (OutcomeKind.SKIPPED, "dups"),
        (OutcomeKind.SKIPPED, "bad-url"),
    ],
)
def test_a_skipped_message_is_counted_without_a_time(kind: OutcomeKind, status: str) -> None:
    assert counted(Outcome("csv-queuer", kind, status)) == {"outcomes": (1, (status,))}


def test_a_queued_message_counts_as_sent_to_the_output() -> None:
    assert counted(Outcome("csv-queuer", OutcomeKind.QUEUED, "queuing")) == {
        "outcomes": (1, ("queuing",)),
        "sent-msgs": (1, ("csv-queuer-out",)),
    }


def test_a_message_requeued_before_processing_is_not_counted_as_an_outcome() -> None:
    fast = Send("", "fetcher-fast", b"")
    assert counted(Outcome("fetcher", OutcomeKind.REQUEUE, "busy", sends=[fast])) == {
        "sent-msgs": (1, ("fetcher-fast",))
    }


@pytest.mark.parametrize(
    ("send", "dest"),
    [
        (Send("parser-out", "default", b""), "parser-out"),
        (Send("", "parser-quar", b""), "parser-quar"),
    ],
)
def test_published_messages_count_by_exchange_or_queue(send: Send, dest: str) -> None:
    outcome = Outcome("parser", OutcomeKind.DONE, "success", sends=[send])
    assert counted(outcome)["sent-msgs"] == (1, (dest,))


@pytest.mark.parametrize("kind", [OutcomeKind.DISCARD, OutcomeKind.QUARANTINE])
def test_a_message_without_retries_left_is_counted_as_retryx(kind: OutcomeKind) -> None:
    outcome = Outcome("fetcher", kind, "noconn", seconds=0.5, exhausted=True)
    assert counted(outcome)["message"] == (0.5, ("retryx",))


def test_a_family_may_have_a_name_of_its_own_for_outcomes() -> None:
    heard = Heard()
    with attached(heard):
        count_outcomes("stories")(Outcome("parser", OutcomeKind.DISCARD, "no-html"))
    assert ("stories", 1, ("no-html",)) in heard.numbers


@each_row(
    ("kind", "since", "latency"),
    [
        (OutcomeKind.DONE, 400.0, 600.0),
        (OutcomeKind.DISCARD, 400.0, 600.0),
        (OutcomeKind.QUARANTINE, 400.0, 600.0),
        # The clocks of two machines differ.
        (OutcomeKind.DONE, 1001.0, 0.0),
        (OutcomeKind.RETRY, 400.0, None),
        (OutcomeKind.DONE, None, None),
    ],
)
def test_the_age_of_a_message_counts_when_its_step_ends(
    kind: OutcomeKind, since: float | None, latency: float | None
) -> None:
    found = counted(Outcome("parser", kind, "ok", seconds=0.5, since=since))
    assert found.get("latency") == (None if latency is None else (latency, ()))
