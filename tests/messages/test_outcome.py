"""The policy: the result of handling a message and its retries → status and destination."""

from typing import Any

from indexer.errors import Discard, Quarantine, Requeue, Retry
from indexer.messages.message import Delivery, first_key
from indexer.messages.outcome import WHAT_LENGTH, OutcomeKind, RetryPolicy, decide
from indexer.messages.worker import Done
from indexer.stories.story import RSSEntry, Story
from tests.each_row import each_row

POLICY = RetryPolicy("parser", max_retries=2, retry_delay=60.0, requeue_delay=5.0)
SHORT, LONG = "parser-delay-short", "parser-delay-long"
STORY = Story(rss_entry=RSSEntry(link="http://a.example/1"))


@each_row(
    ("ending", "retries", "kind", "status", "destination", "delay"),
    [
        (STORY, 0, OutcomeKind.DONE, "success", "parser-out", None),
        ([STORY], 0, OutcomeKind.DONE, "success", "parser-out", None),
        (Done([STORY], "OK-x"), 0, OutcomeKind.DONE, "OK-x", "parser-out", None),
        (None, 0, OutcomeKind.DONE, "success", "", None),
        ([], 0, OutcomeKind.DONE, "success", "", None),
        (Discard("too-short"), 0, OutcomeKind.DISCARD, "too-short", "", None),
        (Discard("homepage", "", [STORY]), 0, OutcomeKind.DISCARD, "homepage", "parser-out", None),
        (Quarantine("no-url"), 0, OutcomeKind.QUARANTINE, "no-url", "parser-quar", None),
        (Requeue("busy"), 1, OutcomeKind.REQUEUE, "busy", "parser-fast", 5.0),
        (Retry("noconn"), 0, OutcomeKind.RETRY, "noconn", "parser-fast", 5.0),
        (Retry("noconn"), 1, OutcomeKind.RETRY, "noconn", SHORT, 10.0),
        (Retry("http-429", delay=4.0), 0, OutcomeKind.RETRY, "http-429", "parser-fast", 4.0),
        (Retry("http-429", delay=7.0), 0, OutcomeKind.RETRY, "http-429", SHORT, 10.0),
        (Retry("http-429", delay=900.0), 0, OutcomeKind.RETRY, "http-429", LONG, 360.0),
        (Requeue("busy", delay=1.0), 1, OutcomeKind.REQUEUE, "busy", "parser-fast", 1.0),
        (Requeue("skipped", delay=90.0), 1, OutcomeKind.REQUEUE, "skipped", LONG, 360.0),
        (Retry("noconn"), 2, OutcomeKind.QUARANTINE, "noconn", "parser-quar", None),
        (Retry("noconn", drop=True), 2, OutcomeKind.DISCARD, "noconn", "", None),
        (KeyError("x"), 0, OutcomeKind.RETRY, "error", "parser-fast", 5.0),
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


def waits(policy: RetryPolicy) -> list[tuple[str, float]]:
    """The queue and the seconds of each wait, until the tries are used up."""
    found = []
    for retries in range(policy.max_retries):
        delivery = Delivery(1, b"", headers={"x-mc-retries": retries})
        [send] = decide(policy, delivery, Retry("noconn")).sends
        assert send.delay is not None
        found.append((send.key.removeprefix("parser"), send.delay))
    return found


def test_a_failure_is_tried_again_soon_at_first_and_for_ten_hours_at_least() -> None:
    found = waits(RetryPolicy("parser"))
    later = [("-delay", 3600.0)] * 7
    assert found == [("-fast", 120), ("-delay-short", 600), *later, ("-delay-long", 21600)]
    assert sum(seconds for _, seconds in found) >= 10 * 3600


def test_a_shorter_delay_shortens_all_of_them() -> None:
    found = waits(RetryPolicy("parser", retry_delay=30.0))
    assert max(seconds for _, seconds in found) == 180.0
    assert found[0] == ("-fast", 30.0)


@each_row(
    ["asked", "queue", "waits"],
    [
        (60, "-fast", 60),
        (120, "-fast", 120),
        (300, "-delay-short", 600),
        (600, "-delay-short", 600),
        (601, "-delay", 3600),
        (7200, "-delay-long", 21600),
        (86400, "-delay-long", 21600),
    ],
)
def test_the_wait_that_a_site_asks_for_goes_to_the_next_longer_queue(
    asked: float, queue: str, waits: float
) -> None:
    for ending in (Retry("http-429", delay=asked), Requeue("skipped", delay=asked)):
        [send] = decide(RetryPolicy("parser"), Delivery(1, b""), ending).sends
        assert (send.key, send.delay) == (f"parser{queue}", waits)


def test_a_queue_that_an_older_broker_lacks_is_replaced_by_the_next_one() -> None:
    policy = RetryPolicy("parser", missing=[SHORT, LONG])
    assert waits(policy) == [("-fast", 120), *[("-delay", 3600)] * 9]


def test_each_output_is_sent() -> None:
    outcome = decide(POLICY, Delivery(1, b""), [STORY, STORY])
    assert len(outcome.sends) == 2
    assert Story.load(outcome.sends[1].body).rss_entry.link == "http://a.example/1"


@each_row("ending", [[STORY], Retry("noconn"), Requeue("busy"), Quarantine("no-url"), ValueError()])
def test_a_message_keeps_the_time_when_its_subject_was_first_queued(ending: Any) -> None:
    delivery = Delivery(1, b"", headers={"x-mc-since": 1_700_000_000_500})
    outcome = decide(POLICY, delivery, ending)
    assert outcome.since == 1_700_000_000.5
    assert outcome.sends[0].headers["x-mc-since"] == 1_700_000_000_500


def test_a_message_of_an_older_version_has_no_such_time() -> None:
    outcome = decide(POLICY, Delivery(1, b""), [STORY])
    assert outcome.since is None
    assert "x-mc-since" not in outcome.sends[0].headers


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


@each_row(
    ("most", "retries", "kind"),
    [
        (1, 0, OutcomeKind.RETRY),
        (1, 1, OutcomeKind.QUARANTINE),
        (9, 1, OutcomeKind.RETRY),
        (9, 2, OutcomeKind.QUARANTINE),
    ],
)
def test_a_retry_may_have_a_lower_limit(most: int, retries: int, kind: OutcomeKind) -> None:
    delivery = Delivery(1, b"", headers={"x-mc-retries": retries})
    assert decide(POLICY, delivery, Retry("extract-killed", most=most)).kind is kind


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


@each_row("ending", [Retry("x"), Requeue("x"), Quarantine("x"), KeyError("x")])
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


@each_row(
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
