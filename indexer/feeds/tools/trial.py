"""What trying a feed tells: each exchange with its servers, the document, and each item's fate."""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime

import msgspec

from indexer.feeds.attempt import WORKING, ItemCounts
from indexer.feeds.reading.acceptance import TOSSED
from indexer.http.fetching import Response

HEADERS_OF_NOTE = (
    *("content-type", "content-encoding", "content-length", "location", "etag", "last-modified"),
    *("cache-control", "expires", "age", "date", "retry-after", "server", "via", "x-cache"),
)

HEADER_LENGTH = 500

ADD, DUPLICATE, SKIP = "add", "duplicate", "skip"
"""The decisions about an item; `reason` is the counter of feeds.md 8."""


class Exchange(msgspec.Struct, kw_only=True):
    """One request and its answer. Of the answer's headers those of note."""

    url: str
    code: int
    reason: str
    sent: dict[str, str]
    received: dict[str, str]

    @classmethod
    def of(cls, sent: Mapping[str, str], response: Response) -> "Exchange":
        """Of the headers that were sent, and the head of the answer."""
        received = {name: response.headers.get(name, "") for name in HEADERS_OF_NOTE}
        return cls(
            url=response.url,
            code=response.status,
            reason=response.reason,
            # What a site has set stays between it and us.
            sent={name: value for name, value in sent.items() if name.lower() != "cookie"},
            received={name: value[:HEADER_LENGTH] for name, value in received.items() if value},
        )


class TriedItem(msgspec.Struct, kw_only=True):
    """One item: what it says, what is decided about it, and why. `story`: that it repeats."""

    link: str
    title: str | None
    guid: str | None
    published_at: datetime | None
    published: str | None
    date_source: str | None
    identity: str | None
    decision: str
    reason: str
    why: str
    story: int | None = None


class NamedFeed(msgspec.Struct):
    """A feed that a page names."""

    url: str
    name: str


class Trial(msgspec.Struct, kw_only=True):
    """What came of trying a feed.

    `status`, `note`: as its event would have them. `feed_id`: of the feed with this URL in the
    database, if there is one. `counts`: of the items, by reason. `root`: the element that a
    document has which is no feed; `feeds`: those that it names, if it is a page. Without a
    database only the document itself was looked at.
    """

    url: str
    started: datetime
    status: str
    note: str = ""
    feed_id: int | None = None
    sources_id: int | None = None
    exchanges: list[Exchange] = msgspec.field(default_factory=list)
    final_url: str | None = None
    seconds: float | None = None
    size: int | None = None
    root: str | None = None
    md5: str | None = None
    retry_at: datetime | None = None
    fresh_until: datetime | None = None
    format: str | None = None
    title: str | None = None
    update_minutes: int | None = None
    warnings: list[str] = msgspec.field(default_factory=list)
    items: list[TriedItem] = msgspec.field(default_factory=list)
    counts: dict[str, int] = msgspec.field(default_factory=dict)
    feeds: list[NamedFeed] = msgspec.field(default_factory=list)

    @property
    def works(self) -> bool:
        """Whether it is a feed that could be read."""
        return self.status == WORKING

    def count(self, tossed: int) -> ItemCounts:
        """Count its items by reason, and those that were too many."""
        decided = Counter(item.decision for item in self.items)
        reasons = Counter(item.reason for item in self.items) + Counter({TOSSED: tossed})
        self.counts = dict(reasons)
        return ItemCounts(decided[ADD], decided[DUPLICATE], decided[SKIP] + tossed, self.counts)
