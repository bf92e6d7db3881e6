"""Requests: outputs that come back to their worker if no program serves them.

    result → decide → publish the requests → those that came back: worker.unserved → decide again

Requests are published before their input is settled: afterwards it would be too late to learn that
nobody serves them. If the program dies in between, they are published again.
"""

from collections.abc import Callable

from indexer.errors import Quarantine
from indexer.loops.inbox import Inbox
from indexer.messages.exchanges import Unheard
from indexer.messages.message import Send
from indexer.messages.outcome import BAD_OUTPUT, Outcome
from indexer.messages.worker import SUCCESS, Done, Out, Result, as_done


def decide_with_requests(
    inbox: Inbox,
    unserved: Callable[[Out], Result[Out]],
    ending: Result[Out] | Exception,
    decide: Callable[[Result[Out] | Exception], Outcome],
) -> Outcome:
    """The outcome of a message, whose requests are published.

    Of a request that no program serves, the result of `unserved` takes the place: its outputs, and
    its status, unless that is `success`. An error raised by `unserved` replaces the whole result.
    Raises BrokerError.
    """
    outcome = decide(ending)
    requests = [send for send in outcome.sends if send.unheard is Unheard.RETURNED]
    if not requests or isinstance(ending, Exception):
        return outcome
    returned = inbox.publish(requests)
    if not returned:
        return outcome
    try:
        return decide(_answered(inbox, unserved, as_done(ending), outcome, returned))
    except Exception as error:  # noqa: BLE001 - an error costs its message, not the program
        return decide(error)


def _answered(
    inbox: Inbox,
    unserved: Callable[[Out], Result[Out]],
    done: Done[Out],
    outcome: Outcome,
    returned: list[Send],
) -> Done[Out]:
    """The result with answers in place of the requests that came back. Raises a Disposition."""
    back = {id(send) for send in returned}
    kept, status = [], done.status
    for payload, send in zip(done.outputs, outcome.sends, strict=True):
        if id(send) not in back:
            kept.append(payload)
            continue
        answer = as_done(unserved(payload))
        if any(
            inbox.policy.exchange.meaning(each.key) is Unheard.RETURNED for each in answer.outputs
        ):
            raise Quarantine(BAD_OUTPUT, f"the answer to a request is a request: {payload.label}")
        kept += answer.outputs
        status = status if answer.status == SUCCESS else answer.status
    return Done(kept, status)
