"""The connection to RabbitMQ, and the thread that does all of its I/O.

The thread answers heartbeats however long a worker's `process` takes. Other threads give it
callbacks (`post`), or wait for an answer (`call`). A lost connection is not replaced: then every
call raises BrokerError, the program ends, and is started again.
"""

import logging
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, NamedTuple, Protocol, TypeVar

import pika
import pika.exceptions

from indexer.errors import BrokerError

T = TypeVar("T")


class BrokerTimeouts(NamedTuple):
    """Seconds to wait for RabbitMQ at most.

    `reply`: for an answer; a busy cluster takes seconds to make a queue. `confirm`: for a publisher
    confirm; none comes if the queue has no quorum. `drain`: for confirms when a consumer closes.
    `close`: for the answer when a channel or connection closes.
    """

    reply: float = 60.0
    confirm: float = 300.0
    drain: float = 30.0
    close: float = 10.0


# pika logs each error that it raises, with long tracebacks.
logging.getLogger("pika").setLevel(logging.CRITICAL)


RECEIVED_BYTES = 64 * 1024
"""The most bytes that one call of the system reads from the socket."""

SMALL_FRAMES = 3
"""The number of frames of a message whose body fits in one: method, header, body."""


class Watcher(Protocol):
    """An object that has to know when the connection is lost."""

    def fail(self, failure: BrokerError) -> None:
        """Called once, in the I/O thread, with the reason."""


class _Socket(pika.SelectConnection):  # type: ignore[misc] # pika has no types
    """pika's connection, with fewer calls of the system; pika has no settings for them.

    pika reads 4 kB at a time, and copies all that it has of a message for each of these pieces. It
    sends each frame by itself.
    """

    def _proto_connection_made(self, transport: Any) -> None:
        transport._MAX_RECV_BYTES = RECEIVED_BYTES
        super()._proto_connection_made(transport)

    def _output_marshaled_frames(self, marshaled_frames: Sequence[bytes]) -> None:
        # More frames are megabytes: pika copies the rest of a piece that the socket takes in parts.
        if 1 < len(marshaled_frames) <= SMALL_FRAMES:
            marshaled_frames = [b"".join(marshaled_frames)]
        super()._output_marshaled_frames(marshaled_frames)


