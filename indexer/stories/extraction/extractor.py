"""Runs extraction in processes that can be killed, because pages are hostile input."""

import queue

import msgspec

from indexer.errors import Discard, Quarantine, SandboxError
from indexer.stories.extraction.page import Extraction, FetchedPage, RefusedPage
from indexer.system.sandbox import Sandbox, SandboxLimits

_FUNCTION = "indexer.stories.extraction.extraction:answer"

_encoder = msgspec.msgpack.Encoder()
_decoder: msgspec.msgpack.Decoder[Extraction | RefusedPage] = msgspec.msgpack.Decoder(
    Extraction | RefusedPage
)


class Extractor:
    """Calls `extraction.answer` in one process for each thread that calls it at the same time."""

    def __init__(self, limits: SandboxLimits | None = None) -> None:
        """Starts the first process. Raises ConfigurationError if it can't import the extractors."""
        self._limits = limits
        # Last in, first out: the process that was used last has its memory in the caches.
        self._idle: queue.LifoQueue[Sandbox] = queue.LifoQueue()
        first = self._sandbox()
        first.start()
        self._idle.put(first)

    def extract(self, page: FetchedPage) -> Extraction:
        """The values of a page. Raises Discard or Quarantine.

        Quarantine: `extract-timeout`, `extract-memory`, `extract-crash` or `extract-error` if the
        process gave no answer. No Retry, because the same page would fail again.
        """
        sandbox = self._sandbox()
        try:
            answer = sandbox.run(_encoder.encode(page))
        except SandboxError as error:
            raise Quarantine(f"extract-{error.reason}", error.why) from error
        finally:
            self._idle.put(sandbox)
        return _found(answer)

    def close(self) -> None:
        """End the processes."""
        while not self._idle.empty():
            self._idle.get().close()

    def _sandbox(self) -> Sandbox:
        """An idle process, or else a new one."""
        try:
            return self._idle.get_nowait()
        except queue.Empty:
            return Sandbox(_FUNCTION, self._limits)


def _found(answer: bytes) -> Extraction:
    match _decoder.decode(answer):
        case Extraction() as found:
            return found
        case RefusedPage(status=status, why=why, quarantine=True):
            raise Quarantine(status, why)
        case RefusedPage(status=status, why=why):
            raise Discard(status, why)
