"""Counts outcomes in the metrics `outcomes`, `message` and `sent-msgs` (stories.md 2.5, 2.6).

| outcome     | `outcomes`, by status           | `message`, by stat                  |
|-------------|---------------------------------|-------------------------------------|
| done        | yes                             | ok                                  |
| discard     | yes                             | ok                                  |
| quarantine  | yes                             | error                               |
| retry       | yes, at each attempt            | retry; retryx if no retry is left   |
| requeue     | only if processing had begun    | requeue, if processing had begun    |
| queued      | yes                             | no: nothing was processed           |
| skipped     | yes                             | no                                  |

A message that is requeued before processing came too early, which is no result yet. `sent-msgs`
still counts it, as it counts all published messages by exchange or queue. A family may give the
metric `outcomes` a name of its own, which its dashboards read. `latency` tells how old the messages
are that a step has done, discarded or quarantined: the time since a producer queued their subject.
"""

import time
from collections.abc import Callable

from indexer.messages.outcome import QUEUING, Observer, Outcome, OutcomeKind
from indexer.messages.topology import output_exchange
from indexer.messages.worker import OUTCOMES
from indexer.metrics import Counter, counter, timer

MESSAGE = timer("message", "the processing of a message, by how it ended", "stat")

SENT = counter("sent-msgs", "messages published, by exchange or queue", "dest")

LATENCY = timer("latency", "from the first queuing of a message to its end at this step", long=True)

ENDS = (OutcomeKind.DONE, OutcomeKind.DISCARD, OutcomeKind.QUARANTINE)

EXHAUSTED = "retryx"

_STATS = {
    OutcomeKind.DONE: "ok",
    OutcomeKind.DISCARD: "ok",
    OutcomeKind.QUARANTINE: "error",
    OutcomeKind.RETRY: "retry",
    OutcomeKind.REQUEUE: "requeue",
}


def outcome_counter(name: str) -> Counter:
    """Declare the metric that counts outcomes, by its name in a family."""
    return counter(name, "messages, by how their handling at a step ended", "status")


outcome_counter(OUTCOMES)


def count_outcomes(metric: str = OUTCOMES, now: Callable[[], float] = time.time) -> Observer:
    """Make the observer that counts outcomes in the metric of this name, and in the others.

    `now` is the time in seconds since the epoch.
    """
    outcomes = outcome_counter(metric)

    def observe(outcome: Outcome) -> None:
        for send in outcome.sends:
            SENT.add(dest=send.exchange or send.key)
        # Zero seconds: the message was held before its processing began.
        if outcome.kind is OutcomeKind.REQUEUE and not outcome.seconds:
            return
        outcomes.add(status=outcome.status)
        _count_time(outcome)
        if outcome.since is not None and outcome.kind in ENDS:
            LATENCY.observe(max(0.0, now() - outcome.since))

    return observe


def _count_time(outcome: Outcome) -> None:
    stat = EXHAUSTED if outcome.exhausted else _STATS.get(outcome.kind)
    if stat is not None:
        MESSAGE.observe(outcome.seconds, stat=stat)
    elif outcome.status == QUEUING:
        SENT.add(dest=output_exchange(outcome.step))
