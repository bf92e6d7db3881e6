"""When a story was published, and when it was parsed.

What the page says and what the feed says are kept apart: the page's date is in
`content_metadata.publication_date`, the feed's stays in `rss_entry.pub_date`, and both are under
the same bounds (stories.md 7.2).
"""

import re
import threading
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

from indexer.stories.story import Story
from indexer.text.dates import parse_date

EARLIEST = date(1995, 1, 1)
"""No page is older: what is before is the epoch of a computer, or a mistake."""

MAX_DAYS_AHEAD = 90
"""How far ahead a date may be, as `mcmetadata` has it: magazines date issues ahead; a date later
than that is of an event, or a mistake."""

_IN_NAME = re.compile(r"(?<!\d)(\d{4})([-_]?)(\d{2})\2(\d{2})(?!\d)")


def publication_date(story: Story, now: datetime) -> str | None:
    """The date that the page gives, else the feed's, YYYY-MM-DD; None if neither is sound."""
    page, feed = story.content_metadata.publication_date, story.rss_entry.pub_date
    return bounded_date(page, now) or bounded_date(feed, now)


def bounded_date(text: str | None, now: datetime) -> str | None:
    """The day of a date as YYYY-MM-DD, if it is one from 1995 to 90 days after `now`."""
    parsed = parse_date(text) if text else None
    if parsed is None or not EARLIEST <= parsed.date() <= latest(now).date():
        return None
    return parsed.date().isoformat()


def latest(now: datetime) -> datetime:
    """The end of what is taken for a publication date at `now`."""
    return now + timedelta(days=MAX_DAYS_AHEAD)


class Stamps:
    """Moments as `parsed_date` holds them: UTC, microseconds, each later than the one before.

    Clients of the index sort and page on them (stories.md 1.5). Thread-safe.
    """

    def __init__(self, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._last = datetime.min.replace(tzinfo=UTC)

    def next(self) -> str:
        """Now, or a microsecond after the last: YYYY-MM-DDThh:mm:ss.uuuuuu."""
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
