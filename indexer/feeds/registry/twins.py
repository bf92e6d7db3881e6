"""Finds duplicate feeds: with the same URL, nearly the same, or one that redirects to the same."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from sqlalchemy import select

from indexer.database import Database
from indexer.feeds.models import feeds

ROWS = 5000
"""Rows read from the server at a time."""

_PARTS = re.compile(r"https?://(?:www\.)?([^/?#]*)([^#]*)", re.IGNORECASE)
_PORT = re.compile(r":(?:80|443)?$")


class Twin(NamedTuple):
    """A feed, and an older one that is probably the same; `why` is the evidence."""

    id: int
    url: str
    twin_id: int
    twin_url: str
    why: str


SAME_URL = "same URL"
NEARLY = "the URLs differ in scheme, www., or a slash only"
SAME_END = "both redirect to the same URL"


def normal_form(url: str) -> str:
    """Return a URL without scheme, www., port, final slash and fragment, its host in lower case.

    Two URLs of one feed rarely differ in more; the case of the path is kept.
    """
    found = _PARTS.match(url.strip())
    if not found:
        return url.strip()
    host, path = found.groups()
    return _PORT.sub("", host.lower()) + path.rstrip("/")


def twins(database: Database) -> Iterator[Twin]:
    """Yield the feeds that have an older twin, by id. Raises StorageError."""
    columns = (feeds.c.id, feeds.c.url, feeds.c.adopted_url, feeds.c.final_url)
    statement = (
        select(*columns)
        .where(feeds.c.removed_at.is_(None), feeds.c.url.is_not(None))
        .order_by(feeds.c.id)
        .execution_options(yield_per=ROWS)
    )
    first: dict[str, tuple[int, str]] = {}
    with database.reading() as connection:
        for id, url, adopted, final in connection.execute(statement):
            forms = dict.fromkeys(normal_form(each) for each in (url, adopted, final) if each)
            older = next((first[form] for form in forms if form in first), None)
            if older is not None:
                yield Twin(id, url, *older, _why(url, older[1]))
            for form in forms:
                first.setdefault(form, older or (id, url))


def _why(url: str, other: str) -> str:
    if url == other:
        return SAME_URL
    return NEARLY if normal_form(url) == normal_form(other) else SAME_END
