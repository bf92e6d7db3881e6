"""One item of a feed, as it was read: nothing of it has been judged yet."""

from datetime import datetime

import msgspec


class FeedEntry(msgspec.Struct, kw_only=True):
    """What an item says, clean of what can't be stored.

    `link` is absolute where the item or the feed says how, else as it is; "" for none.
    `published` is the date as it is written, `published_at` the moment that it means, UTC without
    a zone, None if it can't be one; `date_source` the element that both are of.
    """

    link: str = ""
    guid: str | None = None
    title: str | None = None
    published: str | None = None
    published_at: datetime | None = None
    date_source: str | None = None
