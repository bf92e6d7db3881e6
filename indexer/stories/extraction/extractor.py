"""Runs extraction in processes that can be killed, because pages are hostile input.

FetchedPage → a process with `extraction` → Extraction | RefusedPage
"""

import queue

import msgspec

from indexer.errors import Discard, Quarantine, SandboxError
from indexer.stories.story import ContentMetadata
from indexer.system.sandbox import Sandbox, SandboxLimits

MIN_TEXT = 200
"""Texts of this many characters or fewer are not stories (stories.md 7.1)."""


class FetchedPage(msgspec.Struct, kw_only=True, tag="page"):
    """A fetched page, and the options of extraction.

    `http_charset` is the charset that HTTP declared, `known_charset` the one that an archive has
    for the page. `now`, in seconds since the epoch, is the upper bound of its date.
    """

    url: str
    html: bytes
    http_charset: str | None = None
    known_charset: str | None = None
    min_text: int = MIN_TEXT
    homepage_rule: str = "strict"
    now: float


class Extraction(msgspec.Struct, kw_only=True, tag="extraction"):
    """The values of a page, except `parsed_date`, and the way they were found.

    `rung` is the step of the decoding ladder that found `encoding`; `bom` is the number of bytes to
    cut from the page. `seconds` has the time of each step: encoding, url, pub_date, content, title
    and language.
    """

    metadata: ContentMetadata
    encoding: str
    rung: str
    bom: int
    seconds: dict[str, float] = {}


class RefusedPage(msgspec.Struct, kw_only=True, tag="refusal"):
    """The reason why a page is not a story: for a Discard, or for a Quarantine."""

    status: str
    why: str
    quarantine: bool


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
