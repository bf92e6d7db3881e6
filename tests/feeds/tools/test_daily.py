"""Daily files: their days, stores and digests."""

import hashlib
import io
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import BinaryIO

import pytest
from pydantic import SecretStr

from indexer.blobstore import Blobstore, StoreCredentials, open_blobstore
from indexer.blobstore.directory import Directory
from indexer.database import Database
from indexer.errors import ConfigurationError, NotFound, StorageError
from indexer.feeds import models
from indexer.feeds.tools.daily import (
    SUMS,
    Daily,
    DailyOptions,
    Made,
    chosen_days,
    file_name,
    missing_days,
    open_store,
)
from tests.blobstore.objects import keys
from tests.each_row import each_row
from tests.feeds.stored import a_feed, a_story, put
from tests.feeds.tools.test_daily_rss import entries, links
from tests.services import S3

NOW = datetime(2026, 1, 15, 12)
TODAY = NOW.date()
DAYS = missing_days(NOW, 4)
NAMES = [file_name(day) for day in DAYS]


@pytest.fixture
def filled(feeds_db: Database) -> Database:
    """A database with two stories of each of the last days."""
    put(feeds_db, models.feeds, a_feed(1))
    starts = [NOW - timedelta(days=back) for back in range(6)]
    rows = [a_story(2 * back + more, start) for back, start in enumerate(starts) for more in (0, 1)]
    put(feeds_db, models.stories, *rows)
    return feeds_db


@pytest.fixture
def output(tmp_path: Path) -> Blobstore:
    return open_blobstore(str(tmp_path / "daily"))


@pytest.fixture
def other(tmp_path: Path) -> Blobstore:
    return open_blobstore(str(tmp_path / "other"))


def content(store: Blobstore, name: str) -> bytes:
    with store.open(name) as file:
        return file.read()


def sums(store: Blobstore) -> dict[str, str]:
    """The digests that `sha256sum -c` would check."""
    lines = content(store, SUMS).decode().splitlines()
    return {name: digest for digest, name in (line.split("  ") for line in lines)}


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


class Failing(Directory):
    """A store whose writes fail."""

    def put(self, key: str, file: BinaryIO, sha256: str = "") -> str:
        raise StorageError(f"{key}: the disk is full")


@each_row(
    ("now", "days", "first", "last", "number"),
    [
        (NOW, 14, "2026-01-02", "2026-01-14", 13),
        (datetime(2026, 1, 15, 0, 15), 14, "2026-01-02", "2026-01-14", 13),
        # Attempts begun before midnight may not have ended.
        (datetime(2026, 1, 15, 0, 14, 59), 14, "2026-01-02", "2026-01-13", 12),
        (NOW, 2, "2026-01-14", "2026-01-14", 1),
        (datetime(2026, 1, 15, 0, 10), 2, "", "", 0),
        (NOW, 1, "", "", 0),
        (datetime(2024, 3, 1, 8), 3, "2024-02-28", "2024-02-29", 2),
    ],
)
def test_each_past_day_has_a_file(
    now: datetime, days: int, first: str, last: str, number: int
) -> None:
    wanted = missing_days(now, days)
    assert len(wanted) == number
    assert wanted == sorted(wanted, reverse=True)
    assert [str(day) for day in (*wanted[-1:], *wanted[:1])] == [first, last][: 2 * len(wanted[:1])]


def test_named_days_come_once_and_the_newest_first() -> None:
    wanted = [date(2026, 1, 3), date(2026, 1, 14), date(2026, 1, 3)]
    assert chosen_days(wanted, NOW, 14) == [date(2026, 1, 14), date(2026, 1, 3)]


@pytest.mark.parametrize("day", [TODAY, date(2026, 1, 1), date(2027, 1, 1)])
def test_a_day_whose_stories_may_be_deleted_cannot_be_named(day: date) -> None:
    with pytest.raises(ConfigurationError, match="2026-01-02 to 2026-01-14"):
        chosen_days([day], NOW, 14)


