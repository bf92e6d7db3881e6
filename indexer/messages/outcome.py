"""The outcome of handling one message, and the policy that decides it, as values: no I/O.

    result or exception → decide() → Outcome(kind, status, sends) → settled by the loop

Retry, requeue and quarantine are ordinary sends to the step's own queues.
"""

import time
import traceback
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from indexer.errors import Discard, Disposition, Quarantine, Requeue, Retry
from indexer.messages.exchanges import CONNECTED, Exchange
from indexer.messages.message import (
    KEY_HEADER,
    SINCE_HEADER,
    UNKNOWN,
    Delivery,
    Headers,
    Origin,
    Send,
    check,
    first_key,
    kept_headers,
    queued_since,
)
from indexer.messages.topology import (
    delay_queue,
    fast_queue,
    long_delay_queue,
    output_exchange,
    quarantine_queue,
    short_delay_queue,
)
from indexer.messages.worker import Out, Result, as_done
from indexer.text.cleaning import one_line

WHAT_LENGTH = 100
"""Characters of an error's text in a header (stories.md 3.4): a Unicode error quotes the page."""

WHY_LENGTH = 300
"""Characters of an error's text in the log."""

RETRIES_HEADER = "x-mc-retries"

TIER_FACTOR = 6
"""How much longer messages wait in `P-delay` than in `P-delay-short`, and less than in
`P-delay-long`: 10 minutes, an hour and 6 hours by default."""

LAST_RETRIES = 9
"""The number of retries after which messages wait in `P-delay-long`."""

BAD_OUTPUT = "bad-output"
"""The status of a message whose output can't be sent."""

QUEUING = "queuing"
"""The status of a payload that a producer has queued (stories.md 2.5)."""


class OutcomeKind(StrEnum):
    """The ways in which the handling of a message ends."""

    DONE = "done"
    QUEUED = "queued"
    SKIPPED = "skipped"
    DISCARD = "discard"
    RETRY = "retry"
    REQUEUE = "requeue"
    QUARANTINE = "quarantine"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of one delivery of one message at one step; each delivery has exactly one.

    `label` is the URL or id to search logs for; `why` the reason in words, empty if the status says
    all; `seconds` the duration of `process`; `origin` the source of the payload; `exhausted` means
    that the message would have been retried, but had no retries left. `since` is the time when its
    subject was first queued, in seconds since the epoch.
    """

    step: str
    kind: OutcomeKind
    status: str
    label: str = ""
    why: str = ""
    sends: Sequence[Send] = ()
    seconds: float = 0.0
    origin: Origin = field(default_factory=dict)
    exhausted: bool = False
    since: float | None = None


Observer = Callable[[Outcome], None]
"""Called with each outcome after the broker has its sends. Must not raise."""


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often the messages of a step are retried, and after how many seconds.

    `retry_delay` is the wait in `P-delay`; the other waits are a part or a multiple of it, so that
    one number makes all of them shorter. `missing` names the queues for waiting messages that the
    broker doesn't have. `exchange` has the table of what it means that no queue takes an output.
    """

    step: str
    max_retries: int = 10
    retry_delay: float = 3600.0
    requeue_delay: float = 120.0
    exchange: Exchange = CONNECTED
    missing: Collection[str] = ()

    def scheduled(self, retries: int) -> float:
        """The seconds before the next try of a message that was retried so often.

        Short at first, as most failures pass soon. By default 2 and 10 minutes, seven times an
        hour, then 6 hours: 11 tries in 13 hours (stories.md 3.4: at least 10).
        """
        if retries == 0:
            return min(self.requeue_delay, self.retry_delay)
        if retries == 1:
            return self.retry_delay / TIER_FACTOR
        return self.retry_delay if retries < LAST_RETRIES else self.retry_delay * TIER_FACTOR

    def tier(self, seconds: float) -> tuple[str, float]:
        """The queue whose messages wait at least so long, and how long they wait.

        The longest one there is, if none is long enough.
        """
        tiers = {
            short_delay_queue(self.step): self.retry_delay / TIER_FACTOR,
            delay_queue(self.step): self.retry_delay,
            long_delay_queue(self.step): self.retry_delay * TIER_FACTOR,
        }
        there = [(queue, wait) for queue, wait in tiers.items() if queue not in self.missing]
        return next((each for each in there if each[1] >= seconds), there[-1])


