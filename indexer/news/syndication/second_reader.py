"""feedparser, for documents that our reader can't read: in a process that can be killed.

text → a process with `feedparser_items` → its items, in the form of our own reader

feedparser holds a whole document and takes its time: so only a document without an item that has a
link comes here, up to MAX_CHARACTERS.
"""

import re
from collections.abc import Iterable, Iterator

import msgspec

from indexer.errors import SandboxError
from indexer.news.syndication.open_item import MarkupItem
from indexer.system.sandbox import SandboxLimits
from indexer.system.sandbox_pool import SandboxPool

MAX_CHARACTERS = 10_000_000
"""The longest text that is read again."""

LIMITS = SandboxLimits(seconds=20.0, megabytes=1024, keep_megabytes=200)

_ITEM = re.compile(r"<(?:[^\s<>/:]{1,50}:)?(?:item|entry)[\s/>]", re.IGNORECASE)
"""The only elements that are items for feedparser: no process starts for a feed without items."""

_FUNCTION = "indexer.news.syndication.feedparser_items:answer"


class SecondReading(msgspec.Struct, kw_only=True):
    """A document as feedparser read it: its items have the elements of RSS."""

    version: str = ""
    head: MarkupItem = msgspec.field(default_factory=MarkupItem)
    items: list[MarkupItem] = msgspec.field(default_factory=list)


_decoder = msgspec.msgpack.Decoder(SecondReading)


def decoded(answer: bytes) -> SecondReading:
    """The reading in an answer of the process."""
    return _decoder.decode(answer)


class SecondReader:
    """Reads documents with feedparser. Its processes start with the first of them. Thread-safe."""

    def __init__(self, limits: SandboxLimits = LIMITS) -> None:
        self._sandboxes = SandboxPool(_FUNCTION, limits)

    def __enter__(self) -> "SecondReader":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def read(self, text: str) -> SecondReading:
        """Read a document; it may have no items.

        Raises SandboxError: for a text that is too long, or for one that took too long.
        """
        if len(text) > MAX_CHARACTERS:
            raise SandboxError("memory", f"more than {MAX_CHARACTERS} characters")
        if not _ITEM.search(text):
            return SecondReading()
        return decoded(self._sandboxes.run(text.encode("utf-8", "replace")))

    def close(self) -> None:
        """End the processes."""
        self._sandboxes.close()


class KeptText:
    """A text that is kept while it is read in pieces, so that it can be read again.

    It is not kept if it is longer than MAX_CHARACTERS.
    """

    def __init__(self, pieces: Iterable[str]) -> None:
        self._pieces = pieces
        self._kept: list[str] = []
        self._left = MAX_CHARACTERS

    def __iter__(self) -> Iterator[str]:
        for piece in self._pieces:
            self._left -= len(piece)
            if self._left < 0:
                self.forget()
            else:
                self._kept.append(piece)
            yield piece

    @property
    def is_kept(self) -> bool:
        """Whether all of the text that was read is kept."""
        return self._left >= 0

    def forget(self) -> None:
        """Keep the text no longer: it will not be read again."""
        self._kept.clear()
        self._left = -1

    def whole(self) -> str:
        """The text, read to its end; "" if it is not kept."""
        for _ in self:
            if not self.is_kept:
                break
        return "".join(self._kept)
