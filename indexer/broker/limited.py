"""A consumer that receives a limited number of messages."""

from collections.abc import Sequence

from indexer.broker import Consumer
from indexer.messages.message import Delivery, Send


class LimitedConsumer:
    """A consumer for which the queue is empty after `limit` messages.

    For programs whose outputs may return to the queue: a message from a quarantine that is
    quarantined again must not be received again.
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
