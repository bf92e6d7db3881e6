"""A channel of a RabbitMQ connection, and what the threads that use it wait for."""

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
    """An open channel. What fails once has failed for good: open another.

    `pika` is to be used in the I/O thread only. `changed` guards what that thread shares with
    others; it is notified when the channel fails. `told`: it has failed, and somebody knows.
    """

    def __init__(self, connection: Connection) -> None:
        self.changed = threading.Condition()
        self.patience = connection.patience
        self.pika: Any = None
        self._connection = connection
        self._failure: BrokerError | None = None
        self.told = False
        self._answer: Future[Any] | None = None
        self._closed: Future[None] = Future()
        connection.call(self._open)

    @property
    def is_usable(self) -> bool:
        """Whether it has neither failed nor been closed, as far as is known."""
        return self._failure is None

    def ask(self, method: str, **arguments: Any) -> Any:
        """The answer to a request. Raises ChannelClosedByBroker if it is refused, BrokerError."""

        def send(_: Any, answer: Future[Any]) -> None:
            self._answer = answer
            request = getattr(self.pika, method)
            request(callback=lambda frame: _set(answer, frame.method), **arguments)

        return self._connection.call(send)

    def post(self, callback: Callable[[], None]) -> None:
        """Run a callback in the I/O thread, soon, if the channel is open then."""
        self._connection.post(lambda: callback() if self.pika.is_open else None)

    def wait(self, condition: Callable[[], bool], seconds: float) -> bool:
        """Wait until it is true; whether it is. Call it with `changed` held. Raises BrokerError."""
        self.changed.wait_for(lambda: self._failure is not None or condition(), seconds)
        self.check()
        return condition()

    def check(self) -> None:
        """Raise what the channel failed of."""
        if self._failure:
            self.told = True
            raise type(self._failure)(str(self._failure)) from self._failure

    def fail(self, failure: BrokerError) -> None:
        """Nothing more goes through the channel, and whoever waits is told. I/O thread only."""
        with self.changed:
            self._failure = self._failure or failure
            self.changed.notify_all()
        if self.pika.is_open:
            self.pika.close()

    def close(self) -> None:
        """Close it: what was delivered and not acknowledged goes back. Never raises."""
        with self.changed:
            if not self._failure:
                self._failure, self.told = BrokerError("the channel is closed"), True
            self.changed.notify_all()
        with suppress(BrokerError):
            self._connection.call(self._close, self.patience.close)
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
            return  # the connection is lost, and tells all its watchers
        refused = isinstance(reason, ChannelClosedByBroker)
        failure = BrokerError(explain(reason))
        if self._answer and not self._answer.done():
            self.told = True
            self._answer.set_exception(reason if refused else failure)
        elif refused and reason.reply_code == NOT_FOUND:
            # Of what isn't waited for, only a message can be for something that doesn't exist.
            failure = Unroutable(explain(reason))
        self.fail(failure)
        _set(self._closed, None)


def _set(answer: "Future[Any]", result: Any) -> None:
    if not answer.done():
        answer.set_result(result)
