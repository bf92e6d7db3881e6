"""Pages of the old system: objects named by a number, the `downloads_id` (stories.md 5.7).

number, date of collection → version, if there are several → bytes → unpacked → HistoricalPage

The old system ran out of numbers, and then ran for a while on an older copy of its database. So it
gave some numbers twice, months apart, and the bucket has both pages as versions of one object. The
page of a story is the version stored in the same epoch in which the story was collected.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import Enum
from io import BytesIO

from indexer.blobstore import Blobstore, ObjectVersion
from indexer.errors import Discard, InputError, NotFound, Quarantine, Retry, StorageError
from indexer.text.unpacking import CHUNK, unpacked

FIRST, LAST = 3211617605, 3257240456
"""The first and the last of the numbers that were given twice."""


class Epoch(Enum):
    """A period in which those numbers were given: its first and its last day (UTC)."""

    B = (date(2021, 9, 15), date(2021, 11, 11))
    D = (date(2021, 12, 26), date(2022, 1, 25))

    @classmethod
    def of(cls, moment: datetime) -> "Epoch | None":
        """The epoch of a moment; None if it is in neither."""
        day = moment.astimezone(UTC).date()
        return next((each for each in cls if each.value[0] <= day <= each.value[1]), None)


def is_ambiguous(number: int) -> bool:
    """Whether a number was given twice."""
    return FIRST <= number <= LAST


def epoch(collected: datetime | None) -> Epoch:
    """The epoch in which a story was collected. Raises Quarantine if it is in neither."""
    if collected is None:
        raise Quarantine("no-epoch", "the number was given twice, and collect_date is missing")
    found = Epoch.of(collected)
    if found is None:
        why = f"the number was given twice, but not on {collected.astimezone(UTC):%Y-%m-%d}"
        raise Quarantine("no-epoch", why)
    return found


def choose(versions: Iterable[ObjectVersion], wanted: Epoch) -> ObjectVersion:
    """The first version stored in an epoch. Raises Discard if there is none."""
    # Stores list the newest version first.
    for version in versions:
        if Epoch.of(version.modified) is wanted:
            return version
    raise Discard("epoch-err", f"no version was stored in epoch {wanted.name}")


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
        try:
            version = self._version(number, collected)
            with self._store.open(str(number), version.id if version else "") as file:
                # One byte more than allowed shows that the object is too large.
                data = self._bounded(file.read(self._limit + 1))
        except NotFound as error:
            raise Discard("not-found", str(error)) from error
        except StorageError as error:
            raise Retry("store-err", str(error)) from error
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
