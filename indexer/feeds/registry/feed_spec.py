"""A feed that is to be added, and the reason why one can't be."""

import re
from datetime import UTC, datetime
from typing import NamedTuple

from indexer.errors import BadURL
from indexer.http.urls.parts import has_user, without_credentials
from indexer.http.urls.target import Target
from indexer.text.cleaning import clean, one_line
from indexer.text.dates import parse_date

NAME_LENGTH = 500
SHOWN = 200
"""Most characters shown of a text that is no feed."""

FOR_READERS = "feed:"
"""A scheme without a protocol: feed://HOST/PATH stands for http, feed:https://… for https."""

LARGEST_ID = (1 << 63) - 1

_SPACE = re.compile(r"\s")


class FeedSpec(NamedTuple):
    """A feed to be added, by its URL; a blank or None means unknown."""

    url: str
    name: str = ""
    sources_id: int | None = None
    id: int | None = None
    active: bool = True
    created_at: datetime | None = None


class FeedProblem(NamedTuple):
    """A text that can't be added as a feed, the reason, and where it was found."""

    what: str
    why: str
    where: str = ""

    def __str__(self) -> str:
        """Put the parts into one line, for a person."""
        return ": ".join(each for each in (self.where, self.what, self.why) if each)


def checked(spec: FeedSpec) -> FeedSpec | FeedProblem:
    """Return the feed with cleaned texts, or the reason why it can't be polled."""
    url = spec.url.strip()
    why = fault(url)
    if not why and spec.id is not None and not 0 < spec.id <= LARGEST_ID:
        why = f"{spec.id} is out of the range of ids"
    if why:
        return FeedProblem(shown(url), why)
    return spec._replace(url=url, name=one_line(spec.name, NAME_LENGTH))


def fault(url: str) -> str:
    """Return the reason why a URL can't be a feed's; blank if it can."""
    if clean(url) != url or _SPACE.search(url):
        return "it has white space or control characters: a space in a URL is %20"
    try:
        Target.parse(url)
    except BadURL as error:
        return refusal(url) or one_line(str(error), SHOWN)
    return ""


def refusal(url: str) -> str:
    """Return the reason why a URL of feed readers, or with a password, is refused; or a blank."""
    if url[: len(FOR_READERS)].lower() == FOR_READERS:
        return "feed: only tells a browser to open a feed reader; write https:// or http://"
    if has_user(url):
        return "a URL with a user name or password: all who see the feed's stories would see it"
    return ""


def shown(text: str) -> str:
    """Return a text that is no feed, in one line and without a password, for a message."""
    return one_line(without_credentials(text) if has_user(text) else text, SHOWN)


def as_id(text: str) -> int | None:
    """Read an id; None for a text that is not one."""
    text = text.strip()
    # LARGEST_ID has 19 digits; int() refuses or is slow for very long texts.
    if not (text.isascii() and text.isdigit() and len(text) <= 19):
        return None
    number = int(text)
    return number if 0 < number <= LARGEST_ID else None


def as_moment(text: str) -> datetime | None:
    """Read a date in any form of ISO 8601 or RFC 2822, as UTC; None for any other text."""
    found = parse_date(text)
    try:
        return found.astimezone(UTC).replace(tzinfo=None) if found else None
    except (ValueError, OverflowError):
        return None
