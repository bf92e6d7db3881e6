"""Reads the dates of feeds and pages: all forms of ISO 8601 and RFC 5322, and what programs write.

text → ISO 8601 → or one of SHAPES: day, month, year, time, zone → in its zone, or only the day
"""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, time, timezone
from email.utils import parsedate_to_datetime
from functools import cache
from typing import NamedTuple, TypeAlias

from indexer.text.time_zones import offset_of

MAX_LENGTH = 100
"""Longer texts are not parsed."""

ZONE_UNKNOWN = "zone-unknown"
"""The note on a date whose time zone is not understood."""

_ISO = re.compile(r"\d{4}(?:$|[-/]?[\dW])", re.IGNORECASE)
_MONTH_OR_YEAR = re.compile(r"(\d{4})(?:-(\d\d))?")
"""W3CDTF: a date to the month, or to the year."""
_ORDINAL = re.compile(r"\d{4}-?\d{3}")

_USUAL = re.compile(
    r"(?:[A-Z][a-z]{2}, )?(\d\d?) ([A-Z][a-z]{2}) (\d{4}) (\d\d):(\d\d):([0-5]\d) (GMT|[+-]\d{4})"
)
"""RFC 5322 as nearly all RSS feeds write it: a short way to the result that SHAPES give."""

_WEEKDAY = r"(?:[^\d\s.,]{1,13}[., ]{1,3})?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th|er|\.|º)?"
_MONTH = r"(?P<name>[^\W\d_]{3,12})\.?"
_YEAR = r"(?P<year>\d{4})"
_TIME = r"""(?:(?P<half>오전|오후|[上下]午|午[前後])[ ]?)?
    (?P<hour>\d{1,2})(?:[:.h](?P<minute>\d\d?))?(?:[:.](?P<second>\d\d?)(?:[.,](?P<part>\d{1,9}))?)?
    (?:[ ]?(?P<meridiem>[ap])\.?m\b\.?)?(?:[ ](?:Uhr|hrs)\b)?"""
_BEFORE_TIME = r"(?:[ ]?T|,?[ ](?:(?:at|@|-|–|\|)[ ])?)"
_ZONE = r"[ ]?(?P<zone>[A-Z+-][A-Z0-9+:_/. -]{0,40})"
_REST = rf"(?:{_BEFORE_TIME}{_TIME})?(?:{_ZONE})?(?:[ ]?\((?P<comment>[^()]*)\))?"

SHAPES = (
    # RFC 5322, RFC 850, and most languages
    rf"{_WEEKDAY}{_DAY}[ /-]?(?:de[ ])?{_MONTH},?[ /-]?(?:de[ ])?(?P<year>\d{{4}}|\d\d){_REST}",
    # In the order of America
    rf"{_WEEKDAY}{_MONTH}[ ]{_DAY},?[ ]{_YEAR}{_REST}",
    # C's asctime, Unix' date
    rf"{_WEEKDAY}{_MONTH}[ ]{_DAY},?[ ]{_TIME}(?:{_ZONE})?[ ]{_YEAR}",
    # Hungarian
    rf"{_YEAR}\.?[ -]{_MONTH}[ -]{_DAY}{_REST}",
    # Nearly ISO 8601
    rf"{_WEEKDAY}{_YEAR}[-/.](?P<month>\d{{1,2}})[-/.](?P<day>\d{{1,2}}){_REST}",
    rf"(?P<day>\d{{1,2}})\.(?P<month>\d{{1,2}})\.{_YEAR}{_REST}",
    rf"(?P<first>\d{{1,2}})/(?P<other>\d{{1,2}})/{_YEAR}{_REST}",
)

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "jan jän ene gen ian янв січ ιαν",
            "feb fév fev şub фев лют φεβ",
            "mar mär mrt maa már мар бер μαρ μάρ",
            "apr avr abr nis ápr апр кві απρ",
            "may mai mag mei maj maa máj мая май тра μαϊ μαΐ μάι μαι",
            "jun juin giu iun haz jún июн чер ιουν ιούν",
            "jul juil lug iul tem júl июл лип ιουλ ιούλ",
            "aug aoû aou ago ağu авг сер αυγ αύγ",
            "sep set eyl sze сен вер σεπ",
            "oct okt ott out eki окт жов οκτ",
            "nov noi kas ноя лис νοε νοέ",
            "dec déc dez dic des ara дек гру δεκ",
        ),
        1,
    )
    for name in names.split()
}
"""Months by their first letters, in languages that do not contradict each other."""

_CJK = re.compile("[年년]")
_CJK_UNITS = str.maketrans(
    {"年": "-", "년": "-", "月": "-", "월": "-", "日": " ", "일": " ", "時": ":", "时": ":"}
    | {"시": ":", "分": " ", "분": " "}
)
_AFTERNOON = ("p", "오후", "下午", "午後")

