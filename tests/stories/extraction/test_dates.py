"""Dates of pages and of feeds, under the same bounds."""

from datetime import UTC, datetime, timedelta

from indexer.stories.extraction.dates import Stamps, bounded_date, date_in, publication_date
from indexer.stories.story import ContentMetadata, RSSEntry, Story
from tests.each_row import each_row

NOW = datetime(2024, 6, 15, 12, tzinfo=UTC)


@each_row(
    ("text", "day"),
    [
        ("2024-06-15", "2024-06-15"),
        ("1995-01-01", "1995-01-01"),
        ("1994-12-31", None),
        ("1970-01-01T00:00:00Z", None),
        ("2024-09-13", "2024-09-13"),
        ("2024-09-14", None),
        ("2099-01-01", None),
        ("9999-12-31", None),
        # The publisher's day, not that of Greenwich.
        ("Sat, 01 Jun 2024 23:30:00 -0500", "2024-06-01"),
        (None, None),
    ],
)
def test_dates_are_bounded(text: str | None, day: str | None) -> None:
    assert bounded_date(text, NOW) == day


@each_row(
    ("page", "feed", "day"),
    [
        ("2024-06-01", "Sun, 02 Jun 2024 10:00:00 GMT", "2024-06-01"),
        (None, "Sun, 02 Jun 2024 10:00:00 GMT", "2024-06-02"),
        ("2099-01-01", "Sun, 02 Jun 2024 10:00:00 GMT", "2024-06-02"),
        (None, "Thu, 01 Jan 2099 10:00:00 GMT", None),
        ("", "nonsense", None),
        (None, None, None),
    ],
)
def test_the_feeds_date_stands_in_for_the_pages(
    page: str | None, feed: str | None, day: str | None
) -> None:
    story = Story(
        rss_entry=RSSEntry(pub_date=feed), content_metadata=ContentMetadata(publication_date=page)
    )
    assert publication_date(story, NOW) == day
    assert story.content_metadata.publication_date == page


def test_stamps_never_come_twice_and_have_six_digits() -> None:
    times = iter([NOW, NOW, NOW - timedelta(hours=1), NOW + timedelta(seconds=1)])
    stamps = Stamps(lambda: next(times))
    assert [stamps.next() for _ in range(4)] == [
        "2024-06-15T12:00:00.000000",
        "2024-06-15T12:00:00.000001",
        "2024-06-15T12:00:00.000002",
        "2024-06-15T12:00:01.000000",
    ]


@each_row(
    ("name", "day"),
    [
        ("/2020-01-01/urls-2024-01-31.csv", "2024-01-31"),
        ("https://a.example/2024_01_31.csv.gz", "2024-01-31"),
        ("mc-20240131120000.csv", None),
        ("mc-20240131-x.csv", "2024-01-31"),
        ("2024-02-30-or-2024-02-29.csv", "2024-02-29"),
        ("2024-01_31.csv", None),
        ("/2020-01-01/urls.csv", None),
        ("standard input", None),
    ],
)
def test_the_date_is_that_of_the_base_name(name: str, day: str | None) -> None:
    assert date_in(name) == day