def test_missing_days_are_written_with_their_digests(filled: Database, output: Blobstore) -> None:
    made = Daily(filled, output).make(DAYS, NOW)
    assert made == [Made(day, file_name(day), 2, []) for day in DAYS]
    assert sorted(keys(output)) == [SUMS, *sorted(NAMES)]
    assert sums(output) == {name: digest(content(output, name)) for name in NAMES}
    assert [entry.link for entry in entries(content(output, "mc-2026-01-14.rss.gz"))] == [
        "https://news1.example/2",
        "https://news1.example/3",
    ]


def test_existing_files_are_not_changed(filled: Database, output: Blobstore) -> None:
    output.put(NAMES[0], io.BytesIO(b"as it was"))
    made = Daily(filled, output).make(DAYS, NOW)
    assert [each.stories for each in made] == [None, 2, 2]
    assert content(output, NAMES[0]) == b"as it was"
    assert sums(output)[NAMES[0]] == digest(b"as it was")
    again = Daily(filled, output).make(DAYS, NOW)
    assert [each.stories for each in again] == [None, None, None]


def test_a_file_that_is_written_again_has_the_same_bytes(
    filled: Database, output: Blobstore
) -> None:
    Daily(filled, output).make(DAYS, NOW)
    before = {each.key: content(output, each.key) for each in output.entries()}
    later = NOW + timedelta(hours=7)
    assert [each.stories for each in Daily(filled, output, force=True).make(DAYS, later)] == [2] * 3
    after = {each.key: content(output, each.key) for each in output.entries()}
    assert after == before


def test_force_replaces_a_wrong_file(filled: Database, output: Blobstore) -> None:
    output.put(NAMES[0], io.BytesIO(b"wrong"))
    Daily(filled, output).make(DAYS, NOW)
    Daily(filled, output, force=True).make(DAYS[:1], NOW)
    assert len(links(content(output, NAMES[0]))) == 2
    assert sums(output)[NAMES[0]] == digest(content(output, NAMES[0]))


def test_a_file_that_cannot_be_written_whole_is_not_stored(
    filled: Database, output: Blobstore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*args: object) -> int:
        raise StorageError("the database is gone")

    monkeypatch.setattr("indexer.feeds.tools.daily.write_day", broken)
    with pytest.raises(StorageError):
        Daily(filled, output).make(DAYS, NOW)
    assert keys(output) == []


def lease(database: Database, expires: datetime) -> None:
    row = {**a_feed(7), "lease_owner": "scheduler-1", "lease_expires": expires}
    put(database, models.feeds, row)


MIDNIGHT = datetime(2026, 1, 15)


@pytest.mark.parametrize(
    ("expires", "now", "waits"),
    [
        (MIDNIGHT + timedelta(minutes=10), MIDNIGHT + timedelta(minutes=15), True),
        # A fetcher was killed.
        (MIDNIGHT - timedelta(minutes=10), MIDNIGHT + timedelta(minutes=15), True),
        # Leased after midnight, for fifteen minutes.
        (MIDNIGHT + timedelta(minutes=16), MIDNIGHT + timedelta(minutes=20), False),
        (MIDNIGHT + timedelta(minutes=10), MIDNIGHT + timedelta(hours=6), False),
    ],
)
def test_a_day_waits_for_attempts_that_may_add_stories_to_it(
    filled: Database, output: Blobstore, expires: datetime, now: datetime, waits: bool
) -> None:
    lease(filled, expires)
    made = Daily(filled, output).make(missing_days(now, 2), now)
    assert made == ([] if waits else [Made(DAYS[0], NAMES[0], 2, [])])


def test_files_are_copied_to_stores_without_them(
    filled: Database, output: Blobstore, other: Blobstore
) -> None:
    Daily(filled, output).make(DAYS[1:], NOW)
    other.put(NAMES[2], io.BytesIO(b"as it was"))
    made = Daily(filled, output, [other]).make(DAYS, NOW)
    assert [(each.stories, each.copied) for each in made] == [
        (2, [other.url]),
        (None, [other.url]),
        (None, []),
    ]
    for name in NAMES[:2]:
        assert content(other, name) == content(output, name)
        assert sums(other)[name] == sums(output)[name]
    assert content(other, NAMES[2]) == b"as it was"


