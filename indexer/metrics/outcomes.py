"""Counts outcomes in the metrics `stories`, `message` and `sent-msgs` (stories.md 2.5, 2.6).

| outcome     | `stories`, by status            | `message`, by stat                  |
|-------------|---------------------------------|-------------------------------------|
| done        | yes                             | ok                                  |
| discard     | yes                             | ok                                  |
| quarantine  | yes                             | error                               |
| retry       | yes, at each attempt            | retry; retryx if no retry is left   |
| requeue     | only if processing had begun    | requeue, if processing had begun    |
| queued      | yes                             | no: nothing was processed           |
| skipped     | yes                             | no                                  |

A message that is requeued before processing came too early, which is no result yet. `sent-msgs`
still counts it, as it counts all published messages by exchange or queue.
"""

from indexer.messages.outcome import QUEUING, Outcome, OutcomeKind
from indexer.messages.topology import output_exchange
from indexer.metrics import counter, timer

STORIES = counter("stories", "messages, by how their handling at a step ended", "status")
MESSAGE = timer("message", "the processing of a message, by how it ended", "stat")

SENT = counter("sent-msgs", "messages published, by exchange or queue", "dest")

EXHAUSTED = "retryx"

_STATS = {
    OutcomeKind.DONE: "ok",
    OutcomeKind.DISCARD: "ok",
    OutcomeKind.QUARANTINE: "error",
    OutcomeKind.RETRY: "retry",
    OutcomeKind.REQUEUE: "requeue",
}


def count_outcomes(outcome: Outcome) -> None:
    """Count an outcome. An Observer."""
    for send in outcome.sends:
        SENT.add(dest=send.exchange or send.key)
    # Zero seconds: the message was held before its processing began.
    if outcome.kind is OutcomeKind.REQUEUE and not outcome.seconds:
        return
    STORIES.add(status=outcome.status)
    stat = EXHAUSTED if outcome.exhausted else _STATS.get(outcome.kind)
    if stat is not None:
        MESSAGE.observe(outcome.seconds, stat=stat)
    elif outcome.status == QUEUING:
        SENT.add(dest=output_exchange(outcome.step))
