"""The choice of an item's date, and dates that can't be true (feeds.md 7.2)."""

from datetime import datetime, timedelta

from indexer.feeds.reading.entry import Published, published
from indexer.news.syndication.announced import DATES
from tests.each_row import each_row
from tests.feeds.documents import NOW

DAY, OTHER = "2024-05-01", "2024-04-01"


@each_row(
    ("text", "meant"),
    [
        ("Sat, 01 Jun 2024 12:00:00 EDT", "2024-06-01T16:00:00"),
        ("Sat, 01 Jun 2024 12:00:00 +1600", "2024-05-31T20:00:00"),
        ("2024-06-01T12:00:00-03:30", "2024-06-01T15:30:00"),
        ("2024-06-01", "2024-06-01T00:00:00"),
        ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59"),
        ("Sat, 31 Dec 2016 18:59:60 -0500", "2016-12-31T23:59:59"),
        ("1990-01-01T00:00:00Z", "1990-01-01T00:00:00"),
        ("2024-06-03T12:00:00Z", "2024-06-03T12:00:00"),
        # Out of range
        ("1989-12-31T23:59:59Z", None),
        ("2024-06-03T12:00:01Z", None),
        ("Thu, 01 Jan 1970 00:00:00 +0000", None),
        ("Mon, 01 Jan 0001 00:00:00 +0000", None),
        ("0001-01-01T00:00:00+14:00", None),
        ("9999-12-31T23:59:59-14:00", None),
        ("2099-01-01", None),
        ("yesterday", None),
    ],
)
def test_a_moment_is_utc_without_a_zone_and_can_be_true(text: str, meant: str | None) -> None:
    found = published({"pubdate": text}, NOW)
    assert found.at == (datetime.fromisoformat(meant) if meant else None)
    assert found.source == "pubDate"


def test_a_day_ahead_is_measured_from_now() -> None:
    date, before = {"pubdate": "2030-01-01"}, datetime(2029, 12, 31)
    assert published(date, before).at == datetime(2030, 1, 1)
    assert published(date, before - timedelta(seconds=1)).at is None


@each_row("zone", ["XYZT", "IST", "Europe/Berlin"])
def test_of_a_date_in_an_unknown_zone_the_day_is_known_and_the_text_stays(zone: str) -> None:
    text = f"Sat, 01 Jun 2024 12:00:00 {zone}"
    found = published({"pubdate": text, "updated": DAY}, NOW)
    assert found == Published(text, datetime(2024, 6, 1), "pubDate zone-unknown")


@each_row(("name", "source"), DATES.items())
def test_each_element_is_a_date_where_it_is_the_only_one(name: str, source: str) -> None:
    assert published({name: DAY}, NOW) == Published(DAY, datetime(2024, 5, 1), source)


@each_row("first", ["pubdate", "published", "atom:published", "issued", "dcterms:issued"])
@each_row("second", ["dc:date", "created", "updated", "atom:updated", "modified"])
def test_publication_wins(first: str, second: str) -> None:
    assert published({second: OTHER, first: DAY}, NOW).text == DAY


@each_row("first", ["dc:date", "created", "dcterms:created"])
@each_row("second", ["updated", "atom:updated", "modified"])
def test_a_change_is_the_last_resort(first: str, second: str) -> None:
    assert published({second: OTHER, first: DAY}, NOW).text == DAY


@each_row("bad", ["", "  ", "soon", "1970-01-01", "2099-01-01"])
def test_a_date_that_can_not_be_true_gives_way(bad: str) -> None:
    found = published({"pubdate": bad, "updated": DAY}, NOW)
    assert (found.at, found.source) == (datetime(2024, 5, 1), "updated")


def test_of_dates_that_can_not_be_true_the_first_is_kept_as_it_is() -> None:
    found = published({"pubdate": " the\n1st\0 ", "updated": "1970-01-01"}, NOW)
    assert found == Published("the 1st", None, "pubDate")


def test_no_date_is_none() -> None:
    assert published({}, NOW) == Published(None, None, None)


def test_a_date_is_kept_up_to_a_length() -> None:
    assert len(published({"pubdate": "x" * 100_000}, NOW).text or "") == 200
