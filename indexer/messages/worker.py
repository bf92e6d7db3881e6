"""The interfaces of programs: worker, batch worker and producer. None sees a broker or a queue.

process(In) -> Out | [Out, …] | None | Done(outputs, status)
or raise Discard / Retry / Requeue / Quarantine (`indexer.errors`)
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeAlias, TypeVar, runtime_checkable

from indexer.errors import Disposition, Quarantine, Unroutable
from indexer.messages.exchanges import CONNECTED, Exchange
from indexer.messages.message import Origin, Payload

In = TypeVar("In", bound=Payload)
"""The payloads that a program takes."""

Out = TypeVar("Out", bound=Payload)
"""The payloads that a program makes; `Never` if it makes none."""

SUCCESS, UNSERVED = "success", "unserved"

OUTCOMES = "outcomes"
"""The metric that counts outcomes, unless a family has a name of its own for it."""


@dataclass(frozen=True, slots=True)
class Done(Generic[Out]):
    """A result with a status of its own: `Done([payload], "unchanged")`."""

    outputs: Sequence[Out] = ()
    status: str = SUCCESS


Result: TypeAlias = Out | Sequence[Out] | Done[Out] | None


def as_done(result: Result[Out]) -> Done[Out]:
    """The one form that all results have."""
    match result:
        case Done():
            return result
        case None:
            return Done()
        case Sequence():
            return Done(result)
        case _:
            return Done([result])


@dataclass(frozen=True, slots=True)
class Hold(Generic[Out]):
    """A wait of some seconds, and the function to call after it in place of `process`.

    The function carries what `hold` has learned about the message. It is dropped with the message
    if the program stops meanwhile.
    """

    seconds: float
    then: Callable[[], Result[Out]]


class Worker(Generic[In, Out]):
    """Handles messages one by one; `threads` of them at the same time, if it is thread-safe.

    `takes` is the class of its payloads; `counted_as` the metric that counts its outcomes. The
    table of `exchange`, the exchange of its family, says what it means that no queue takes an
    output. The defaults of the numbers are those of stories.md 3.3–3.4, delays in seconds; the
    operator's options override them.

    `prefetch` is how many messages the program holds at most. The default suits messages that take
    milliseconds: the next ones arrive while the broker still confirms the last ones. A worker whose
    message takes long has fewer: the others in its memory wait for it, while another instance may
    be idle; and RabbitMQ takes back all of them if one is not settled within 30 minutes.
    """

    name: str
    counted_as: str = OUTCOMES
    takes: type[In]
    exchange: Exchange = CONNECTED
    threads: int = 1
    prefetch: int = 64
    max_retries: int = 10
    retry_delay: float = 3600.0
    requeue_delay: float = 120.0

    def process(self, payload: In) -> Result[Out]:
        """The outputs of one message. Raises a Disposition to end early; other errors retry it."""
        raise NotImplementedError

    def hold(self, payload: In) -> float | Hold[Out]:  # noqa: ARG002 - the default holds nothing
        """The seconds to wait before `process`, for politeness; a Hold replaces `process`, too.

        Called once, when a message arrives; all calls come from one thread. Raises a Disposition to
        end early, as `process` does.
        """
        return 0.0

    def unserved(self, request: Out) -> Result[Out]:
        """The result in place of an output that no program serves, see `Unheard.RETURNED`.

        Its outputs must not be requests. An error that it raises ends the whole message: by
        default it waits in the quarantine.
        """
        raise Quarantine(UNSERVED, request.label)

    def close(self) -> None:
        """Release the worker's resources. Called once, after the last message."""


class BatchWorker(Generic[In, Out]):
    """Handles many messages together. Keeps only the parts of a payload that it needs.

    A batch ends at `size` messages, `seconds` after its first message, when the worker is `full`,
    or when the program stops. See `Worker` for the other attributes.
    """

    name: str
    counted_as: str = OUTCOMES
    takes: type[In]
    exchange: Exchange = CONNECTED
    size: int = 5000
    seconds: float = 900.0
    max_retries: int = 10
    retry_delay: float = 3600.0
    requeue_delay: float = 120.0

    @property
    def full(self) -> bool:
        """Whether the batch should end now, whatever its size. Read after each `add`."""
        return False

    def add(self, payload: In) -> None:
        """Add a payload to the batch. Raises a Disposition to end the handling of this message."""
        raise NotImplementedError

    def add_again(self, payload: In) -> None:
        """Add a payload that was delivered before: a process that died may have handled it."""
        self.add(payload)

    def flush(self) -> "Sequence[Result[Out] | Disposition]":
        """End the batch: one result for each payload added since the last flush, in that order.

        An exception ends the process with status 1: no message of the batch is settled, and all of
        them are delivered again.
        """
        raise NotImplementedError

    def unserved(self, request: Out) -> Result[Out]:
        """As of a Worker. Called after `flush`."""
        raise Quarantine(UNSERVED, request.label)

    def close(self) -> None:
        """Release the worker's resources. Called once, after the last batch."""


@runtime_checkable
class Maker(Protocol):
    """A program that makes files besides its messages, which the summary of a run lists."""

    @property
    def made(self) -> Sequence[str]:
        """The URLs of the files finished since the program started, in that order."""


@runtime_checkable
class InputReader(Protocol):
    """A program that reads inputs, whose numbers decide what the summary of a run says."""

    @property
    def inputs(self) -> Mapping[str, int]:
        """The numbers of inputs by the result of reading: success, skipped or failed.

        Skipped inputs were read before.
        """


@dataclass(frozen=True, slots=True)
class Skipped:
    """An item that a producer does not queue, and why; counted and logged like a message."""

    status: str
    label: str
    why: str = ""
    origin: Origin = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Mark:
    """When the generator resumes after a mark, the broker has all payloads yielded before it.

    Then a producer records its progress: a bookmark, a finished file. `idle` means that the
    producer waits and has nothing to queue, so the loop need not check for room.
    """

    idle: bool = False


class Producer(Generic[Out]):
    """Makes messages: a generator that is resumed when there is room for more in the queues.

    `shuffled`: messages are queued in random order, so that those of one site don't come in a row.
    See `Worker` for the other attributes.
    """

    name: str
    counted_as: str = OUTCOMES
    exchange: Exchange = CONNECTED
    shuffled: bool = True

    def produce(self) -> Generator[Out | Skipped | Mark, None, None]:
        """Yield payloads, skipped items and marks. May catch `Stopped`, and must raise it again."""
        raise NotImplementedError

    def unserved(self, request: Out) -> Skipped:
        """How a payload is counted that no program serves, see `Unheard.RETURNED`.

        By default it is an error, which ends the program. Raises Unroutable.
        """
        raise Unroutable(f"no program serves {request.label}")

    def close(self) -> None:
        """Release the producer's resources. Called once, also after an error."""
