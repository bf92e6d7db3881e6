"""What a program is: a worker, a batch worker or a producer. None sees a broker or a queue.

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
    """A result that names its own status: `Done([story], "OK-trafilatura")`."""

    outputs: Sequence[P] = ()
    status: str = SUCCESS


Result: TypeAlias = P | Sequence[P] | Done[P] | None


class Worker(Generic[P]):
    """Handles one message at a time; `threads` of them at once, if it is thread-safe.

    `takes` is the payload's class. The numbers are those of stories.md 3.3–3.4, delays in
    seconds; the operator's options override them.
    """

    name: str
    takes: type[P]
    threads: int = 1
    prefetch: int = 2
    max_retries: int = 10
    retry_delay: float = 3600.0
    requeue_delay: float = 120.0

    def process(self, payload: P) -> Result[P]:
        """What becomes of one message. Any exception but a Disposition is a retry."""
        raise NotImplementedError

    def hold(self, payload: P) -> float:  # noqa: ARG002 - the default holds nothing
        """In how many seconds it may be processed; called once, when it arrives, in one thread.

        A Disposition raised here ends the handling like one raised by `process`.
        """
        return 0.0

    def close(self) -> None:
        """Let go of what the worker holds. Called once, after the last message."""


class BatchWorker(Generic[P]):
    """Handles messages together. Keeps what it needs of a payload, not the payload.

    A batch ends at `size` messages, `seconds` after its first, when the worker says that it is
    `full`, or when the program stops.
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
        """Whether the batch should end now, whatever its size: asked after each `add`."""
        return False

    def add(self, payload: P) -> None:
        """Take one into the batch; a Disposition raised here ends the handling of this one."""
        raise NotImplementedError

    def add_again(self, payload: P) -> None:
        """Take one that was delivered before: a process that died may have handled it."""
        self.add(payload)

    @property
    def archives(self) -> Sequence[str]:
        """URLs of the files that it has finished since it started, for the run's summary."""
        return ()

    def flush(self) -> "Sequence[Result[P] | Disposition]":
        """End the batch: one result for each payload added since the last, in that order.

        An exception ends the process with status 1: nothing of the batch is settled, all of it
        comes back.
        """
        raise NotImplementedError

    def close(self) -> None:
        """Let go of what the worker holds. Called once, after the last batch."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """An item that a producer does not queue, and why: counted and logged like any message."""

    status: str
    label: str
    why: str = ""
    origin: Origin = UNKNOWN


@dataclass(frozen=True, slots=True)
class Mark:
    """Everything yielded before this is durable in the broker when the generator goes on.

    The moment to write down a bookmark, or that a file is finished. `idle`: nothing comes now, so
    that there is no need to look whether there is room for more.
    """

    idle: bool = False


class Producer(Generic[P]):
    """Where messages come from: a generator that is resumed when there is room for more.

    `shuffled`: the order of messages is chance, so that those of one site don't come in a row.
    """

    name: str
    shuffled: bool = True

    def produce(self) -> Generator[P | Skipped | Mark, None, None]:
        """Payloads, items skipped, and marks. May catch `Stopped`, and must raise it again."""
        raise NotImplementedError

    def close(self) -> None:
        """Let go of what the producer holds. Called once, also after an error."""