def decide(
    policy: RetryPolicy,
    delivery: Delivery,
    ending: "Result[Out] | Exception",
    label: str = "",
    seconds: float = 0.0,
    origin: Origin = UNKNOWN,
) -> Outcome:
    """The outcome of a delivery whose handling ended with a result, a disposition or an error."""
    try:
        kind, status, sends = _route(policy, delivery, ending)
        for send in sends:
            check(send)
    except Exception as error:  # noqa: BLE001 - a worker's output may be anything
        # The output can't be written or sent. A retry would not help: it gives the same output.
        ending = Quarantine(BAD_OUTPUT, repr(error))
        kind, status, sends = _route(policy, delivery, ending)
    why = _why(ending) if isinstance(ending, Exception) else ""
    gave_up = kind in (OutcomeKind.DISCARD, OutcomeKind.QUARANTINE)
    exhausted = gave_up and not isinstance(ending, Discard | Quarantine)
    about = (label, why, sends, seconds, origin, exhausted, queued_since(delivery))
    return Outcome(policy.step, kind, status, *about)


def outputs(
    step: str,
    payloads: Sequence[Out],
    exchange: Exchange = CONNECTED,
    since: float | None = None,
) -> list[Send]:
    """The sends of a step's output; `exchange` has the table of what unheard ones mean.

    `since` is the time when their subject was first queued, in seconds since the epoch.
    """
    out = output_exchange(step)
    headers = {} if since is None else {SINCE_HEADER: int(since * 1000)}
    return [
        Send(out, payload.key, payload.dump(), headers, unheard=exchange.meaning(payload.key))
        for payload in payloads
    ]


Routing = tuple[OutcomeKind, str, Sequence[Send]]
"""The kind and status of an outcome, and its sends."""


def _route(policy: RetryPolicy, delivery: Delivery, ending: "Result[Out] | Exception") -> Routing:
    match ending:
        case Discard():
            sends = outputs(policy.step, ending.outputs, policy.exchange, queued_since(delivery))
            return OutcomeKind.DISCARD, ending.status, sends
        case Quarantine():
            return _quarantine(policy, delivery, ending, ending.status)
        case Requeue():
            wait = policy.requeue_delay if ending.delay is None else ending.delay
            later = _later(policy, delivery.body, kept_headers(delivery), wait)
            return OutcomeKind.REQUEUE, ending.status, [later]
        case Retry():
            return _retry(policy, delivery, ending, ending)
        case Exception():
            return _retry(policy, delivery, ending, Retry("error"))
        case _:
            done = as_done(ending)
            since = queued_since(delivery)
            sends = outputs(policy.step, done.outputs, policy.exchange, since)
            return OutcomeKind.DONE, done.status, sends


def _retry(policy: RetryPolicy, delivery: Delivery, error: Exception, retry: Retry) -> Routing:
    retries = int(delivery.headers.get(RETRIES_HEADER, 0))
    most = policy.max_retries if retry.most is None else min(retry.most, policy.max_retries)
    if retries < most:
        headers = {**_error_headers(policy.step, delivery, error), RETRIES_HEADER: retries + 1}
        delay = policy.scheduled(retries) if retry.delay is None else retry.delay
        return OutcomeKind.RETRY, retry.status, [_later(policy, delivery.body, headers, delay)]
    if retry.drop:
        return OutcomeKind.DISCARD, retry.status, ()
    return _quarantine(policy, delivery, error, retry.status)


def _later(policy: RetryPolicy, body: bytes, headers: Headers, delay: float) -> Send:
    """A send to one of the step's queues for waiting messages.

    RabbitMQ expires messages at the head of a queue only: a long wait would hold up a short one
    behind it. So waits up to the requeue delay are in P-fast, and in each other queue all waits are
    equal. A message that returns before the time that its worker named is sent back by the worker.
    """
    if delay <= policy.requeue_delay:
        return Send("", fast_queue(policy.step), body, headers, delay=delay)
    queue, wait = policy.tier(delay)
    return Send("", queue, body, headers, delay=wait)


def _quarantine(policy: RetryPolicy, delivery: Delivery, error: Exception, status: str) -> Routing:
    # Without the number of retries: a message taken from the quarantine starts anew.
    headers = _error_headers(policy.step, delivery, error)
    send = Send("", quarantine_queue(policy.step), delivery.body, headers)
    return OutcomeKind.QUARANTINE, status, [send]


def _error_headers(step: str, delivery: Delivery, error: Exception) -> Headers:
    """The headers that describe an error: who, when, what, where (stories.md 3.4)."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f"{frames[-1].filename}:{frames[-1].lineno}" if frames else ""
    since = delivery.headers.get(SINCE_HEADER)
    return {
        **({} if since is None else {SINCE_HEADER: since}),
        KEY_HEADER: first_key(delivery),
        "x-mc-who": step,
        "x-mc-when": str(time.time()),
        "x-mc-what": _why(error)[:WHAT_LENGTH],
        "x-mc-where": where,
        "x-mc-name": frames[-1].name if frames else "",
    }


def _why(error: Exception) -> str:
    """The reason on one line, so that a server's text can't look like log lines of ours."""
    why = (error.why or error.status) if isinstance(error, Disposition) else repr(error)
    return one_line(why, WHY_LENGTH)
