"""Pages of historical stories in buckets, and the program as a process."""

import gzip

import pytest

from indexer.errors import ConfigurationError
from tests.blobstore.conftest import amazon  # noqa: F401 - a fixture
from tests.blobstore.versions import DELETED, OldBucket, imitated, on_server
from tests.workers.stories.test_hist_fetcher import (
    IN_B,
    IN_D,
    ending,
    set_credentials,
    story,
    utc,
)
from workers.stories.hist_fetcher import HistFetcher, HistFetcherOptions

FIRST, LAST = 3211617605, 3257240456
TWICE, ONLY_D, MANY, EDGE_B, EDGE_D, GONE, AGAIN, NEVER = range(FIRST + 1, FIRST + 9)
OTHERS = TWICE * 10
"""A number whose name begins with another's."""


BOTH = [(IN_B, b"B"), (IN_D, b"D")]

OBJECTS = {
    FIRST - 2: [(IN_B, b"B"), (IN_D, DELETED)],
    FIRST - 1: BOTH,
    FIRST: BOTH,
    TWICE: BOTH,
    OTHERS: [(IN_B, b"of another number"), (IN_D, b"of another number")],
    ONLY_D: [(IN_D, b"D")],
    MANY: [
        (utc("2021-09-14 23:59:59"), b"before"),
        (utc("2021-09-15 00:00:00"), b"first of B"),
        (utc("2021-11-11 23:59:59"), b"last of B"),
        (utc("2021-11-12 00:00:00"), b"C"),
        (utc("2021-12-25 23:59:59"), b"C"),
        (utc("2021-12-26 00:00:00"), b"first of D"),
        (utc("2022-01-25 23:59:59"), b"last of D"),
        (utc("2022-01-26 00:00:00"), b"after"),
    ],
    EDGE_B: [
        (utc("2021-09-14 23:59:59"), b"before"),
        (utc("2021-09-15 00:00:00"), b"B"),
        (utc("2021-11-12 00:00:00"), b"C"),
    ],
    EDGE_D: [
        (utc("2021-12-25 23:59:59"), b"C"),
        (utc("2021-12-26 00:00:00"), b"D"),
        (utc("2022-01-26 00:00:00"), b"after"),
    ],
    GONE: [*BOTH, (IN_D, DELETED)],
    AGAIN: [(IN_B, b"B"), (IN_B, DELETED), (IN_D, b"D")],
    LAST: BOTH,
    LAST + 1: BOTH,
    NEVER * 10: BOTH,
}
"""The test bucket: the versions of each object, the oldest first."""

ROWS: list[tuple[int, str | None, str]] = [
    # Below and above the numbers that were given twice: the current version, whatever the date.
    (FIRST - 1, "2021-10-01 12:00:00", "D"),
    (FIRST - 1, "2008-01-01 00:00:00", "D"),
    (FIRST - 1, None, "D"),
    (LAST + 1, "2021-10-01 12:00:00", "D"),
    (LAST + 1, None, "D"),
    (OTHERS, "2008-01-01 00:00:00", "of another number"),
    (FIRST - 2, "2021-10-01 12:00:00", "not-found"),
    (FIRST - 2, None, "not-found"),
    # The first and the last of those numbers.
    (FIRST, "2021-10-01 12:00:00", "B"),
    (FIRST, "2022-01-10 12:00:00", "D"),
    (LAST, "2021-10-01 12:00:00", "B"),
    (LAST, "2022-01-10 12:00:00", "D"),
    # The first and the last moment of each epoch.
    (TWICE, "2021-09-14 23:59:59.999999", "no-epoch"),
    (TWICE, "2021-09-15 00:00:00", "B"),
    (TWICE, "2021-11-11 23:59:59.999999", "B"),
    (TWICE, "2021-11-12 00:00:00", "no-epoch"),
    (TWICE, "2021-12-25 23:59:59.999999", "no-epoch"),
    (TWICE, "2021-12-26 00:00:00", "D"),
    (TWICE, "2022-01-25 23:59:59.999999", "D"),
    (TWICE, "2022-01-26 00:00:00", "no-epoch"),
    (TWICE, None, "no-epoch"),
    # Versions at the edges of an epoch, and outside of it.
    (ONLY_D, "2021-10-01 12:00:00", "epoch-err"),
    (ONLY_D, "2022-01-10 12:00:00", "D"),
    (MANY, "2021-10-01 12:00:00", "last of B"),
    (MANY, "2022-01-10 12:00:00", "last of D"),
    (EDGE_B, "2021-10-01 12:00:00", "B"),
    (EDGE_B, "2022-01-10 12:00:00", "epoch-err"),
    (EDGE_D, "2021-10-01 12:00:00", "epoch-err"),
    (EDGE_D, "2022-01-10 12:00:00", "D"),
    # Deleted since, or before; never there, though a longer number is.
    (GONE, "2021-10-01 12:00:00", "B"),
    (GONE, "2022-01-10 12:00:00", "D"),
    (AGAIN, "2021-10-01 12:00:00", "B"),
    (AGAIN, "2022-01-10 12:00:00", "D"),
    (NEVER, "2021-10-01 12:00:00", "not-found"),
]
"""A number, its collect_date, and the page or the status that it is to have."""


@pytest.fixture(params=["s3-imitated", pytest.param("s3", marks=pytest.mark.external)])
def bucket(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> OldBucket:
    """A bucket; QUEUER has the credentials for it, HIST some that are wrong."""
    if request.param == "s3":
        found = on_server(request.getfixturevalue("s3"))
        set_credentials(monkeypatch, "HIST", found.credentials.endpoint, "nobody", "wrong")
    else:
        request.getfixturevalue("amazon")
        found = imitated()
    for name, value in found.credentials._asdict().items():
        text = value if isinstance(value, str) else value.get_secret_value()
        monkeypatch.setenv(f"QUEUER_S3_{name.upper()}", text)
    return found


@pytest.fixture
def filled(bucket: OldBucket) -> OldBucket:
    """The test bucket."""
    for number, versions in OBJECTS.items():
        packed = [
            (moment, body if body is DELETED else gzip.compress(body)) for moment, body in versions
        ]
        bucket.put(f"downloads/{number}", packed)
    return bucket


def fetcher_in(bucket: OldBucket) -> HistFetcher:
    """One that reads a bucket."""
    return HistFetcher(HistFetcherOptions(downloads_url=f"{bucket.url}/downloads"))


def test_of_two_epochs_the_right_version_is_chosen_for_every_row(filled: OldBucket) -> None:
    fetcher = fetcher_in(filled)
    found = [(number, date, ending(fetcher, number, date)) for number, date, _ in ROWS]
    assert found == ROWS


def test_without_a_date_it_has_that_of_the_current_version(bucket: OldBucket) -> None:
    bucket.put("downloads/12", BOTH)
    found = fetcher_in(bucket).process(story(12))
    assert found.http_metadata.fetch_timestamp == IN_D.timestamp()


@pytest.mark.parametrize("part", ["/nothing-here", "-missing"])
def test_a_bucket_where_nothing_is_is_told_at_once(bucket: OldBucket, part: str) -> None:
    with pytest.raises(ConfigurationError, match="can't read s3://"):
        HistFetcher(HistFetcherOptions(downloads_url=bucket.url + part))