class Connection:
    """An open connection. All threads but its own may call its methods."""

    def __init__(
        self, parameters: pika.URLParameters, timeouts: BrokerTimeouts | None = None
    ) -> None:
        self.timeouts = timeouts or BrokerTimeouts()
        self.name = f"RabbitMQ at {parameters.host}:{parameters.port}"
        self.watchers: set[Watcher] = set()
        self._lock = threading.Lock()
        self._failure: BrokerError | None = None
        self._waiting: set[Future[Any]] = set()
        self._posted: list[Callable[[], None]] = []
        self._open: Future[None] = Future()
        self._pika = _Socket(
            parameters,
            on_open_callback=lambda _: self._open.set_result(None),
            on_open_error_callback=self._on_end,
            on_close_callback=self._on_end,
        )
        self._thread = threading.Thread(target=self._run, name="amqp", daemon=True)
        self._thread.start()
        self._wait_until_open(_connect_seconds(parameters) + self.timeouts.reply)

    def call(self, start: Callable[[Any, "Future[T]"], None], seconds: float | None = None) -> T:
        """Run `start(connection, answer)` in the I/O thread, and wait until `answer` has a result.

        Raises ChannelClosedByBroker if RabbitMQ refuses the request, BrokerError.
        """
        answer: Future[T] = Future()
        seconds = self.timeouts.reply if seconds is None else seconds
        with self._lock:
            self._check()
            self._waiting.add(answer)
        try:
            self.post(lambda: _guarded(start, self._pika, answer))
            return answer.result(seconds)
        except TimeoutError:
            raise BrokerError(f"{self.name} has not answered for {seconds:g} s") from None
        except pika.exceptions.ChannelClosedByBroker:
            raise
        except pika.exceptions.AMQPError as error:
            raise BrokerError(f"{self.name}: {explain(error)}") from error
        finally:
            with self._lock:
                self._waiting.discard(answer)

    def post(self, callback: Callable[[], None]) -> None:
        """Run a callback in the I/O thread soon. Callbacks run in the order of the calls."""
        with self._lock:
            self._check()
            self._posted.append(callback)
            # The thread is woken once for all callbacks that it has not begun: each wake costs a
            # call of the system.
            if len(self._posted) == 1:
                self._pika.ioloop.add_callback_threadsafe(self._run_posted)

    def close(self) -> None:
        """Close the connection; if RabbitMQ doesn't answer, close the socket."""
        with suppress(BrokerError):
            self.post(lambda: _close(self._pika))
        self._thread.join(self.timeouts.close)
        if self._thread.is_alive():
            with suppress(BrokerError):
                self.post(lambda: _break_off(self._pika))
            self._thread.join(self.timeouts.close)

    def _check(self) -> None:
        if self._failure:
            raise BrokerError(str(self._failure)) from self._failure

    def _run(self) -> None:
        try:
            self._pika.ioloop.start()
        except Exception as error:  # noqa: BLE001 - other threads wait for this one, and need to know
            self._fail(error)
            # The loop has to run again to close the socket.
            with suppress(Exception):
                _break_off(self._pika)
                self._pika.ioloop.start()
        self._pika.ioloop.close()

    def _run_posted(self) -> None:
        with self._lock:
            posted, self._posted = self._posted, []
        for callback in posted:
            callback()

    def _on_end(self, _: object, error: Exception) -> None:
        if not self._failure:
            self._fail(error)
        self._pika.ioloop.stop()

    def _fail(self, error: Exception) -> None:
        """Raise the failure in all threads that wait, and in later calls."""
        opened = self._open.done()
        lost = "lost the connection to" if opened else "can't connect to"
        if isinstance(error, pika.exceptions.ConnectionClosedByClient):
            failure = BrokerError(f"the connection to {self.name} is closed")
        else:
            failure = BrokerError(f"{lost} {self.name}: {explain(error)}")
        with self._lock:
            self._failure = failure
            waiting = [answer for answer in self._waiting if not answer.done()]
        # Outside of the lock: a watcher may take locks of its own, whose holders call `post`.
        for answer in [*waiting, *([] if opened else [self._open])]:
            answer.set_exception(failure)
        for watcher in list(self.watchers):
            watcher.fail(failure)

    def _wait_until_open(self, seconds: float) -> None:
        try:
            self._open.result(seconds)
        except TimeoutError:
            self.close()
            raise BrokerError(f"{self.name} has not answered for {seconds:g} s") from None


def _guarded(start: Callable[[Any, "Future[T]"], None], pika: Any, answer: "Future[T]") -> None:
    try:
        start(pika, answer)
    except Exception as error:  # noqa: BLE001 - pika checks arguments here, and the caller waits
        if not answer.done():
            answer.set_exception(error)


def _close(connection: Any) -> None:
    if not (connection.is_closing or connection.is_closed):
        connection.close()


def _break_off(connection: Any) -> None:
    """Close the socket without the closing handshake, for which pika has no public method."""
    if not connection.is_closed:
        connection._terminate_stream(
            pika.exceptions.ConnectionClosedByClient(0, "RabbitMQ does not answer")
        )


def _connect_seconds(parameters: pika.URLParameters) -> float:
    """How long pika tries to connect."""
    attempt = (parameters.stack_timeout or 60.0) + parameters.retry_delay
    return float(parameters.connection_attempts * attempt)


def explain(error: BaseException) -> str:
    """The text of the innermost of pika's nested errors."""
    if causes := getattr(error, "exceptions", None):
        return explain(causes[-1])
    if isinstance(cause := getattr(error, "exception", None), BaseException):
        return explain(cause)
    if error.args and isinstance(error.args[0], BaseException):
        return explain(error.args[0])
    return str(getattr(error, "reply_text", "") or error) or type(error).__name__
