"""The messages of the feeds pipeline: polls, attempts and new stories.

    scheduler → Poll → fetcher → Attempt(status, answer, body) → parser → Attempt(document)
              → saver → NewStory

A message is a line of JSON; an attempt's body follows it, compressed (`messages.wire`). A failed
attempt takes the same way, so the saver ends all attempts with a status, an event and a next poll.
Times are UTC, without a zone, to the microsecond.
"""

from datetime import datetime
from typing import Any

import msgspec

from indexer.feeds.routing_keys import NO_DOCUMENT
from indexer.messages import wire
from indexer.messages.message import DEFAULT_KEY, Origin, known

FORMAT = 1
"""The version of the wire format that is written, and the newest that can be read."""

MAX_BODY_BYTES = 200_000_000

WORKING = "Working"
"""The status of a success; all others are in `statuses`."""

POSTPONED = "postponed"
"""A status that is not stored: nothing was requested, as the host asked to wait. The lease is
released, and the feed is ready again at `Attempt.until`."""


class Poll(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A claimed feed, with all that its fetcher needs.

    `lease` is the value of `lease_owner`, by which the saver notices a later claim. `keys` are
    those of `paces`. `due` is the planned time, None for as soon as possible. The fields after
    `due` are columns of `feeds`; `unknown` has those of a newer scheduler.
    """

    feed_id: int
    url: str
    lease: str
    expires: datetime
    v: int = FORMAT
    sources_id: int | None = None
    keys: list[str] = msgspec.field(default_factory=list)
    due: datetime | None = None
    hash: str | None = None
    etag: str | None = None
    last_modified: str | None = None
    validators_url: str | None = None
    validators_trusted: bool = True
    not_modified_count: int = 0
    full_fetch_at: datetime | None = None
    unknown: dict[str, Any] = msgspec.field(default_factory=dict)

    @property
    def key(self) -> str:
        """All polls have the same routing key."""
        return DEFAULT_KEY

    @property
    def label(self) -> str:
        """The feed's id and URL, for logs."""
        return f"feed {self.feed_id} {self.url}"[:500]

    @property
    def origin(self) -> Origin:
        """Its feed and source."""
        return known(feed_id=self.feed_id, source_id=self.sources_id)

    def dump(self) -> bytes:
        """A line of JSON."""
        return wire.dump(msgspec.structs.replace(self, unknown={}), unknown=self.unknown)

    @classmethod
    def load(cls, data: bytes, key: str = DEFAULT_KEY) -> "Poll":  # noqa: ARG003 - a Payload
        """Decode a poll. Raises DecodeError."""
        poll, _, unknown = wire.load(data, _polls, "poll", FORMAT, 0)
        poll.unknown = unknown
        return poll


class Hop(msgspec.Struct, frozen=True):
    """One redirect: its status and its target."""

    code: int
    url: str


class FeedAnswer(msgspec.Struct, kw_only=True, omit_defaults=True):
    """The last response of a chain of redirects.

    `reason` is the server's. `size` and `md5` (hex) are of the decoded body. `conditional`:
    validators were sent. `retry_at` comes from Retry-After, `fresh_until` from Cache-Control,
    Expires and Age.
    """

    code: int
    reason: str = ""
    url: str = ""
    hops: list[Hop] = msgspec.field(default_factory=list)
    seconds: float = 0.0
    size: int = 0
    md5: str = ""
    etag: str | None = None
    last_modified: str | None = None
    conditional: bool = False
    retry_at: datetime | None = None
    fresh_until: datetime | None = None


class DocumentPart(msgspec.Struct, frozen=True, omit_defaults=True):
    """A part of an attempt's body: the document, or a sitemap that it names."""

    url: str
    size: int
    charset: str | None = None


class NewItem(msgspec.Struct, kw_only=True, omit_defaults=True):
    """An item that may become a story: it has passed all tests that need no database.

    `identity` is the text of its URL key. `title_hash` is empty for a title without letters and
    digits. `guid_means` is false for a guid that several items may share. `published` is the
    original text of a date that could not be parsed into `published_at`, or only its day.
    """

    url: str
    identity: str
    domain: str = ""
    guid: str | None = None
    guid_means: bool = True
    title: str | None = None
    normalized_title: str = ""
    title_hash: str = ""
    published_at: datetime | None = None
    published: str | None = None
    date_source: str | None = None


class FeedDocument(msgspec.Struct, kw_only=True, omit_defaults=True):
    """The parser's result. `entries` counts all items, `skipped` the refused ones by counter.

    The counters are those of feeds.md 8: entries = len(items) + the sum of `skipped`.
    """

    format: str = ""
    title: str | None = None
    update_minutes: int | None = None
    entries: int = 0
    items: list[NewItem] = msgspec.field(default_factory=list)
    skipped: dict[str, int] = msgspec.field(default_factory=dict)
    warnings: list[str] = msgspec.field(default_factory=list)


class ItemCounts(msgspec.Struct, frozen=True):
    """The items of a document, counted. `reasons` has the counters of feeds.md 8 that are not 0."""

    added: int = 0
    duplicates: int = 0
    skipped: int = 0
    reasons: dict[str, int] = msgspec.field(default_factory=dict)


class Unchanged:
    """Reasons why a document need not be parsed: the notes of seed 003."""

    NOT_MODIFIED = "not modified"
    SAME_HASH = "same hash"


class Attempt(msgspec.Struct, kw_only=True, omit_defaults=True):
    """One attempt to poll a feed; each stage of the pipeline adds its results.

    `started` is the time stored in all rows of the attempt. `status` is one of `statuses`, and
    `detail` follows it in the event's note. `unchanged` is one of `Unchanged`, or "". `until` is
    set if the attempt was postponed. For a document that is no feed, `root` is its root element
    and `feeds` the URLs of feeds that it links to.
    """

    poll: Poll
    started: datetime
    v: int = FORMAT
    status: str = WORKING
    detail: str = ""
    unchanged: str = ""
    until: datetime | None = None
    root: str = ""
    feeds: list[str] = msgspec.field(default_factory=list)
    answer: FeedAnswer | None = None
    pages: list[DocumentPart] = msgspec.field(default_factory=list)
    document: FeedDocument | None = None
    parts: list[bytes] = msgspec.field(default_factory=list)
    """The bytes of each of `pages`: sent after the line of JSON, not in it."""
    unknown: dict[str, Any] = msgspec.field(default_factory=dict)
    """What a newer program has added, see `wire.Loaded`; the poll has its own."""

    @property
    def key(self) -> str:
        """The key of attempts that go past the parser, or of all others."""
        return DEFAULT_KEY if self.pages or self.document else NO_DOCUMENT

    @property
    def label(self) -> str:
        """The feed's id and URL, for logs."""
        return self.poll.label

    @property
    def origin(self) -> Origin:
        """Its feed and source."""
        return self.poll.origin

    def dump(self) -> bytes:
        """A line of JSON, followed by the compressed parts."""
        poll = msgspec.structs.replace(self.poll, unknown={})
        line = msgspec.structs.replace(self, poll=poll, parts=[], unknown={})
        unknown = {**self.unknown, "poll": self.poll.unknown} if self.poll.unknown else self.unknown
        return wire.dump(
            line, wire.PackedBody(b"".join(self.parts)) if self.parts else None, unknown
        )

    @classmethod
    def load(cls, data: bytes, key: str = DEFAULT_KEY) -> "Attempt":  # noqa: ARG003 - a Payload
        """Decode an attempt. Raises DecodeError."""
        attempt, body, unknown = wire.load(data, _attempts, "attempt", FORMAT, MAX_BODY_BYTES)
        attempt.poll.unknown = unknown.pop("poll", {})
        attempt.unknown = unknown
        attempt.parts = _cut(body.data if body else b"", attempt.pages)
        return attempt


def _cut(body: bytes, pages: list[DocumentPart]) -> list[bytes]:
    parts, at = [], 0
    for page in pages:
        parts.append(body[at : at + page.size])
        at += page.size
    return parts


class NewStory(msgspec.Struct, kw_only=True):
    """A new story, in the format that the stories family's programs read (seed 000)."""

    rss_entry: dict[str, str | int | None]
    v: int = 1

    @property
    def key(self) -> str:
        """All stories have the same routing key (stories.md 3.1)."""
        return DEFAULT_KEY

    @property
    def label(self) -> str:
        """Its URL."""
        return str(self.rss_entry.get("link") or "")[:500]

    @property
    def origin(self) -> Origin:
        """Its feed and source."""
        feed, source = self.rss_entry.get("source_feed_id"), self.rss_entry.get("source_source_id")
        return known(
            feed_id=feed if isinstance(feed, int) else None,
            source_id=source if isinstance(source, int) else None,
        )

    def dump(self) -> bytes:
        """A line of JSON, as of a story without a page."""
        return wire.dump(self)

    @classmethod
    def load(cls, data: bytes, key: str = DEFAULT_KEY) -> "NewStory":  # noqa: ARG003 - a Payload
        """Decode a new story. Raises DecodeError."""
        return wire.load(data, _stories, "story", 1, 0).line


_polls = msgspec.json.Decoder(Poll)
_attempts = msgspec.json.Decoder(Attempt)
_stories = msgspec.json.Decoder(NewStory)
