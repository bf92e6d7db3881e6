"""A consumer that takes no more than so many messages."""

from collections.abc import Sequence

from indexer.broker import Consumer
from indexer.messages.message import Delivery, Send


class Limited:
    """Another consumer, that finds its queue empty after `limit` messages.

    For a queue that is filled by those who empty it: a message that is quarantined again must not
    be taken from the quarantine again.
    """

    def __init__(self, consumer: Consumer, limit: int) -> None:
        self._consumer = consumer
        self._left = limit

    def receive(self, timeout: float) -> Delivery | None:
        """See `Consumer`."""
        if self._left <= 0:
            return None
        delivery = self._consumer.receive(timeout)
        self._left -= delivery is not None
        return delivery

    def settle(self, deliveries: Sequence[Delivery], sends: Sequence[Send] = ()) -> None:
        """See `Consumer`."""
        self._consumer.settle(deliveries, sends)

    def close(self) -> None:
        """See `Consumer`."""
        self._consumer.close()