def test_force_replaces_a_copy(filled: Database, output: Blobstore, other: Blobstore) -> None:
    other.put(NAMES[0], io.BytesIO(b"wrong"))
    Daily(filled, output, [other], force=True).make(DAYS[:1], NOW)
    assert content(other, NAMES[0]) == content(output, NAMES[0])


def test_a_failing_store_does_not_prevent_copies_to_others(
    filled: Database, output: Blobstore, other: Blobstore, tmp_path: Path
) -> None:
    failing = Failing(tmp_path / "full")
    with pytest.raises(StorageError, match="the disk is full"):
        Daily(filled, output, [failing, other]).make(DAYS, NOW)
    assert len(links(content(other, NAMES[2]))) == 2


def test_progress_is_reported(filled: Database, output: Blobstore, other: Blobstore) -> None:
    told: list[str] = []
    Daily(filled, output, [other], progress=told.append).make(DAYS[:1], NOW)
    assert told == [f"{NAMES[0]}: 2 stories", f"{NAMES[0]}: to {other.url}"]


@pytest.fixture
def bucket(s3: S3, monkeypatch: pytest.MonkeyPatch) -> Blobstore:
    """A bucket, and the credentials of daily files."""
    for name, value in {
        "ENDPOINT": s3.endpoint,
        "REGION": "us-east-1",
        "ACCESS_KEY_ID": s3.access_key,
        "SECRET_ACCESS_KEY": s3.secret_key,
    }.items():
        monkeypatch.setenv(f"DAILY_S3_{name}", value)
    credentials = StoreCredentials(
        s3.access_key, SecretStr(s3.secret_key), "us-east-1", s3.endpoint
    )
    return open_blobstore(f"s3://{s3.bucket}/daily-rss/feeds", credentials)


@pytest.mark.external
def test_files_go_to_a_bucket(filled: Database, bucket: Blobstore, output: Blobstore) -> None:
    daily = Daily(filled, output, [open_store(bucket.url)])
    assert [each.copied for each in daily.make(DAYS, NOW)] == [[bucket.url]] * 3
    assert [each.copied for each in daily.make(DAYS, NOW)] == [[]] * 3
    for name in NAMES:
        assert content(bucket, name) == content(output, name)
    assert len(entries(content(bucket, NAMES[0]))) == 2
    assert sums(bucket) == sums(output)


@pytest.mark.external
def test_files_can_be_in_a_bucket_only(
    filled: Database, bucket: Blobstore, output: Blobstore
) -> None:
    store = open_store(bucket.url)
    Daily(filled, store, [output]).make(DAYS, NOW)
    assert sorted(keys(store)) == [SUMS, *sorted(NAMES)]
    assert sums(store) == sums(output) == {name: digest(content(store, name)) for name in NAMES}


def test_a_store_without_files_has_no_digests(output: Blobstore) -> None:
    with pytest.raises(NotFound):
        sums(output)


def test_by_default_files_are_in_the_data_directory() -> None:
    options = DailyOptions.of({"DATAROOT": "/srv/news"})
    assert options.output == "/srv/news/rss-output-files"
    assert (options.rss_output_days, options.rss_upload_urls) == (14, [])
    given = {"RSS_OUTPUT_URL": "s3://b/p", "RSS_UPLOAD_URLS": "s3://c /mnt/d"}
    assert DailyOptions.of(given).output == "s3://b/p"
    assert DailyOptions.of(given).rss_upload_urls == ["s3://c", "/mnt/d"]
    with pytest.raises(ConfigurationError, match="rss-output-days"):
        DailyOptions.of({"RSS_OUTPUT_DAYS": "two weeks"})
