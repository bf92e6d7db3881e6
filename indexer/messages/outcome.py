"""What became of one message, as a value; and the policy that decides it, without I/O.

    result or exception → decide() → Outcome(kind, status, sends) → settled by the runner

Retry, requeue and quarantine are ordinary sends to the step's own queues.
"""

import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from indexer.errors import Discard, Disposition, Quarantine, Requeue, Retry
from indexer.messages.limits import check
from indexer.messages.message import (
    KEY_HEADER,
    UNKNOWN,
    Delivery,
    Headers,
    Origin,
    Send,
    first_key,
    kept_headers,
)
from indexer.messages.topology import delay_queue, fast_queue, output_exchange, quarantine_queue
from indexer.messages.worker import SUCCESS, Done, P, Result
from indexer.text.cleaning import one_line

WHAT_LENGTH = 100
"""An error's text is cut to this: a Unicode error quotes the whole page (stories.md 3.4)."""

WHY_LENGTH = 300
"""What the log shows of it."""

RETRIES_HEADER = "x-mc-retries"

QUEUING = "queuing"
"""The status of what a producer has queued (stories.md 2.5)."""


class OutcomeKind(StrEnum):
    """The ways for the handling of a message to end."""

    DONE = "done"
    QUEUED = "queued"
    SKIPPED = "skipped"
    DISCARD = "discard"
    RETRY = "retry"
    REQUEUE = "requeue"
    QUARANTINE = "quarantine"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one message at one step. Exactly one per message and delivery.

    `label` is what a person greps for; `why` the reason in words, empty where the status says
    all; `seconds` how long `process` took; `origin` where the message's subject came from;
    `exhausted` that it would have been tried again, had that not been done often enough.
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
"""Told of each outcome when it has been handed to the broker. Must not raise."""


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Where a step's messages go, and how often they may come back. Delays in seconds."""

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
    """The outcome of a message whose handling ended with a result, a disposition or an error."""
    try:
        kind, status, sends = _route(policy, delivery, ending)
        for send in sends:
            check(send)
    except Exception as error:  # noqa: BLE001 - a worker's output may be anything
        # One that can't be written or carried: the same input would give it again.
        ending = Quarantine("bad-output", repr(error))
        kind, status, sends = _route(policy, delivery, ending)
    why = _why(ending) if isinstance(ending, Exception) else ""
    gave_up = kind in (OutcomeKind.DISCARD, OutcomeKind.QUARANTINE)
    exhausted = gave_up and not isinstance(ending, Discard | Quarantine)
    return Outcome(policy.step, kind, status, label, why, sends, seconds, origin, exhausted)


def _route(  # noqa: PLR0911 - a table: one return a row
    policy: RetryPolicy, delivery: Delivery, ending: "Result[P] | Exception"
) -> tuple[OutcomeKind, str, Sequence[Send]]:
    match ending:
        case Discard():
            return OutcomeKind.DISCARD, ending.status, ()
        case Quarantine():
            return OutcomeKind.QUARANTINE, ending.status, [_quarantine(policy, delivery, ending)]
        case Requeue():
            return OutcomeKind.REQUEUE, ending.status, [_requeue(policy, delivery, ending.delay)]
        case Retry():
            return _retry(policy, delivery, ending, ending)
        case Exception():
            return _retry(policy, delivery, ending, Retry("error"))
        case Done():
            return OutcomeKind.DONE, ending.status, outputs(policy.step, ending.outputs)
        case _:
            return OutcomeKind.DONE, SUCCESS, outputs(policy.step, _as_sequence(ending))


def outputs(step: str, payloads: Sequence[P]) -> list[Send]:
    """The sends of a step's output."""
    exchange = output_exchange(step)
    return [Send(exchange, payload.key, payload.dump()) for payload in payloads]


def _as_sequence(result: "P | Sequence[P] | None") -> Sequence[P]:
    if result is None:
        return ()
    return result if isinstance(result, list | tuple) else [result]  # type: ignore[list-item]


def _retry(
    policy: RetryPolicy, delivery: Delivery, error: Exception, retry: Retry
) -> tuple[OutcomeKind, str, Sequence[Send]]:
    retries = int(delivery.headers.get(RETRIES_HEADER, 0))
    if retries < policy.max_retries:
        headers = {**_story_of(policy.step, delivery, error), RETRIES_HEADER: retries + 1}
        delay = policy.retry_delay if retry.delay is None else retry.delay
        return OutcomeKind.RETRY, retry.status, [_later(policy, delivery.body, headers, delay)]
    if retry.drop:
        return OutcomeKind.DISCARD, retry.status, ()
    return OutcomeKind.QUARANTINE, retry.status, [_quarantine(policy, delivery, error)]


def _requeue(policy: RetryPolicy, delivery: Delivery, delay: float | None) -> Send:
    wait = policy.requeue_delay if delay is None else delay
    return _later(policy, delivery.body, kept_headers(delivery), wait)


def _later(policy: RetryPolicy, body: bytes, headers: Headers, delay: float) -> Send:
    """A send to one of the two waiting rooms.

    RabbitMQ lets messages out of a queue only from its head, so nothing may wait long before what
    waits shortly: `P-fast` is for the requeue delay or less, in `P-delay` all wait the same. Who
    is out too early for what somebody said is sent back again.
    """
    if delay <= policy.requeue_delay:
        return Send("", fast_queue(policy.step), body, headers, delay=delay)
    return Send("", delay_queue(policy.step), body, headers, delay=policy.retry_delay)


def _quarantine(policy: RetryPolicy, delivery: Delivery, error: Exception) -> Send:
    return Send(
        "", quarantine_queue(policy.step), delivery.body, _story_of(policy.step, delivery, error)
    )


def _story_of(step: str, delivery: Delivery, error: Exception) -> Headers:
    """Who, when, what and where: the headers of stories.md 3.4."""
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
    """The reason on one line: what others say may not look like lines of ours."""
    why = (error.why or error.status) if isinstance(error, Disposition) else repr(error)
    return one_line(why, WHY_LENGTH)
