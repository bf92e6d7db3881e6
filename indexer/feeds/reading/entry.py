"""One entry of a document, as it was read and before it is tested."""

from datetime import datetime

import msgspec


class FeedEntry(msgspec.Struct, kw_only=True):
    """An entry's fields, without characters that can't be stored.

    `link` is absolute if the entry or the feed has a base URL, else as written; "" for none.
    `published` is the date as written; `published_at` the same as a time in UTC without a zone, or
    None if it can't be read or can't be true; `date_source` the element that it was read from.
    """

    link: str = ""
    guid: str | None = None
    title: str | None = None
    published: str | None = None
    published_at: datetime | None = None
    date_source: str | None = None
