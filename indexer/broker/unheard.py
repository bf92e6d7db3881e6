"""Messages that no queue took, with the meaning that their exchange's table gives them."""

from collections.abc import Iterable

from indexer.errors import BrokerError
from indexer.messages.exchanges import Unheard
from indexer.messages.message import Send
from indexer.metrics import counter

UNHEARD = counter(
    "unheard-msgs", "messages dropped because no queue took them, by exchange", "dest"
)


def returned(unheard: Iterable[Send]) -> list[Send]:
    """The messages that go back to their sender; the others, which are dropped, are counted."""
    requests = []
    for send in unheard:
        if send.unheard is Unheard.RETURNED:
            requests.append(send)
        else:
            UNHEARD.add(dest=send.exchange)
    return requests


def check_settled(sends: Iterable[Send]) -> None:
    """Raise BrokerError if a message could come back: its input would be deleted by then."""
    if any(send.unheard is Unheard.RETURNED for send in sends):
        raise BrokerError("a message that may be returned is published, not settled")
