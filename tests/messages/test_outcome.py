"""The policy: the result of handling a message and its retries → status and destination."""

import pytest

from indexer.errors import Discard, Quarantine, Requeue, Retry
from indexer.messages.message import Delivery, first_key
from indexer.messages.outcome import WHAT_LENGTH, OutcomeKind, RetryPolicy, decide
from indexer.messages.worker import Done
from indexer.stories.story import RSSEntry, Story

POLICY = RetryPolicy("parser", max_retries=2, retry_delay=60.0, requeue_delay=5.0)
STORY = Story(rss_entry=RSSEntry(link="http://a.example/1"))


@pytest.mark.parametrize(
    ("ending", "retries", "kind", "status", "destination", "delay"),
    [
        (STORY, 0, OutcomeKind.DONE, "success", "parser-out", None),
        ([STORY], 0, OutcomeKind.DONE, "success", "parser-out", None),
        (Done([STORY], "OK-x"), 0, OutcomeKind.DONE, "OK-x", "parser-out", None),
        (None, 0, OutcomeKind.DONE, "success", "", None),
        ([], 0, OutcomeKind.DONE, "success", "", None),
        (Discard("too-short"), 0, OutcomeKind.DISCARD, "too-short", "", None),
        (Quarantine("no-url"), 0, OutcomeKind.QUARANTINE, "no-url", "parser-quar", None),
        (Requeue("busy"), 1, OutcomeKind.REQUEUE, "busy", "parser-fast", 5.0),
        (Retry("noconn"), 0, OutcomeKind.RETRY, "noconn", "parser-delay", 60.0),
        (Retry("noconn"), 1, OutcomeKind.RETRY, "noconn", "parser-delay", 60.0),
        (Retry("http-429", delay=4.0), 0, OutcomeKind.RETRY, "http-429", "parser-fast", 4.0),
        (Retry("http-429", delay=7.0), 0, OutcomeKind.RETRY, "http-429", "parser-delay", 60.0),
        (Retry("http-429", delay=900.0), 0, OutcomeKind.RETRY, "http-429", "parser-delay", 60.0),
        (Requeue("busy", delay=1.0), 1, OutcomeKind.REQUEUE, "busy", "parser-fast", 1.0),
        (Requeue("skipped", delay=900.0), 1, OutcomeKind.REQUEUE, "skipped", "parser-delay", 60.0),
        (Retry("noconn"), 2, OutcomeKind.QUARANTINE, "noconn", "parser-quar", None),
        (Retry("noconn", drop=True), 2, OutcomeKind.DISCARD, "noconn", "", None),
        (KeyError("x"), 0, OutcomeKind.RETRY, "error", "parser-delay", 60.0),
        (KeyError("x"), 2, OutcomeKind.QUARANTINE, "error", "parser-quar", None),
    ],
)
def test_outcomes(ending, retries, kind, status, destination, delay):  # type: ignore[no-untyped-def]
    delivery = Delivery(1, b"body", headers={"x-mc-retries": retries} if retries else {})
    outcome = decide(POLICY, delivery, ending, "label", 0.5)
    assert (outcome.kind, outcome.status) == (kind, status)
    assert (outcome.step, outcome.label, outcome.seconds) == ("parser", "label", 0.5)
    sent = [(send.exchange or send.key, send.delay) for send in outcome.sends]
    assert sent == ([(destination, delay)] if destination else [])


def test_each_output_is_sent() -> None:
    outcome = decide(POLICY, Delivery(1, b""), [STORY, STORY])
    assert len(outcome.sends) == 2
    assert Story.load(outcome.sends[1].body).rss_entry.link == "http://a.example/1"


def test_a_retry_counts_and_says_who_when_what_where() -> None:
    try:
        raise ValueError("é" * 200)
    except ValueError as error:
        outcome = decide(POLICY, Delivery(1, b"body", headers={"x-mc-retries": 1}), error)
    headers = outcome.sends[0].headers
    assert outcome.sends[0].body == b"body"
    assert headers["x-mc-retries"] == 2
    assert headers["x-mc-who"] == "parser"
    assert float(headers["x-mc-when"]) > 0
    assert str(headers["x-mc-what"]).startswith("ValueError('é")
    assert len(str(headers["x-mc-what"])) == WHAT_LENGTH
    assert __file__ in str(headers["x-mc-where"])
    assert headers["x-mc-name"] == "test_a_retry_counts_and_says_who_when_what_where"


def test_a_retry_drops_older_headers() -> None:
    delivery = Delivery(1, b"", headers={"x-mc-what": "older", "x-other": "1"})
    headers = decide(POLICY, delivery, Retry("busy", "newer")).sends[0].headers
    assert headers["x-mc-what"] == "newer"
    assert "x-other" not in headers


def test_a_quarantined_message_carries_no_retries() -> None:
    delivery = Delivery(1, b"", headers={"x-mc-retries": 2})
    outcome = decide(POLICY, delivery, Retry("noconn"))
    assert "x-mc-retries" not in outcome.sends[0].headers


def test_a_requeue_keeps_its_headers() -> None:
    delivery = Delivery(1, b"", headers={"x-mc-retries": 2, "x-mc-what": "before"})
    headers = decide(POLICY, delivery, Requeue("busy")).sends[0].headers
    assert headers == {**delivery.headers, "x-mc-key": "default"}


@pytest.mark.parametrize("ending", [Retry("x"), Requeue("x"), Quarantine("x"), KeyError("x")])
def test_the_key_is_kept_wherever_a_message_waits(ending: Exception) -> None:
    sent = decide(POLICY, Delivery(1, b"", key="harvest.start.web"), ending).sends[0]
    back = Delivery(2, b"", key="parser-in", headers=sent.headers)
    assert first_key(back) == "harvest.start.web"


def test_a_reason_is_one_line_of_bounded_length() -> None:
    outcome = decide(
        POLICY, Delivery(1, b""), Discard("x", "a\r\n2026 | INFO | forged\x1b[31m" * 90)
    )
    assert "\n" not in outcome.why
    assert "\x1b" not in outcome.why
    assert len(outcome.why) <= 300


def test_an_output_that_no_broker_carries_quarantines_its_input() -> None:
    class Loud(Story):
        @property
        def key(self) -> str:
            return "k" * 300

    outcome = decide(POLICY, Delivery(1, b"body"), Loud())
    assert (outcome.kind, outcome.status) == (OutcomeKind.QUARANTINE, "bad-output")


def test_an_output_that_cannot_be_written_quarantines_its_input() -> None:
    bad = Story(rss_entry=RSSEntry(link="http://a.example/\ud800"))
    outcome = decide(POLICY, Delivery(1, b"body"), bad)
    assert (outcome.kind, outcome.status) == (OutcomeKind.QUARANTINE, "bad-output")
    assert outcome.sends[0].body == b"body"


@pytest.mark.parametrize(
    ("ending", "retries", "exhausted"),
    [
        (Retry("noconn"), 2, True),
        (Retry("noconn", drop=True), 2, True),
        (KeyError("x"), 2, True),
        (Retry("noconn"), 1, False),
        (Requeue("busy"), 2, False),
        (Discard("http-404"), 2, False),
        (Quarantine("no-decode"), 2, False),
        (STORY, 2, False),
    ],
)
def test_that_tries_are_used_up_is_told(
    ending: Story | Exception, retries: int, exhausted: bool
) -> None:
    delivery = Delivery(1, b"", headers={"x-mc-retries": retries})
    assert decide(POLICY, delivery, ending).exhausted is exhausted
