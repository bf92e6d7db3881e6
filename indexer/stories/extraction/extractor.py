"""Runs extraction in processes that can be killed, because pages are hostile input.

FetchedPage → a process with `extraction` → Extraction | RefusedPage
"""

import msgspec

from indexer.errors import Discard, Quarantine, Retry, SandboxError
from indexer.stories.extraction.pages import Extraction, FetchedPage, RefusedPage
from indexer.stories.extraction.site_brake import SiteBrake
from indexer.stories.story import NEED_CANONICAL_URL
from indexer.system.sandbox import SandboxLimits
from indexer.system.sandbox_pool import SandboxPool

_EXHAUSTED = ("timeout", "memory", "crash")

_FUNCTION = "indexer.stories.extraction.extraction:answer"

_encoder = msgspec.msgpack.Encoder()
_decoder: msgspec.msgpack.Decoder[Extraction | RefusedPage] = msgspec.msgpack.Decoder(
    Extraction | RefusedPage
)


class Extractor:
    """Calls `extraction.answer` in one process for each thread that calls it at the same time."""

    def __init__(self, limits: SandboxLimits | None = None) -> None:
        """Starts the first process.

        Raises ConfigurationError if it can't import the extractors, SandboxError if none starts.
        """
        limits = limits or SandboxLimits()
        self._brake = SiteBrake(limits.seconds)
        self._sandboxes = SandboxPool(_FUNCTION, limits)
        self._sandboxes.start()

    def extract(self, page: FetchedPage) -> Extraction:
        """The values of a page. Raises Discard, Quarantine, Retry.

        Quarantine: `extract-timeout`, `extract-memory`, `extract-crash` or `extract-error` if the
        process gave no answer, because the same page would fail again. Retry: `extract-killed` if
        it was killed from outside. A page that needs all of a machine's memory looks the same, so
        there is one retry only, unless the page never reached a process.
        """
        try:
            answer = self._sandboxes.run(_encoder.encode(page), self._brake.seconds(page.url))
        except SandboxError as error:
            if error.reason == "start":
                raise Retry("extract-killed", error.why) from error
            if error.reason == "killed":
                raise Retry("extract-killed", error.why, most=1) from error
            if error.reason in _EXHAUSTED and page.url != NEED_CANONICAL_URL:
                self._brake.exhausted(page.url)
            raise Quarantine(f"extract-{error.reason}", error.why) from error
        return _found(answer)

    def close(self) -> None:
        """End the processes."""
        self._sandboxes.close()


def _found(answer: bytes) -> Extraction:
    match _decoder.decode(answer):
        case Extraction() as found:
            return found
        case RefusedPage(status=status, why=why, quarantine=True):
            raise Quarantine(status, why)
        case RefusedPage(status=status, why=why):
            raise Discard(status, why)
