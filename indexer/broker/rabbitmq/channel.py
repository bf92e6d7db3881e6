"""Channels of a RabbitMQ connection, used by several threads."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import Any

from pika.exceptions import ChannelClosed, ChannelClosedByBroker

from indexer.broker.rabbitmq.connection import Connection, explain
from indexer.errors import BrokerError, Unroutable

NOT_FOUND = 404


class Channel:
    """An open channel. After a failure it can't be used again.

    Only the I/O thread may use `pika`. `changed` guards data that this thread shares with others;
    it is notified when the channel fails. `is_failure_known`: a caller has received the failure.
    """

    def __init__(self, connection: Connection) -> None:
        self.changed = threading.Condition()
        self.timeouts = connection.timeouts
        self.pika: Any = None
        self._connection = connection
        self._failure: BrokerError | None = None
        self.is_failure_known = False
        self._answer: Future[Any] | None = None
        self._closed: Future[None] = Future()
        connection.call(self._open)

    @property
    def is_usable(self) -> bool:
        """Whether the channel has neither failed nor been closed, as far as this process knows."""
        return self._failure is None

    def ask(self, method: str, **arguments: Any) -> Any:
        """The answer to a request. Raises ChannelClosedByBroker for a refusal, BrokerError."""

        def send(_: Any, answer: Future[Any]) -> None:
            self._answer = answer
            request = getattr(self.pika, method)
            request(callback=lambda frame: _set(answer, frame.method), **arguments)

        return self._connection.call(send)

    def post(self, callback: Callable[[], None]) -> None:
        """Run a callback in the I/O thread soon, if the channel is still open then."""
        self._connection.post(lambda: callback() if self.pika.is_open else None)

    def wait(self, condition: Callable[[], bool], seconds: float) -> bool:
        """Wait for a condition, with `changed` held; whether it is true. Raises BrokerError."""
        self.changed.wait_for(lambda: self._failure is not None or condition(), seconds)
        self.check()
        return condition()

    def check(self) -> None:
        """Raise the channel's failure, if there is one. Raises BrokerError."""
        if self._failure:
            self.is_failure_known = True
            # A new exception, as several threads may raise it, each with its own traceback.
            raise type(self._failure)(str(self._failure)) from self._failure

    def fail(self, failure: BrokerError) -> None:
        """Close the channel, and raise the failure in waiting threads. I/O thread only."""
        with self.changed:
            # The first failure is the cause of those that follow.
            self._failure = self._failure or failure
            self.changed.notify_all()
        if self.pika.is_open:
            self.pika.close()

    def close(self) -> None:
        """Close the channel: RabbitMQ requeues messages without acknowledgement. Never raises."""
        with self.changed:
            if not self._failure:
                self._failure, self.is_failure_known = BrokerError("the channel is closed"), True
            self.changed.notify_all()
        with suppress(BrokerError):
            self._connection.call(self._close, self.timeouts.close)
        self._connection.watchers.discard(self)

    def _open(self, connection: Any, answer: "Future[None]") -> None:
        def opened(channel: Any) -> None:
            self.pika = channel
            self._connection.watchers.add(self)
            channel.add_on_close_callback(self._on_close)
            _set(answer, None)

        connection.channel(on_open_callback=opened)

    def _close(self, _: Any, answer: "Future[None]") -> None:
        self._closed = answer
        if self.pika.is_open:
            self.pika.close()
        elif self.pika.is_closed:
            _set(answer, None)

    def _on_close(self, _: Any, reason: Exception) -> None:
        if not isinstance(reason, ChannelClosed):
            return  # the connection is lost, and calls `fail` of all its watchers
        refused = isinstance(reason, ChannelClosedByBroker)
        failure = BrokerError(explain(reason))
        if self._answer and not self._answer.done():
            self.is_failure_known = True
            self._answer.set_exception(reason if refused else failure)
        elif refused and reason.reply_code == NOT_FOUND:
            # Only publishing doesn't wait for an answer, and 404 closes the channel when its
            # exchange doesn't exist. An exchange without a matching queue returns the message.
            failure = Unroutable(explain(reason))
        self.fail(failure)
        _set(self._closed, None)


def _set(answer: "Future[Any]", result: Any) -> None:
    if not answer.done():
        answer.set_result(result)
