"""Tables of the old system, row for row."""

from collections.abc import Iterable
from datetime import UTC, datetime

import pytest

from indexer.errors import InputError
from indexer.http.urls.addresses import PUBLIC
from indexer.messages.worker import Skipped
from indexer.stories.fetching.links import LinkFilter
from indexer.stories.history.history import History, timestamp
from indexer.stories.story import (
    NEED_CANONICAL_URL,
    ContentMetadata,
    HTTPMetadata,
    RSSEntry,
    Story,
)
from tests.each_row import each_row

VIA = "s3://bucket/csv/2021-10-01.csv.gz"
HEADER = "collect_date,stories_id,media_id,downloads_id,feeds_id,language,url"
A, B = "https://a.example/1", "https://b.example/2"


def read(*lines: str | None, blind: bool = False) -> list[Story | Skipped]:
    """What is in a table."""
    return list(History(VIA, "2021-10-01", LinkFilter([], PUBLIC), blind=blind).read(lines))


def endings(items: Iterable[Story | Skipped]) -> list[str | None]:
    """The numbers of the stories, and the statuses of what is skipped."""
    return [item.rss_entry.link if isinstance(item, Story) else item.status for item in items]


def test_a_row_has_all_that_was_known() -> None:
    (story,) = read(HEADER, f"2021-10-01 12:30:00.25,7,42,3211617605,9,pt-BR,{A}")
    assert story == Story(
        rss_entry=RSSEntry(
            link="3211617605",
            fetch_date="2021-10-01",
            source_feed_id=9,
            source_source_id=42,
            via=VIA,
        ),
        http_metadata=HTTPMetadata(
            final_url=A,
            fetch_timestamp=datetime(2021, 10, 1, 12, 30, 0, 250_000, UTC).timestamp(),
        ),
        content_metadata=ContentMetadata(language="pt", full_language="pt-BR"),
    )


@each_row(
    ("header", "row"),
    [
        ("downloads_id,url", f"12,{A}"),
        (" URL , Downloads_ID ", f" {A} , 0012 "),
        ('"url","downloads_id"', f'"{A}","12"'),
        ("x,downloads_id,y,url", f",12,anything,{A}"),
        ("url,downloads_id,feeds_id", f"{A},12"),
        ("url,downloads_id,feeds_id,media_id,language", f"{A},12,\\N,none,"),
    ],
)
def test_columns_may_be_in_any_order_and_most_missing(header: str, row: str) -> None:
    entry = RSSEntry(link="12", fetch_date="2021-10-01", via=VIA)
    http = HTTPMetadata(final_url=A)
    assert read(header, row) == [Story(rss_entry=entry, http_metadata=http)]


@each_row(
    ("text", "moment"),
    [
        ("2021-09-15 00:00:00", datetime(2021, 9, 15, tzinfo=UTC)),
        ("2021-09-15 10:20:30.5", datetime(2021, 9, 15, 10, 20, 30, 500_000, UTC)),
        ("2021-09-15 10:20:30.123456", datetime(2021, 9, 15, 10, 20, 30, 123_456, UTC)),
        ("2021-09-15T10:20:30", datetime(2021, 9, 15, 10, 20, 30, 0, UTC)),
        ("1969-12-31 23:59:59", datetime(1969, 12, 31, 23, 59, 59, 0, UTC)),
    ],
)
def test_a_collect_date_is_of_utc(text: str, moment: datetime) -> None:
    assert timestamp(text) == moment.timestamp()


BAD_DATES = [
    "yesterday",
    "2021-09-15",
    "2021-09-31 10:00:00",
    "2021-09-15 24:00:00",
    "2021-09-15 10:00:00.1234567",
    "2021-09-15 10:00:00+02:00",
    "0000-01-01 00:00:00",
    "20210915 100000",
    "1631698830",
    "٢٠٢١-09-15 10:00:00",
]


@each_row("text", BAD_DATES)
def test_a_date_that_is_none_costs_its_row(text: str) -> None:
    found = read("collect_date,downloads_id,url", f"{text},12,{A}", f",13,{B}")
    assert found[0] == Skipped("bad-date", f"{VIA} row 1", f"collect_date: {text!r}")
    assert endings(found) == ["bad-date", "13"]


