"""Dates of publication and of parsing.

The date on the page is `content_metadata.publication_date`, the date in the feed stays in
`rss_entry.pub_date`. Both have the same bounds (stories.md 7.2).
"""

import re
import threading
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

from indexer.stories.story import Story
from indexer.text.dates import parse_date, utc_now

# No web page of news is older: an earlier date is the epoch of a computer, or a mistake.
EARLIEST = date(1995, 1, 1)

# Magazines date issues ahead; a date later than that belongs to an event, or is a mistake. The
# limit of `mcmetadata`.
MAX_DAYS_AHEAD = 90

_IN_NAME = re.compile(r"(?<!\d)(\d{4})([-_]?)(\d{2})\2(\d{2})(?!\d)")


def publication_date(story: Story, now: datetime) -> str | None:
    """The page's date, or else the feed's, as YYYY-MM-DD; None if neither is within bounds."""
    page, feed = story.content_metadata.publication_date, story.rss_entry.pub_date
    return bounded_date(page, now) or bounded_date(feed, now)


def bounded_date(text: str | None, now: datetime) -> str | None:
    """A date as YYYY-MM-DD, if it is from 1995 to 90 days after `now`; else None."""
    parsed = parse_date(text) if text else None
    if parsed is None or not EARLIEST <= parsed.date() <= latest(now).date():
        return None
    return parsed.date().isoformat()


def latest(now: datetime) -> datetime:
    """The latest publication date that is accepted at `now`."""
    return now + timedelta(days=MAX_DAYS_AHEAD)


class Stamps:
    """Makes values of `parsed_date`: UTC, microseconds, each later than the one before.

    Clients of the index sort and page by it, so no two may be equal (stories.md 1.5). Thread-safe.
    """

    def __init__(self, clock: Callable[[], datetime] = utc_now) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._last = datetime.min.replace(tzinfo=UTC)

    def next(self) -> str:
        """Now, or a microsecond after the last value: YYYY-MM-DDThh:mm:ss.uuuuuu."""
        with self._lock:
            self._last = max(self._clock(), self._last + timedelta(microseconds=1))
            return self._last.replace(tzinfo=None).isoformat(timespec="microseconds")


def date_in(name: str) -> str | None:
    """The first date in a file's base name, as YYYY-MM-DD (seed: `fetch_date`)."""
    for found in _IN_NAME.finditer(name.rpartition("/")[2]):
        try:
            return date(int(found[1]), int(found[3]), int(found[4])).isoformat()
        except ValueError:
            continue
    return None
