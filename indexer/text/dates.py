"""Parses the dates of feeds and pages."""

import re
from datetime import UTC, datetime, timedelta, timezone
from email.utils import parsedate_to_datetime
from functools import lru_cache

MAX_LENGTH = 100
"""Longer texts are not parsed."""

_ISO = re.compile(r"[+-]?\d{4}[-/]?[\dW]", re.IGNORECASE)
_ORDINAL = re.compile(r"\d{4}-?\d{3}")
_ZONE = re.compile(r"\s*(?:(?:UTC|GMT|Z)|([+-]\d\d:?\d\d)(?:\s+[A-Z]+)?)$", re.IGNORECASE)
_LEAP_SECOND = re.compile(r"(T\d\d:?[0-5]\d:?)60(?!\d)")

_WRITTEN = re.compile(
    r"""(?:[^0-9 ,.]{2,13}\.?,?[ ])?
        ([0-9]{1,2})\.?[ ](?:de[ ])?([^0-9 ,.]{3,12})\.?[ ](?:de[ ])?([0-9]{4})
        (?:,?[ ]([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}))?)?
        (?:[ ]?(?:(?:GMT|UTC)?([+-][0-9]{2}:?[0-9]{2})|([A-Za-z]{1,5})))?(?:[ ]\([^()]*\))?""",
    re.VERBOSE,
)
"""The format of nearly all feeds. `email.utils` parses more of RFC 2822, but only in English, and
takes ten times as long."""

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "jan jän ene gen ian янв січ",
            "feb fév fev şub фев лют",
            "mar mär mrt maa мар бер",
            "apr avr abr nis апр кві",
            "may mai mag mei maj мая май тра",
            "jun juin giu iun haz июн чер",
            "jul juil lug iul tem июл лип",
            "aug aoû aou ago ağu авг сер",
            "sep set eyl сен вер",
            "oct okt ott out eki окт жов",
            "nov noi kas ноя лис",
            "dec déc dez dic des ara дек гру",
        ),
        1,
    )
    for name in names.split()
}
"""Months by their first letters, in languages that do not contradict each other."""

_ZONES = """
HST:-10 AKST:-9 PST:-8 AKDT:-8 MST:-7 PDT:-7 CST:-6 MDT:-6 EST:-5 CDT:-5 AST:-4 EDT:-4 ADT:-3
BRT:-3 CET:1 BST:1 WEST:1 WAT:1 CEST:2 EET:2 SAST:2 CAT:2 EEST:3 MSK:3 EAT:3 PKT:5 WIB:7 HKT:8
SGT:8 AWST:8 JST:9 KST:9 AEST:10 AEDT:11 NZST:12 NZDT:13
"""
_HOURS = {name: int(hours) for name, hours in (zone.split(":") for zone in _ZONES.split())}
"""Offsets of named zones in hours; other names are taken as UTC."""


def http_date(text: str | None) -> datetime | None:
    """The date of an HTTP header (RFC 9110, 5.6.7); without a zone, UTC. None for other texts."""
    try:
        date = parsedate_to_datetime((text or "")[:MAX_LENGTH])
    except (ValueError, OverflowError):
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)


def parse_date(text: str) -> datetime | None:
    """Parse a date of RFC 2822, ISO 8601 or RFC 3339; return None for other texts.

    The result keeps the zone of the text, so its day is that of the publisher; it is in UTC if the
    zone is missing or unknown. A leap second becomes the second before it.
    """
    text = " ".join(text[: MAX_LENGTH + 1].split())
    if not text or len(text) > MAX_LENGTH:
        return None
    try:
        parsed = _iso(text) if _ISO.match(text) else _rfc_2822(text)
    # `email.utils` raises TypeError and IndexError for some malformed dates.
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)


def _iso(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return _odd_iso(text.upper().replace("/", "-"))


def _odd_iso(text: str) -> datetime:
    if _ORDINAL.fullmatch(text):
        return datetime.strptime(text.replace("-", ""), "%Y%j").replace(tzinfo=UTC)
    text = _ZONE.sub(lambda zone: zone[1] or "+00:00", text)
    return datetime.fromisoformat(_LEAP_SECOND.sub(r"\g<1>59", text.replace(" ", "T", 1)))


def _rfc_2822(text: str) -> datetime:
    if written := _WRITTEN.fullmatch(text):
        day, name, year, hour, minute, second, offset, zone = written.groups("0")
        if month := _month(name):
            # `datetime` has no leap seconds.
            at = int(hour), int(minute), 59 if second == "60" else int(second)
            return datetime(int(year), month, int(day), *at, tzinfo=_zone(offset, zone))
    return parsedate_to_datetime(text if ":" in text else f"{text} 00:00")


def _month(name: str) -> int:
    name = name.lower()
    return _MONTHS.get(name[:3]) or _MONTHS.get(name[:4]) or 0


@lru_cache(maxsize=1024)
def _zone(offset: str, name: str) -> timezone:
    """Return the zone of an offset or name, of which the missing one is "0"."""
    if offset == "0":
        return timezone(timedelta(hours=_HOURS.get(name.upper(), 0)))
    ahead = timedelta(hours=int(offset[1:3]), minutes=int(offset[-2:]))
    return timezone(-ahead if offset[0] == "-" else ahead)


def utc_now() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)
