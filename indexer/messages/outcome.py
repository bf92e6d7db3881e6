"""The outcome of handling one message, and the policy that decides it, as values: no I/O.

    result or exception → decide() → Outcome(kind, status, sends) → settled by the loop

Retry, requeue and quarantine are ordinary sends to the step's own queues.
"""

import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from indexer.errors import Discard, Disposition, Quarantine, Requeue, Retry
from indexer.messages.message import (
    KEY_HEADER,
    UNKNOWN,
    Delivery,
    Headers,
    Origin,
    Send,
    check,
    first_key,
    kept_headers,
)
from indexer.messages.topology import delay_queue, fast_queue, output_exchange, quarantine_queue
from indexer.messages.worker import SUCCESS, Done, P, Result
from indexer.text.cleaning import one_line

WHAT_LENGTH = 100
"""Characters of an error's text in a header (stories.md 3.4): a Unicode error quotes the page."""

WHY_LENGTH = 300
"""Characters of an error's text in the log."""

RETRIES_HEADER = "x-mc-retries"

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
    that the message would have been retried, but had no retries left.
    """

    step: str
    kind: OutcomeKind
    status: str
    label: str = ""
    why: str = ""
    sends: Sequence[Send] = ()
    seconds: float = 0.0
    origin: Origin = UNKNOWN
    exhausted: bool = False


Observer = Callable[[Outcome], None]
"""Called with each outcome after the broker has its sends. Must not raise."""


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often the messages of a step are retried, and after how many seconds."""

    step: str
    max_retries: int = 10
    retry_delay: float = 3600.0
    requeue_delay: float = 120.0


def decide(
    policy: RetryPolicy,
    delivery: Delivery,
    ending: "Result[P] | Exception",
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
        ending = Quarantine("bad-output", repr(error))
        kind, status, sends = _route(policy, delivery, ending)
    why = _why(ending) if isinstance(ending, Exception) else ""
    gave_up = kind in (OutcomeKind.DISCARD, OutcomeKind.QUARANTINE)
    exhausted = gave_up and not isinstance(ending, Discard | Quarantine)
    return Outcome(policy.step, kind, status, label, why, sends, seconds, origin, exhausted)


def outputs(step: str, payloads: Sequence[P]) -> list[Send]:
    """The sends of a step's output."""
    exchange = output_exchange(step)
    return [Send(exchange, payload.key, payload.dump()) for payload in payloads]


Routing = tuple[OutcomeKind, str, Sequence[Send]]
"""The kind and status of an outcome, and its sends."""


def _route(  # noqa: PLR0911 - a table: one return a row
    policy: RetryPolicy, delivery: Delivery, ending: "Result[P] | Exception"
) -> Routing:
    match ending:
        case Discard():
            return OutcomeKind.DISCARD, ending.status, ()
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
        case Done():
            return OutcomeKind.DONE, ending.status, outputs(policy.step, ending.outputs)
        case None:
            return OutcomeKind.DONE, SUCCESS, ()
        case list() | tuple():
            return OutcomeKind.DONE, SUCCESS, outputs(policy.step, ending)
        case _:
            one: P = ending  # type: ignore[assignment]
            return OutcomeKind.DONE, SUCCESS, outputs(policy.step, [one])


def _retry(policy: RetryPolicy, delivery: Delivery, error: Exception, retry: Retry) -> Routing:
    retries = int(delivery.headers.get(RETRIES_HEADER, 0))
    if retries < policy.max_retries:
        headers = {**_error_headers(policy.step, delivery, error), RETRIES_HEADER: retries + 1}
        delay = policy.retry_delay if retry.delay is None else retry.delay
        return OutcomeKind.RETRY, retry.status, [_later(policy, delivery.body, headers, delay)]
    if retry.drop:
        return OutcomeKind.DISCARD, retry.status, ()
    return _quarantine(policy, delivery, error, retry.status)


def _later(policy: RetryPolicy, body: bytes, headers: Headers, delay: float) -> Send:
    """A send to one of the step's two queues for waiting messages.

    RabbitMQ expires messages at the head of a queue only: a long wait would hold up a short one
    behind it. So waits up to the requeue delay are in P-fast, and in P-delay all waits are equal. A
    message that returns before the time that its worker named is sent back by the worker.
    """
    if delay <= policy.requeue_delay:
        return Send("", fast_queue(policy.step), body, headers, delay=delay)
    return Send("", delay_queue(policy.step), body, headers, delay=policy.retry_delay)


def _quarantine(policy: RetryPolicy, delivery: Delivery, error: Exception, status: str) -> Routing:
    # Without the number of retries: a message taken from the quarantine starts anew.
    headers = _error_headers(policy.step, delivery, error)
    send = Send("", quarantine_queue(policy.step), delivery.body, headers)
    return OutcomeKind.QUARANTINE, status, [send]


def _error_headers(step: str, delivery: Delivery, error: Exception) -> Headers:
    """The headers that describe an error: who, when, what, where (stories.md 3.4)."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f"{frames[-1].filename}:{frames[-1].lineno}" if frames else ""
    return {
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
