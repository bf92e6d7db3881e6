"""Chooses between two pages with the same number (stories.md 5.7).

The old system ran out of numbers, and then ran for a while on an older copy of its database. So it
gave some numbers twice, months apart, and the bucket has both pages as versions of one object. The
page of a story is the version stored in the same epoch in which the story was collected.
"""

from collections.abc import Iterable
from datetime import UTC, date, datetime
from enum import Enum

from indexer.blobstore import ObjectVersion
from indexer.errors import Discard, Quarantine

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
