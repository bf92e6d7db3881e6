"""What is counted of each outcome: `stories`, `message`, `sent-msgs` (stories.md 2.5, 2.6).

| outcome     | `stories`, by status            | `message`, by stat                  |
|-------------|---------------------------------|-------------------------------------|
| done        | yes                             | ok                                  |
| discard     | yes                             | ok                                  |
| quarantine  | yes                             | error                               |
| retry       | yes, at each attempt            | retry; when that was the last       |
|             |                                 | try and it is given up: retryx      |
| requeue     | only if it was being processed  | requeue, if it was being processed  |
| queued      | yes                             | no: nothing was processed           |
| skipped     | yes                             | no                                  |

A message that is requeued on arrival came too early: nothing is known of it that wasn't before.
It is in `sent-msgs` nevertheless, which counts all that was published, by exchange or queue.
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
    """An Observer: tells the program's sinks of an outcome."""
    for send in outcome.sends:
        SENT.add(dest=send.exchange or send.key)
    if outcome.kind is OutcomeKind.REQUEUE and not outcome.seconds:
        return
    STORIES.add(status=outcome.status)
    stat = EXHAUSTED if outcome.exhausted else _STATS.get(outcome.kind)
    if stat is not None:
        MESSAGE.observe(outcome.seconds, stat=stat)
    elif outcome.status == QUEUING:
        SENT.add(dest=output_exchange(outcome.step))
