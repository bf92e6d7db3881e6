"""What somebody says of a feed that is to be polled; and what can't be taken, with the reason."""

import re
from datetime import UTC, datetime
from typing import NamedTuple

from indexer.errors import BadURL
from indexer.http.urls.target import Target
from indexer.text.cleaning import clean, one_line
from indexer.text.dates import parse_date

NAME_LENGTH = 500
SHOWN = 200
"""How many characters of what is no feed are shown."""

LARGEST_ID = (1 << 63) - 1

_SPACE = re.compile(r"\s")


class FeedSpec(NamedTuple):
    """A feed, by its URL; what is blank or None is not known."""

    url: str
    name: str = ""
    sources_id: int | None = None
    id: int | None = None
    active: bool = True
    created_at: datetime | None = None


class FeedProblem(NamedTuple):
    """Something that is not a feed, where it was found, and why it can't be taken."""

    what: str
    why: str
    where: str = ""

    def __str__(self) -> str:
        """All of it, for a person."""
        return ": ".join(each for each in (self.where, self.what, self.why) if each)


def checked(spec: FeedSpec) -> FeedSpec | FeedProblem:
    """The feed, with its texts clean; or why it can't be polled."""
    url = spec.url.strip()
    why = fault(url)
    if not why and spec.id is not None and not 0 < spec.id <= LARGEST_ID:
        why = f"{spec.id} can't be an id"
    if why:
        return FeedProblem(one_line(url, SHOWN), why)
    return spec._replace(url=url, name=one_line(spec.name, NAME_LENGTH))


def fault(url: str) -> str:
    """Why a URL can't be that of a feed; blank if it can."""
    if clean(url) != url or _SPACE.search(url):
        return "white space or control characters in it: a space in a URL is %20"
    try:
        Target.parse(url)
    except BadURL as error:
        return one_line(str(error), SHOWN)
    return ""


def as_id(text: str) -> int | None:
    """A number that is written out; None for what is none, or blank, or can't be an id."""
    text = text.strip()
    if not (text.isascii() and text.isdigit() and len(text) <= 19):
        return None
    number = int(text)
    return number if 0 < number <= LARGEST_ID else None


def as_moment(text: str) -> datetime | None:
    """A date of any ISO 8601 form, or RFC 2822's, as UTC; None for what is none."""
    found = parse_date(text)
    try:
        return found.astimezone(UTC).replace(tzinfo=None) if found else None
    except (ValueError, OverflowError):
        return None
