"""The dates that programs write, in 140 spellings: our reading, and those of two libraries.

The table is `tests/data/dates.txt`. The reading is that of the standards: RFC 5322, RFC 3339, ISO
8601, W3CDTF. The last column has the libraries that read another time, or none; comments say why.
"""

from calendar import timegm
from datetime import UTC, datetime, timedelta, timezone

import pytest
from dateutil.parser import parse
from feedparser.datetimes import _parse_date as feedparser_date

from indexer.text.dates import ReadDate, parse_date, read_date
from tests import paths
from tests.each_row import each_row

DATES = paths.DATA / "dates.txt"
SECOND = timedelta(seconds=1)


def rows(table: str) -> list[tuple[str, ...]]:
    """The rows of a table: program, text, meaning, libraries that differ."""
    lines = (line for line in table.splitlines() if line and not line.startswith("#"))
    return [tuple(cell.strip() for cell in line.split("|")) for line in lines]


def by_feedparser(text: str) -> datetime | None:
    """The date as feedparser reads it."""
    found = feedparser_date(text)
    return datetime.fromtimestamp(timegm(found), UTC) if found else None


def by_dateutil(text: str) -> datetime | None:
    """The date as dateutil reads it where the machine's zone is UTC."""
    try:
        found: datetime = parse(text, default=datetime(2026, 1, 1), tzinfos=zone_of)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def zone_of(name: str, offset: int | None) -> timezone:
    """Without this, dateutil knows the names of the machine's own zone."""
    return UTC if offset is None else timezone(timedelta(seconds=offset))


@pytest.mark.filterwarnings("ignore")
@each_row(
    ("program", "text", "meant", "others"),
    rows(DATES.read_text(encoding="utf-8")),
)
def test_each_spelling_is_read_as_its_program_means_it(
    program: str, text: str, meant: str, others: str
) -> None:
    found, expected = read_date(text), datetime.fromisoformat(meant)
    assert found == ReadDate(expected)
    assert found.at.utcoffset() == expected.utcoffset()
    readings = (("F", by_feedparser(text)), ("D", by_dateutil(text)))
    differ = [name for name, at in readings if at is None or abs(at - expected) >= SECOND]
    assert "".join(differ) == others


@each_row(
    ("program", "text"),
    [
        ("India, Ireland or Israel", "Fri, 20 Nov 2026 15:30:00 IST"),
        ("a name that nobody has", "Fri, 20 Nov 2026 15:30:00 XYZT"),
        (".NET's name", "Fri, 20 Nov 2026 15:30:00 Eastern Standard Time"),
        ("PHP's e", "Fri, 20 Nov 2026 15:30:00 Europe/Berlin"),
        ("TZ's name", "Fri, 20 Nov 2026 15:30:00 EST5EDT"),
        ("no letter of the military", "Fri, 20 Nov 2026 15:30:00 J"),
        ("an impossible offset", "Fri, 20 Nov 2026 15:30:00 +9999"),
        ("in ISO 8601", "2026-11-20T15:30:00 XYZT"),
        ("an impossible offset in ISO 8601", "2026-11-20T15:30:00+99:00"),
    ],
)
def test_in_a_zone_that_is_not_known_only_the_day_is_read(program: str, text: str) -> None:
    assert read_date(text) == ReadDate(datetime(2026, 11, 20, tzinfo=UTC), zone_known=False)
    assert parse_date(text) == datetime(2026, 11, 20, tzinfo=UTC)


@each_row(
    "text",
    [
        "06/11/2026 15:30:00",
        "Fri, 20 Nov 2026 15",
        "20 Nov 2026 by our own reporter",
        "2026-11-20T25:00:00 XYZT",
        "20031",
        "2003-13",
        "2003-1",
        "20.13.2026",
        "13/13/2026",
        "20 Foo 2026 15:30",
        "Nov 2026",
        "15:30",
        "3:30 PM",
    ],
)
def test_a_text_with_two_meanings_or_none_is_no_date(text: str) -> None:
    assert read_date(text) is None


def test_hostile_texts_take_no_time() -> None:
    for piece in ("a ", "1 ", "1:", "Nov ", "-", "(", "+1", "T1", "年", "20 Nov 2026 15:30 +"):
        assert read_date((piece * 100)[:100]) is None
