"""Makes an RSSEntry from the fields of a feed's item, of any format."""

import email.utils
import re
from dataclasses import dataclass

from indexer.messages.worker import Skipped
from indexer.news.syndication.announced import Announced, absolute
from indexer.news.syndication.markup import unescape
from indexer.stories.story import RSSEntry
from indexer.text.cleaning import clean, one_line
from indexer.text.dates import parse_date

BAD = "bad"
"""The status of an item that has no link (stories.md 2.5)."""

TITLE_LENGTH = 1000
DATE_LENGTH = 100

_WEB = re.compile(r"https?://", re.IGNORECASE)
_TAG = re.compile(r"</?[a-zA-Z][^<>]*+>")
_ID = re.compile(r"[0-9]{1,18}")


@dataclass(frozen=True, slots=True)
class FeedOrigin:
    """The origin of items: the name of the input, the base URL of links, the date of the feed."""

    name: str
    base: str = ""
    fetch_date: str | None = None

    def entry(self, item: Announced) -> RSSEntry | Skipped:
        """The entry of an item; Skipped if it has no link."""
        # A blank link means no link, although as a relative URL it would be that of the feed.
        link = absolute(absolute(self.base, item.base), item.link) if item.link.strip() else ""
        title = plain(item.title)
        if not link:
            return Skipped(BAD, title or self.name, "an item without a link")
        return RSSEntry(
            link=link,
            title=title or None,
            domain=one_line(item.domain) or None,
            pub_date=rfc_2822(item.date),
            fetch_date=self.fetch_date,
            source_url=clean(item.source_url) or (self.name if _WEB.match(self.name) else None),
            source_feed_id=as_number(item.feed_id),
            source_source_id=as_number(item.source_id),
            via=clean(self.name),
        )


def plain(title: str) -> str:
    """A title without markup, on one line."""
    # Unescaped twice: many feeds escape a title that has entities of HTML in it.
    return one_line(unescape(_TAG.sub("", unescape(title))), TITLE_LENGTH)


def rfc_2822(text: str) -> str | None:
    """A date in the format of `pub_date` (seed); other text on one line, or None if it is blank."""
    found = parse_date(text)
    return email.utils.format_datetime(found) if found else one_line(text, DATE_LENGTH) or None


def as_number(value: object) -> int | None:
    """A number from 0 on, also from a text; None for more digits than 64 bits always hold."""
    text = as_text(value).strip()
    return int(text) if _ID.fullmatch(text) else None


def as_text(value: object) -> str:
    """A text or a number as text; "" for any other value."""
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
