"""Pages of the old system, on a disk."""

import gzip
import io
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

import pytest

from indexer.blobstore.directory import Directory
from indexer.errors import AccessDenied, Discard, Disposition, Quarantine, Retry, StorageError
from indexer.stories.history.downloads import Downloads, HistoricalPage, numeric_id
from tests.each_row import each_row

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
