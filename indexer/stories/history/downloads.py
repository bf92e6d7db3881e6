"""Pages of the old system: objects named by a number, the `downloads_id` (stories.md 5.7).

number, date of collection → version, if there are several → bytes → unpacked → HistoricalPage
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

# More digits than the numbers of the old system have, and few enough for 64 bits.
MAX_DIGITS = 18

REDUNDANT = b"(redundant feed)"
"""The first bytes of an object that the old system stored for a feed without new stories."""


@dataclass(frozen=True, slots=True)
class HistoricalPage:
    """A page as received, and the time at which it was stored, if that had to be looked up."""

    page: bytes
    stored: datetime | None = None


def numeric_id(text: str | None) -> int | None:
    """A text of digits as a number from 1 on; None for any other text."""
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
        """The page with a number, of a story collected at a time, if that is known.

        Raises Discard (`not-found epoch-err redundant no-html oversized`), Quarantine (`no-epoch
        bad-gzip`), and Retry (`store-err`) when the store fails.
        """
        with _outcomes():
            version = self._version(number, collected)
            with self._store.open(str(number), version.id if version else "") as file:
                # One byte more than allowed shows that the object is too large.
                data = self._bounded(file.read(self._limit + 1))
        page = self._unpacked(data)
        if page.startswith(REDUNDANT):
            raise Discard("redundant")
        if not page:
            raise Discard("no-html")
        return HistoricalPage(page, version.modified if version else None)

    def _version(self, number: int, collected: datetime | None) -> ObjectVersion | None:
        """The version to read; None for the current version, if its date isn't needed."""
        if is_ambiguous(number):
            # Before the request: a story without an epoch needs none.
            wanted = epoch(collected)
            return choose(self._store.versions(str(number)), wanted)
        return self._store.stat(str(number)) if collected is None else None

    def _unpacked(self, data: bytes) -> bytes:
        try:
            # Above our limit, so that a large page is discarded as `oversized`, not quarantined.
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
    """Turns errors of the store into dispositions of the story."""
    try:
        yield
    except NotFound as error:
        raise Discard("not-found", str(error)) from error
    except StorageError as error:
        raise Retry("store-err", str(error)) from error
