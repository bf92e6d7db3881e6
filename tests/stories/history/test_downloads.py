"""Pages of the old system, on a disk."""

import gzip
import io
import os
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import BinaryIO

import pytest

from indexer.blobstore import ObjectVersion
from indexer.blobstore.directory import Directory
from indexer.errors import AccessDenied, Discard, Disposition, Quarantine, Retry, StorageError
from indexer.stories.history.downloads import (
    Downloads,
    Epoch,
    HistoricalPage,
    choose,
    epoch,
    is_ambiguous,
    numeric_id,
)
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


LIMIT = 200_000
PAGE = b"<p>page</p>"
COLLECTED = datetime(2015, 6, 1, 12, tzinfo=UTC)
IN_B, IN_D = datetime(2021, 10, 1, tzinfo=UTC), datetime(2022, 1, 1, tzinfo=UTC)
TWICE = 3230000000


class Store(Directory):
    """A directory that fails when it is told to."""

    error: StorageError | None = None

    def open(self, key: str, version: str = "") -> BinaryIO:
        if self.error:
            raise self.error
        return super().open(key, version)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """An empty store."""
    return Store(tmp_path)


def get(
    store: Directory, data: bytes | None, collected: datetime | None = COLLECTED, number: int = 12
) -> HistoricalPage:
    """What is made of an object with those bytes."""
    if data is not None:
        store.put(str(number), io.BytesIO(data))
    return Downloads(store, LIMIT).get(number, collected)


@each_row(
    ("text", "number"),
    [
        ("12", 12),
        (" 0012 ", 12),
        ("9" * 18, 10**18 - 1),
        ("9" * 19, None),
        ("0", None),
        ("", None),
        (None, None),
        ("-1", None),
        ("1.5", None),
        ("1e3", None),
        ("1_000", None),
        ("٣", None),
        ("²", None),
        ("12/../13", None),
        ("http://a.example/", None),
    ],
)
def test_a_number_is_digits_and_nothing_else(text: str | None, number: int | None) -> None:
    assert numeric_id(text) == number


@each_row(
    ("data", "page"),
    [
        (gzip.compress(PAGE), PAGE),
        (PAGE, PAGE),
        (gzip.compress(PAGE) + gzip.compress(b"more"), PAGE + b"more"),
        (gzip.compress(PAGE) + b"\0" * 100, PAGE),
        (gzip.compress(gzip.compress(PAGE)), gzip.compress(PAGE)),
        (gzip.compress(b"x" * LIMIT), b"x" * LIMIT),
        (b"x" * LIMIT, b"x" * LIMIT),
        (b"\xff\0", b"\xff\0"),
        (b"text (redundant feed)", b"text (redundant feed)"),
    ],
)
def test_a_page_is_unpacked_if_it_is_packed(store: Store, data: bytes, page: bytes) -> None:
    assert get(store, data) == HistoricalPage(page)


CUT = gzip.compress(os.urandom(1000))
WRONG = CUT[:-8] + b"12345678"


@pytest.mark.parametrize(
    ("data", "kind", "status"),
    [
        (None, Discard, "not-found"),
        (gzip.compress(b"(redundant feed)"), Discard, "redundant"),
        (b"(redundant feed)\n", Discard, "redundant"),
        (gzip.compress(b""), Discard, "no-html"),
        (b"", Discard, "no-html"),
        (gzip.compress(b"x" * (LIMIT + 1)), Discard, "oversized"),
        (b"x" * (LIMIT + 1), Discard, "oversized"),
        (CUT[:-20], Quarantine, "bad-gzip"),
        (CUT[:5], Quarantine, "bad-gzip"),
        (WRONG, Quarantine, "bad-gzip"),
        (b"\x1f\x8b" + b"x" * 100, Quarantine, "bad-gzip"),
    ],
    ids=[
        "missing",
        "redundant",
        "redundant plain",
        "empty gzip",
        "empty",
        "oversized",
        "oversized plain",
        "cut",
        "cut head",
        "checksum",
        "no gzip",
    ],
)
def test_what_is_no_page(
    store: Store, data: bytes | None, kind: type[Disposition], status: str
) -> None:
    with pytest.raises(kind) as caught:
        get(store, data)
    assert caught.value.status == status


@pytest.mark.parametrize("error", [StorageError("away"), AccessDenied("403: no")])
def test_a_store_that_fails_is_tried_again_and_nothing_is_dropped(
    store: Store, error: StorageError
) -> None:
    store.error = error
    with pytest.raises(Retry, match=f"store-err: {error}") as caught:
        get(store, PAGE)
    assert not caught.value.drop


def test_a_connection_that_breaks_in_the_middle_is_tried_again(tmp_path: Path) -> None:
    class Breaking(Directory):
        def open(self, key: str, version: str = "") -> BinaryIO:
            return _Broken(PAGE)

    with pytest.raises(Retry, match="store-err: it ends too early"):
        get(Breaking(tmp_path), None)


class _Broken(io.BytesIO):
    def read(self, size: int | None = -1) -> bytes:
        raise StorageError("it ends too early")


def test_of_a_story_without_a_date_it_is_told_when_its_page_was_stored(
    store: Store, tmp_path: Path
) -> None:
    (tmp_path / "12").write_bytes(gzip.compress(PAGE))
    os.utime(tmp_path / "12", (IN_B.timestamp(), IN_B.timestamp()))
    assert get(store, None, collected=None) == HistoricalPage(PAGE, IN_B)


@pytest.mark.parametrize(
    ("stored", "collected", "ending"),
    [
        (IN_B, IN_B, HistoricalPage(PAGE, IN_B)),
        (IN_D, IN_D, HistoricalPage(PAGE, IN_D)),
        (IN_B, IN_D, "epoch-err"),
        (IN_D, IN_B, "epoch-err"),
        (COLLECTED, IN_B, "epoch-err"),
        (IN_B, COLLECTED, "no-epoch"),
        (IN_B, None, "no-epoch"),
        (None, IN_B, "not-found"),
        (None, None, "no-epoch"),
    ],
)
def test_a_number_that_was_given_twice_is_read_if_it_is_of_the_epoch(
    store: Store,
    tmp_path: Path,
    stored: datetime | None,
    collected: datetime | None,
    ending: HistoricalPage | str,
) -> None:
    if stored:
        (tmp_path / str(TWICE)).write_bytes(gzip.compress(PAGE))
        os.utime(tmp_path / str(TWICE), (stored.timestamp(), stored.timestamp()))
    if isinstance(ending, HistoricalPage):
        assert get(store, None, collected, TWICE) == ending
    else:
        with pytest.raises(Disposition) as caught:
            get(store, None, collected, TWICE)
        assert caught.value.status == ending
