"""The offsets of time zones, as dates name them."""

import re
from datetime import datetime, timedelta
from functools import lru_cache

_OFFSET = re.compile(r"(?:GMT|UTC?|Z)?([+-])(\d{1,2}):?(\d\d)?(?: [A-Z].*)?")

_NAMES = {
    "-10:00": "HST HAST",
    "-09:00": "AKST HADT",
    "-08:00": "PST AKDT",
    "-07:00": "MST PDT",
    "-06:00": "CST MDT",
    "-05:00": "EST CDT",
    "-04:00": "AST EDT",
    "-03:30": "NST",
    "-03:00": "ADT BRT ART",
    "-02:30": "NDT",
    "+00:00": "UTC UT GMT Z WET",
    "+01:00": "CET MET MEZ BST WEST WAT",
    "+02:00": "CEST MEST MESZ EET SAST CAT",
    "+03:00": "EEST MSK EAT",
    "+05:00": "PKT",
    "+05:45": "NPT",
    "+07:00": "WIB ICT",
    "+08:00": "HKT SGT MYT AWST",
    "+09:00": "JST KST",
    "+09:30": "ACST",
    "+10:00": "AEST",
    "+10:30": "ACDT",
    "+11:00": "AEDT",
    "+12:00": "NZST",
    "+13:00": "NZDT",
}
"""Names by offset. Those of RFC 5322, 4.3 have its offsets: `CST` is that of America.

`IST` is missing: India, Ireland and Israel each have theirs.
"""

_MILITARY = frozenset("ABCDEFGHIKLMNOPQRSTUVWXY")
"""Equal to -0000 by RFC 5322, 4.3, as RFC 822 had their signs wrong; `Z` is UTC."""

_AMERICAN = {"ET": -5, "CT": -6, "MT": -7, "PT": -8, "AT": -4}
"""Hours of standard time, for names that mean summer time in summer."""


def offset_of(zone: str, local: datetime) -> timedelta | None:
    """The offset from UTC of a zone at a local time; None for a zone that is not known.

    A missing zone is UTC.
    """
    name = zone.strip(" .").upper()
    if name in _AMERICAN:
        return timedelta(hours=_AMERICAN[name] + _is_american_summer(local))
    return _fixed(name)


@lru_cache(maxsize=1024)
def _fixed(name: str) -> timedelta | None:
    if not name or name in _MILITARY:
        return timedelta()
    if found := _OFFSET.fullmatch(name):
        sign, hours, minutes = found.groups("0")
        offset = timedelta(hours=int(hours), minutes=int(minutes))
        is_possible = int(hours) < 24 and int(minutes) < 60
        return (-offset if sign == "-" else offset) if is_possible else None
    return _OFFSETS.get(name)


_OFFSETS = {
    name: found
    for offset, names in _NAMES.items()
    if (found := _fixed(offset)) is not None
    for name in names.split()
}


def _is_american_summer(local: datetime) -> bool:
    """Whether it is summer time in North America, by the rule of 2007, or that of 1987."""
    (month, day), (last_month, last_day) = (
        ((3, 8), (11, 1)) if local.year >= 2007 else ((4, 1), (10, 25))
    )
    begin, end = _sunday(local.year, month, day), _sunday(local.year, last_month, last_day)
    return begin <= local < end


def _sunday(year: int, month: int, day: int) -> datetime:
    """Two o'clock on the first Sunday from a day on."""
    first = datetime(year, month, day, 2)
    return first + timedelta(days=6 - first.weekday())
