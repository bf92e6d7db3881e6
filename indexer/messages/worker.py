"""The interfaces of programs: worker, batch worker and producer. None sees a broker or a queue.

process(story) -> story | [story, …] | None | Done(outputs, status)
or raise Discard / Retry / Requeue / Quarantine (`indexer.errors`)
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from indexer.errors import Disposition
from indexer.messages.message import UNKNOWN, Origin, Payload

P = TypeVar("P", bound=Payload)

SUCCESS = "success"


@dataclass(frozen=True, slots=True)
class Done(Generic[P]):
    """A result with a status of its own: `Done([story], "OK-trafilatura")`."""

    outputs: Sequence[P] = ()
    status: str = SUCCESS


Result: TypeAlias = P | Sequence[P] | Done[P] | None


class Worker(Generic[P]):
    """Handles messages one by one; `threads` of them at the same time, if it is thread-safe.

    `takes` is the class of its payloads. The defaults of the numbers are those of stories.md
    3.3–3.4, delays in seconds; the operator's options override them.
    """

    name: str
    takes: type[P]
    threads: int = 1
    prefetch: int = 2
    max_retries: int = 10
    retry_delay: float = 3600.0
    requeue_delay: float = 120.0

    def process(self, payload: P) -> Result[P]:
        """The outputs of one message. Raises a Disposition to end early; other errors retry it."""
        raise NotImplementedError

    def hold(self, payload: P) -> float:  # noqa: ARG002 - the default holds nothing
        """The seconds to wait before `process`, for politeness. Called once, when a message
        arrives.

        All calls come from one thread. Raises a Disposition to end early, as `process` does.
        """
        return 0.0

    def close(self) -> None:
        """Release the worker's resources. Called once, after the last message."""


class BatchWorker(Generic[P]):
    """Handles many messages together. Keeps only the parts of a payload that it needs.

    A batch ends at `size` messages, `seconds` after its first message, when the worker is `full`,
    or when the program stops.
    """

    name: str
    takes: type[P]
    size: int = 5000
    seconds: float = 900.0
    max_retries: int = 10
    retry_delay: float = 3600.0
    requeue_delay: float = 120.0

    @property
    def full(self) -> bool:
        """Whether the batch should end now, whatever its size. Read after each `add`."""
        return False

    def add(self, payload: P) -> None:
        """Add a payload to the batch. Raises a Disposition to end the handling of this message."""
        raise NotImplementedError

    def add_again(self, payload: P) -> None:
        """Add a payload that was delivered before: a process that died may have handled it."""
        self.add(payload)

    @property
    def archives(self) -> Sequence[str]:
        """URLs of the files finished since the program started, for the summary of a run."""
        return ()

    def flush(self) -> "Sequence[Result[P] | Disposition]":
        """End the batch: one result for each payload added since the last flush, in that order.

        An exception ends the process with status 1: no message of the batch is settled, and all of
        them are delivered again.
        """
        raise NotImplementedError

    def close(self) -> None:
        """Release the worker's resources. Called once, after the last batch."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """An item that a producer does not queue, and why; counted and logged like a message."""

    status: str
    label: str
    why: str = ""
    origin: Origin = UNKNOWN


@dataclass(frozen=True, slots=True)
class Mark:
    """When the generator resumes after a mark, the broker has all payloads yielded before it.

    Then a producer records its progress: a bookmark, a finished file. `idle` means that the
    producer waits and has nothing to queue, so the loop need not check for room.
    """

    idle: bool = False


class Producer(Generic[P]):
    """Makes messages: a generator that is resumed when there is room for more in the queues.

    `shuffled`: messages are queued in random order, so that those of one site don't come in a row.
    """

    name: str
    shuffled: bool = True

    def produce(self) -> Generator[P | Skipped | Mark, None, None]:
        """Yield payloads, skipped items and marks. May catch `Stopped`, and must raise it again."""
        raise NotImplementedError

    def close(self) -> None:
        """Release the producer's resources. Called once, also after an error."""
