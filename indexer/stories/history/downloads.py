"""Pages of the old system: objects named by a number, the `downloads_id` (stories.md 5.7).

number, when it was collected → version, if there are several → bytes → unpacked → Download
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO

from indexer.blobstore import Blobstore, ObjectVersion
from indexer.errors import Discard, InputError, NotFound, Quarantine, Retry, StorageError
from indexer.stories.history.epochs import choose, epoch, is_ambiguous
from indexer.text.unpacking import CHUNK, unpacked

MAX_DIGITS = 18
"""More than the old system ever had, and less than 64 bits."""

REDUNDANT = b"(redundant feed)"
"""How the object begins that stands for a feed which brought nothing new."""


@dataclass(frozen=True, slots=True)
class HistoricalPage:
    """A page, as it was received; and when it was stored, where that had to be found out."""

    page: bytes
    stored: datetime | None = None


def numeric_id(text: str | None) -> int | None:
    """The number, from 1 on, that a text is; None for any other text."""
    text = (text or "").strip()
    if not (text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS):
        return None
    return int(text) or None


class Downloads:
    """The pages in a blobstore. Thread-safe. `limit`: bytes of the largest page, unpacked."""

    def __init__(self, store: Blobstore, limit: int) -> None:
        self._store = store
        self._limit = limit

    def get(self, number: int, collected: datetime | None) -> HistoricalPage:
        """The page of a number; and when it was stored, for a story without a date of its own.

        Raises Discard (`not-found epoch-err redundant no-html oversized`), Quarantine (`no-epoch
        bad-gzip`), and Retry (`store-err`) when the store fails.
        """
        key = str(number)
        with _outcomes():
            version = self._version(key, number, collected)
            data = self._read(key, version.id if version else "")
        page = self._unpacked(data)
        if page.startswith(REDUNDANT):
            raise Discard("redundant")
        if not page:
            raise Discard("no-html")
        return HistoricalPage(page, version.modified if version else None)

    def _version(self, key: str, number: int, collected: datetime | None) -> ObjectVersion | None:
        """The version to read; None for the current one, whose date isn't needed."""
        if is_ambiguous(number):
            wanted = epoch(collected)
            return choose(self._store.versions(key), wanted)
        return self._store.stat(key) if collected is None else None

    def _read(self, key: str, version: str) -> bytes:
        with self._store.open(key, version) as file:
            return self._bounded(file.read(self._limit + 1))

    def _unpacked(self, data: bytes) -> bytes:
        try:
            # Its own limit is for inputs: ours comes first.
            with unpacked("the page", BytesIO(data), self._limit + 2 * CHUNK) as file:
                return self._bounded(file.read(self._limit + 1))
        except InputError as error:
            raise Quarantine("bad-gzip", str(error)) from error

    def _bounded(self, data: bytes) -> bytes:
        if len(data) > self._limit:
            raise Discard("oversized", f"more than {self._limit} bytes")
        return data


@contextmanager
def _outcomes() -> Iterator[None]:
    """What failures of the store mean for a story."""
    try:
        yield
    except NotFound as error:
        raise Discard("not-found", str(error)) from error
    except StorageError as error:
        raise Retry("store-err", str(error)) from error