@each_row("text", ["", "x", "-1", "1.5", "0", "9" * 30])
def test_a_row_without_number_is_none(text: str) -> None:
    found = read("downloads_id,url", f"{text},{A}", f"13,{A}")
    assert found[0] == Skipped("bad-dlid", f"{VIA} row 1", f"not a number: {text!r}")
    assert endings(found) == ["bad-dlid", "13"]


def test_a_url_counts_once_in_a_table() -> None:
    rows = [f"12,{A}", f"13,{A}", f"12,{B}", f"14,{B}"]
    found = read("downloads_id,url", *rows)
    assert endings(found) == ["12", "dups", "12", "dups"]
    assert found[1] == Skipped("dups", A)


@pytest.mark.parametrize(
    ("url", "status"),
    [
        ("ftp://a.example/", "bad-scheme"),
        ("http:///path", "no-host"),
        ("http://127.0.0.1/", "bad-host"),
        ("https://twitter.com/x", "non-news"),
        ("https://a.example:port/", "bad-url"),
        ("https://a.example/\ufffd", "bad-row"),
        ("https://a.example/\x01", "bad-row"),
    ],
)
@pytest.mark.parametrize("blind", [False, True])
def test_urls_are_checked(url: str, status: str, blind: bool) -> None:
    assert endings(read("downloads_id,url", f"12,{url}", f"13,{A}", blind=blind)) == [status, "13"]


@pytest.mark.parametrize("url", ["", " ", NEED_CANONICAL_URL])
def test_a_row_without_url_is_queued_only_if_that_was_asked_for(url: str) -> None:
    (skipped,) = read("downloads_id,url", f"12,{url}")
    assert skipped == Skipped("no-url", f"{VIA} row 1", "downloads_id 12")
    (story,) = read("downloads_id,url", f"12,{url}", blind=True)
    assert isinstance(story, Story)
    assert story.http_metadata == HTTPMetadata(final_url=NEED_CANONICAL_URL)


def test_a_blind_table_may_have_numbers_only_each_once() -> None:
    found = read("downloads_id", "12", "13", "12", "", "x", blind=True)
    assert endings(found) == ["12", "13", "dups", "bad-row", "bad-dlid"]
    assert found[2] == Skipped("dups", "12")


def test_a_table_may_have_urls_in_some_rows() -> None:
    rows = [f"12,{A}", "12,", f"13,{A}", "14,"]
    found = read("downloads_id,url", *rows, blind=True)
    assert endings(found) == ["12", "12", "dups", "14"]


@each_row(
    ("row", "why"),
    [
        ("", "a blank line"),
        (f'12,"{A}', "an unclosed quote"),
        (f'12,"{A}"x', "a quote in the middle of a field"),
        (f"12,{A}\0", "a NUL character"),
        (None, "longer than 131072 characters"),
        (f"12,{A},114871,1.html", "more cells than columns: is a comma not quoted?"),
    ],
)
def test_a_bad_row_costs_one_row(row: str | None, why: str) -> None:
    found = read("downloads_id,url", f"11,{B}", row, f"13,{A}")
    assert found[1] == Skipped("bad-row", f"{VIA} row 2", why)
    assert endings(found) == ["11", "bad-row", "13"]


def test_a_quoted_url_may_have_commas() -> None:
    (story,) = read("downloads_id,url", '12,"https://pl.example/7,114871,1.html"')
    assert isinstance(story, Story)
    assert story.http_metadata.final_url == "https://pl.example/7,114871,1.html"


@each_row(
    ("lines", "blind", "message"),
    [
        ([], False, "names no column downloads_id, but nothing"),
        ([""], False, "names no column downloads_id, but nothing"),
        ([None], False, "names no column downloads_id, but nothing"),
        (["id,url"], False, "names no column downloads_id, but id, url$"),
        ([f"12,{A}"], True, f"names no column downloads_id, but 12, {A}$"),
        (["downloads_id,link"], False, "no column url, but downloads_id, link; --allow-no-url"),
        (['"downloads_id'], True, "names no column downloads_id, but nothing"),
        (["<html>" + "x" * 1000], False, f"but <html>{'x' * 194}$"),
    ],
)
def test_a_table_without_header_says_what_it_has(
    lines: list[str | None], blind: bool, message: str
) -> None:
    with pytest.raises(InputError, match=f"^{VIA}: its first line .*{message}"):
        read(*lines, blind=blind)


def test_a_header_alone_is_a_table() -> None:
    assert read(HEADER) == []
