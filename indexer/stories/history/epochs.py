"""Two pages under one number: which of them a story means (stories.md 5.7).

The old system ran out of numbers, and went on for a while from an older copy of its database. So
some numbers were given twice, months apart, and the bucket holds both pages as versions of one
object. The one that is meant was stored in the same epoch in which the story was collected.
"""

from collections.abc import Iterable
from datetime import UTC, date, datetime
from enum import Enum

from indexer.blobstore import ObjectVersion
from indexer.errors import Discard, Quarantine

FIRST, LAST = 3211617605, 3257240456
"""The numbers that were given twice, both included."""


class Epoch(Enum):
    """A time in which those numbers were given: its first and its last day (UTC)."""

    B = (date(2021, 9, 15), date(2021, 11, 11))
    D = (date(2021, 12, 26), date(2022, 1, 25))

    @classmethod
    def of(cls, moment: datetime) -> "Epoch | None":
        """The epoch of a moment; None for one in neither."""
        day = moment.astimezone(UTC).date()
        return next((each for each in cls if each.value[0] <= day <= each.value[1]), None)


def is_ambiguous(number: int) -> bool:
    """Whether a number was given twice."""
    return FIRST <= number <= LAST


def epoch(collected: datetime | None) -> Epoch:
    """The epoch in which a story was collected. Raises Quarantine: only a person can tell."""
    if collected is None:
        raise Quarantine("no-epoch", "its number was given twice, and it has no collect_date")
    found = Epoch.of(collected)
    if found is None:
        why = f"its number was given twice, and never on {collected.astimezone(UTC):%Y-%m-%d}"
        raise Quarantine("no-epoch", why)
    return found


def choose(versions: Iterable[ObjectVersion], wanted: Epoch) -> ObjectVersion:
    """The first of the versions that was stored in an epoch. Raises Discard."""
    for version in versions:
        if Epoch.of(version.modified) is wanted:
            return version
    raise Discard("epoch-err", f"no version of it was stored in epoch {wanted.name}")
