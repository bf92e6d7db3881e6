"""What travels in the feeds pipeline: a poll, and the attempt that comes of it.

    scheduler → Poll → fetcher → Attempt(status, answer, body) → parser → Attempt(document)
              → saver → NewStory

Each is a line of JSON; an attempt's body follows it, compressed (`messages.wire`). An attempt that
fails goes the same way to the saver, which ends every one: with a status, an event, a next time.
Times are UTC, without a zone, to the microsecond.
"""

from datetime import datetime
from typing import Self

import msgspec

from indexer.messages import wire
from indexer.messages.message import DEFAULT_KEY, Origin

FORMAT = 1
"""The version of the wire format that this code writes, and the newest that it reads."""

MAX_BODY_BYTES = 200_000_000

WORKING = "Working"
"""The status of a feed that is well: all others are in `statuses`."""

POSTPONED = "postponed"
"""Not a status that is stored: nothing was asked, as the host wants to be left alone. The claim is
given back, and the feed comes again at `Attempt.until`."""


class Poll(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A feed that was claimed: all that its fetch has to know.

    `lease` names the claim: one that has expired is somebody else's. `keys` are those of `paces`.
    `due` is when it was to be polled, None if as soon as possible. What follows is as the database
    has it.
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

    @property
    def key(self) -> str:
        """Polls travel with one routing key."""
        return DEFAULT_KEY

    @property
    def label(self) -> str:
        """What a person greps for."""
        return f"feed {self.feed_id} {self.url}"[:500]

    @property
    def origin(self) -> Origin:
        """Its feed and source."""
        return Origin(self.feed_id, self.sources_id)

    def dump(self) -> bytes:
        """A line of JSON."""
        return wire.dump(self)

    @classmethod
    def load(cls, data: bytes, key: str = DEFAULT_KEY) -> Self:  # noqa: ARG003 - a Payload
        """The poll of a message. Raises DecodeError."""
        return wire.load(data, _polls, "poll", FORMAT, 0)[0]  # type: ignore[return-value]


class Hop(msgspec.Struct, frozen=True):
    """One redirect: its status, and where it led."""

    code: int
    url: str


class FeedAnswer(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What a server said: the last answer of a chain of redirects.

    `reason` is verbatim. `size` and `md5` (hex) are of the body after content encodings.
    `conditional`: validators were sent. `retry_at`, `fresh_until`: what it asks for (Retry-After;
    Cache-Control, Expires and Age), as moments.
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
    """A part of an attempt's body: the document, or the sitemaps that it is an index of."""

    url: str
    size: int
    charset: str | None = None


class NewItem(msgspec.Struct, kw_only=True, omit_defaults=True):
    """One item that may become a story: it has passed the tests that need no database.

    `identity` is the text of its URL key, `title_hash` "" where the title means nothing;
    `guid_means` is false for a guid that does not tell items apart.
    `published` is the date as it is written, where `published_at` could not be taken from it.
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
    """What the parser found. `entries` are all items there are, `skipped` those it dropped, by
    counter name (feeds.md 8): entries = len(items) + the sum of skipped.
    """

    format: str = ""
    title: str | None = None
    update_minutes: int | None = None
    entries: int = 0
    items: list[NewItem] = msgspec.field(default_factory=list)
    skipped: dict[str, int] = msgspec.field(default_factory=dict)
    warnings: list[str] = msgspec.field(default_factory=list)


class ItemCounts(msgspec.Struct, frozen=True):
    """What became of the items of a document, and of each bucket why, by counter name.

    `reasons` holds every counter of feeds.md 8 that is not 0, `ok` included.
    """

    added: int = 0
    duplicates: int = 0
    skipped: int = 0
    reasons: dict[str, int] = msgspec.field(default_factory=dict)


class Unchanged:
    """Why there is nothing to parse: the notes of seed 003."""

    NOT_MODIFIED = "not modified"
    SAME_HASH = "same hash"


class Attempt(msgspec.Struct, kw_only=True, omit_defaults=True):
    """One attempt at a feed, as far as it has come.

    `started` is the moment that is stored for all that comes of it. `status` is one of
    `statuses`, `detail` what follows it in the event's note. `unchanged` is one of `Unchanged`, or
    "". Without a body there is nothing to parse. `until`: of one that was postponed. Of what is no
    feed, `root` is the element that it has instead, `feeds` the URLs of those that it names.
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
    """The bytes of `pages`, in their order: not part of the line of JSON."""

    @property
    def key(self) -> str:
        """Attempts travel with one routing key."""
        return DEFAULT_KEY

    @property
    def label(self) -> str:
        """What a person greps for."""
        return self.poll.label

    @property
    def origin(self) -> Origin:
        """Its feed and source."""
        return self.poll.origin

    def dump(self) -> bytes:
        """A line of JSON, then the parts, compressed."""
        line = msgspec.structs.replace(self, parts=[])
        return wire.dump(line, b"".join(self.parts) if self.parts else None)

    @classmethod
    def load(cls, data: bytes, key: str = DEFAULT_KEY) -> Self:  # noqa: ARG003 - a Payload
        """The attempt of a message. Raises DecodeError."""
        attempt, body = wire.load(data, _attempts, "attempt", FORMAT, MAX_BODY_BYTES)
        attempt.parts = _cut(body or b"", attempt.pages)
        return attempt  # type: ignore[return-value]


def _cut(body: bytes, pages: list[DocumentPart]) -> list[bytes]:
    parts, at = [], 0
    for page in pages:
        parts.append(body[at : at + page.size])
        at += page.size
    return parts


class NewStory(msgspec.Struct, kw_only=True):
    """A story that was not seen before, as the stories family's programs read it (seed 000)."""

    rss_entry: dict[str, str | int | None]
    v: int = 1

    @property
    def key(self) -> str:
        """Stories travel with one routing key (stories.md 3.1)."""
        return DEFAULT_KEY

    @property
    def label(self) -> str:
        """Its URL."""
        return str(self.rss_entry.get("link") or "")[:500]

    @property
    def origin(self) -> Origin:
        """Its feed and source."""
        feed, source = self.rss_entry.get("source_feed_id"), self.rss_entry.get("source_source_id")
        return Origin(
            feed if isinstance(feed, int) else None, source if isinstance(source, int) else None
        )

    def dump(self) -> bytes:
        """A line of JSON: a story's, without a page."""
        return wire.dump(self)

    @classmethod
    def load(cls, data: bytes, key: str = DEFAULT_KEY) -> Self:  # noqa: ARG003 - a Payload
        """The story of a message. Raises DecodeError."""
        return wire.load(data, _stories, "story", 1, 0)[0]  # type: ignore[return-value]


_polls = msgspec.json.Decoder(Poll)
_attempts = msgspec.json.Decoder(Attempt)
_stories = msgspec.json.Decoder(NewStory)
