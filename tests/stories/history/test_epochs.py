"""Numbers that were given twice, and which page is meant."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from indexer.blobstore import ObjectVersion
from indexer.errors import Discard, Quarantine
from indexer.stories.history.epochs import Epoch, choose, epoch, is_ambiguous
from tests.each_row import each_row


def utc(text: str) -> datetime:
    """A moment of UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@each_row(
    ("number", "twice"),
    [
        (1, False),
        (3211617604, False),
        (3211617605, True),
        (3230000000, True),
        (3257240456, True),
        (3257240457, False),
    ],
)
def test_the_numbers_that_were_given_twice(number: int, twice: bool) -> None:
    assert is_ambiguous(number) is twice


EPOCHS = [
    ("2021-09-14 23:59:59.999999", None),
    ("2021-09-15 00:00:00", Epoch.B),
    ("2021-11-11 23:59:59.999999", Epoch.B),
    ("2021-11-12 00:00:00", None),
    ("2021-12-25 23:59:59.999999", None),
    ("2021-12-26 00:00:00", Epoch.D),
    ("2022-01-25 23:59:59.999999", Epoch.D),
    ("2022-01-26 00:00:00", None),
    ("2008-01-01 00:00:00", None),
]


@each_row(("moment", "found"), EPOCHS)
def test_an_epoch_is_from_its_first_day_to_its_last(moment: str, found: Epoch | None) -> None:
    assert Epoch.of(utc(moment)) is found


def test_days_are_those_of_utc() -> None:
    new_york = timezone(timedelta(hours=-5))
    assert Epoch.of(datetime(2021, 9, 14, 19, tzinfo=new_york)) is Epoch.B
    assert Epoch.of(datetime(2021, 11, 11, 19, tzinfo=new_york)) is None


@pytest.mark.parametrize("moment", [moment for moment, found in EPOCHS if found is None])
def test_a_story_of_no_epoch_is_for_a_person(moment: str) -> None:
    with pytest.raises(Quarantine, match=f"no-epoch: .* but not on {moment[:10]}"):
        epoch(utc(moment))


def test_so_is_one_without_a_date() -> None:
    with pytest.raises(Quarantine, match="collect_date is missing"):
        epoch(None)
    assert epoch(utc("2022-01-01 00:00:00")) is Epoch.D


NEWEST_FIRST = [
    ObjectVersion("6", utc("2022-03-01 00:00:00"), 1),
    ObjectVersion("5", utc("2022-01-25 23:59:59"), 1),
    ObjectVersion("4", utc("2021-12-26 00:00:00"), 1),
    ObjectVersion("3", utc("2021-11-30 00:00:00"), 1),
    ObjectVersion("2", utc("2021-11-11 23:59:59"), 1),
    ObjectVersion("1", utc("2021-09-15 00:00:00"), 1),
]


@pytest.mark.parametrize(("wanted", "version"), [(Epoch.B, "2"), (Epoch.D, "5")])
def test_the_first_version_of_the_epoch_is_chosen(wanted: Epoch, version: str) -> None:
    assert choose(NEWEST_FIRST, wanted).id == version


@pytest.mark.parametrize("versions", [[], NEWEST_FIRST[:1], NEWEST_FIRST[3:]])
def test_without_one_the_story_is_dropped(versions: list[ObjectVersion]) -> None:
    with pytest.raises(Discard, match="epoch-err: no version was stored in epoch D"):
        choose(versions, Epoch.D)
