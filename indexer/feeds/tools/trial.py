"""The result of trying a feed: exchanges with servers, the document, a decision for each item."""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime

import msgspec

from indexer.feeds.attempt import WORKING, ItemCounts
from indexer.feeds.reading.acceptance import TOSSED
from indexer.http.fetching import Response

SHOWN_HEADERS = (
    *("content-type", "content-encoding", "content-length", "location", "etag", "last-modified"),
    *("cache-control", "expires", "age", "date", "retry-after", "server", "via", "x-cache"),
)

HEADER_LENGTH = 500

ADD, DUPLICATE, SKIP = "add", "duplicate", "skip"
"""The decisions about an item; `reason` is the counter of feeds.md 8."""


class TriedRequest(msgspec.Struct, kw_only=True):
    """One request and the head of its response, with SHOWN_HEADERS only."""

    url: str
    code: int
    reason: str
    sent: dict[str, str]
    received: dict[str, str]

    @classmethod
    def of(cls, sent: Mapping[str, str], response: Response) -> "TriedRequest":
        """Describe a request by its headers and its response."""
        received = {name: response.headers.get(name, "") for name in SHOWN_HEADERS}
        return cls(
            url=response.url,
            code=response.status,
            reason=response.reason,
            # A cookie may be a secret of the site, and this is shown to clients.
            sent={name: value for name, value in sent.items() if name.lower() != "cookie"},
            received={name: value[:HEADER_LENGTH] for name, value in received.items() if value},
        )


class TriedItem(msgspec.Struct, kw_only=True):
    """One item, with the decision and its reason. A duplicate has the id of its `story`."""

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
    """A feed that an HTML page links to."""

    url: str
    name: str


class Trial(msgspec.Struct, kw_only=True):
    """The result of trying a feed.

    `status` and `note` are those of an event. `feed_id` is that of the feed with this URL in the
    database, if any. `counts` counts the items by reason. A document that is no feed has its
    `root` element here, and an HTML page the `feeds` that it links to.
    """

    url: str
    started: datetime
    status: str
    note: str = ""
    feed_id: int | None = None
    sources_id: int | None = None
    exchanges: list[TriedRequest] = msgspec.field(default_factory=list)
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
        """Whether the document could be read as a feed."""
        return self.status == WORKING

    def count(self, tossed: int) -> ItemCounts:
        """Count the items by reason; `tossed` items were beyond the limit."""
        decided = Counter(item.decision for item in self.items)
        reasons = Counter(item.reason for item in self.items) + Counter({TOSSED: tossed})
        self.counts = dict(reasons)
        return ItemCounts(decided[ADD], decided[DUPLICATE], decided[SKIP] + tossed, self.counts)