Given: TypeAlias = dict[str, str | None]


class ReadDate(NamedTuple):
    """A date in the zone of its text. `zone_known`: otherwise it is 00:00 UTC of its day."""

    at: datetime
    zone_known: bool = True


def http_date(text: str | None) -> datetime | None:
    """The date of an HTTP header (RFC 9110, 5.6.7); without a zone, UTC. None for other texts."""
    try:
        date = parsedate_to_datetime((text or "")[:MAX_LENGTH])
    except (ValueError, OverflowError):
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)


def parse_date(text: str) -> datetime | None:
    """The date of `read_date`."""
    found = read_date(text)
    return found.at if found else None


def read_date(text: str) -> ReadDate | None:
    """Read a date; None for other texts.

    The result keeps the zone of the text, so its day is that of the publisher. Without a zone it is
    in UTC. A leap second becomes the second before it; a month or a year becomes its first day.
    """
    text = " ".join(text[: MAX_LENGTH + 1].split())
    if not text or len(text) > MAX_LENGTH:
        return None
    try:
        return _iso(text) if _ISO.match(text) else _written(text)
    except (ValueError, OverflowError):
        return None


def _iso(text: str) -> ReadDate | None:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        if short := _MONTH_OR_YEAR.fullmatch(text):
            found = datetime(int(short[1]), int(short[2] or 1), 1)
        elif _ORDINAL.fullmatch(text):
            found = datetime.strptime(text.replace("-", ""), "%Y%j")
        else:
            return _written(text)
    return ReadDate(found if found.tzinfo else found.replace(tzinfo=UTC))


def _written(text: str) -> ReadDate | None:
    """Read a date of one of SHAPES. Raises ValueError, OverflowError."""
    if (usual := _USUAL.fullmatch(text)) and (month := _MONTHS.get(usual[2].lower())):
        day, _, year, hour, minute, second, zone = usual.groups()
        local = datetime(int(year), month, int(day), int(hour), int(minute), int(second))
        if (offset := offset_of(zone, local)) is not None:
            return ReadDate(local.replace(tzinfo=timezone(offset)))
    if _CJK.search(text):
        text = " ".join(text.translate(_CJK_UNITS).replace("- ", "-").split())
    for shape in _shapes():
        if found := shape.fullmatch(text):
            given = found.groupdict()
            if day := _day(given):
                return _in_zone(day, given)
    return None


@cache
def _shapes() -> Sequence[re.Pattern[str]]:
    """Compiled at their first use: most modules import this one for the present time."""
    return [re.compile(shape, re.VERBOSE | re.IGNORECASE) for shape in SHAPES]


def _day(given: Given) -> datetime | None:
    """The day of a date, if its month has a name that is known and the numbers have an order."""
    written, number = given["year"] or "", given.get("month")
    year = int(written)
    if len(written) == 2:
        year += 2000 if year < 50 else 1900
    if name := given.get("name"):
        month = _MONTHS.get(name[:3].lower()) or _MONTHS.get(name[:4].lower())
        return datetime(year, month, int(given["day"] or 0)) if month else None
    if number:
        return datetime(year, int(number), int(given["day"] or 0))
    first, other = int(given["first"] or 0), int(given["other"] or 0)
    if first > 12:
        return datetime(year, other, first)
    # Where a clock has twelve hours, the month comes first.
    return datetime(year, first, other) if other > 12 or given["meridiem"] else None


def _in_zone(day: datetime, given: Given) -> ReadDate | None:
    zone = given["zone"] or given.get("comment") or ""
    local = datetime.combine(day, _time(given))
    offset = offset_of(zone, local)
    if offset is not None:
        return ReadDate(local.replace(tzinfo=timezone(offset)))
    # Without a time, the text behind the date can be anything.
    return ReadDate(day.replace(tzinfo=UTC), zone_known=False) if given["hour"] else None


def _time(given: Given) -> time:
    """The time of day; midnight if there is none. Raises ValueError."""
    if not given["hour"]:
        return time()
    half = given["half"] or (given["meridiem"] or "").lower()
    if not given["minute"] and not half:
        raise ValueError("an hour without minutes")
    hour, second = int(given["hour"]), int(given["second"] or 0)
    if half and hour <= 12:
        hour = hour % 12 + (12 if half in _AFTERNOON else 0)
    micro = int(given["part"].ljust(6, "0")[:6]) if given["part"] else 0
    # `datetime` has no leap seconds.
    return time(hour, int(given["minute"] or 0), 59 if second == 60 else second, micro)


def utc_now() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)
