"""A `Story`: one news page, from the link in a feed to the text in the search index.

A message is one line of JSON, with a format version, then the compressed bytes of the page, so that
`head -1` shows a story. Older messages load, unknown fields are kept, and nothing is unpickled.
A page that a program doesn't read stays compressed, and is sent on byte for byte.
The seed (000_story-indexer-metadata) gives the names and types of fields; each may be None.
"""

from typing import Any, Self

import msgspec

from indexer.errors import DecodeError, Quarantine
from indexer.messages import wire
from indexer.messages.message import BAD_MESSAGE, DEFAULT_KEY, DROPPED, Origin, known

FORMAT = 1
"""The version of the wire format that this code writes, and the newest that it reads."""

# Ten times the default of MAX_HTML_BYTES, above which no fetcher sends a page: a larger one is a
# compression bomb.
MAX_PAGE_BYTES = 100_000_000

NEED_CANONICAL_URL = "http://mediacloud.org/need_canonical_url"
"""The final URL of a story until the parser finds the URL on its page (stories.md 1.6)."""

LABEL_LENGTH = 500

METADATA_OBJECTS = ("rss_entry", "http_metadata", "content_metadata")
"""The objects of a WARC metadata record (seed: WARC file format)."""

DUMP_OBJECTS = ("rabbitmq_headers", "queue_data")
"""Further objects in dumps of queues: about the message, not the story."""


class RSSEntry(msgspec.Struct, kw_only=True):
    """The entry of a feed that announced the story. Only `link` and `pub_date` are used later;
    the other fields help people who investigate."""

    link: str | None = None
    title: str | None = None
    domain: str | None = None
    pub_date: str | None = None
    fetch_date: str | None = None
    source_url: str | None = None
    source_feed_id: int | None = None
    source_source_id: int | None = None
    via: str | None = None


class HTTPMetadata(msgspec.Struct, kw_only=True):
    """The HTTP answer that brought the page. `fetch_timestamp` is in seconds since the epoch.

    `encoding` is the charset that the HTTP header declared, never a library's default.
    """

    response_code: int | None = None
    fetch_timestamp: float | None = None
    final_url: str | None = None
    encoding: str | None = None


class ContentMetadata(msgspec.Struct, kw_only=True):
    """The result of extraction: the names and values of `mcmetadata.extract`, and `parsed_date`.

    `publication_date` is YYYY-MM-DD, `parsed_date` YYYY-MM-DDThh:mm:ss.uuuuuu in UTC.
    """

    original_url: str | None = None
    url: str | None = None
    normalized_url: str | None = None
    canonical_domain: str | None = None
    publication_date: str | None = None
    language: str | None = None
    full_language: str | None = None
    text_extraction_method: str | None = None
    article_title: str | None = None
    normalized_article_title: str | None = None
    text_content: str | None = None
    parsed_date: str | None = None
    canonical_url: str | None = None
    is_homepage: bool | None = None
    is_shortened: bool | None = None


class RawHTML:
    """The bytes of the page as received, and the encoding that the parser found.

    The page of a message stays compressed, in `body`, until `html` is read.
    """

    __slots__ = ("body", "encoding")

    def __init__(
        self,
        *,
        html: bytes | None = None,
        encoding: str | None = None,
        body: wire.PackedBody | None = None,
    ) -> None:
        self.body = body if html is None else wire.PackedBody(html)
        self.encoding = encoding

    @property
    def html(self) -> bytes | None:
        """The bytes of the page. Raises Quarantine if those of its message are damaged."""
        try:
            return None if self.body is None else self.body.data
        except DecodeError as error:
            raise Quarantine(BAD_MESSAGE, f"the page of the story: {error}") from error

    @html.setter
    def html(self, html: bytes | None) -> None:
        self.body = None if html is None else wire.PackedBody(html)

    @property
    def size(self) -> int:
        """The number of bytes of the page, which need not be unpacked for it."""
        return 0 if self.body is None else self.body.size

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RawHTML):
            return NotImplemented
        return (self.html, self.encoding) == (other.html, other.encoding)

    __hash__ = None  # type: ignore[assignment]  # it can be changed

    def __repr__(self) -> str:
        return f"RawHTML(html={self.html!r}, encoding={self.encoding!r})"


class _Line(msgspec.Struct, kw_only=True):
    """The first line of the wire format."""

    v: int
    rss_entry: RSSEntry
    http_metadata: HTTPMetadata = msgspec.field(default_factory=HTTPMetadata)
    content_metadata: ContentMetadata = msgspec.field(default_factory=ContentMetadata)
    encoding: str | None = None
    page: bool = False


_decoder = msgspec.json.Decoder(_Line)


class Story(msgspec.Struct, kw_only=True):
    """One news page with all its metadata. A `Payload`.

    `unknown` has what a newer program has added to the story: objects, and fields of the objects
    below, by the object's name; and `dropped`, the reason of the parser. It is written wherever the
    story is written, but never indexed.
    """

    rss_entry: RSSEntry = msgspec.field(default_factory=RSSEntry)
    http_metadata: HTTPMetadata = msgspec.field(default_factory=HTTPMetadata)
    content_metadata: ContentMetadata = msgspec.field(default_factory=ContentMetadata)
    raw_html: RawHTML = msgspec.field(default_factory=RawHTML)
    unknown: dict[str, Any] = msgspec.field(default_factory=dict)

    @property
    def key(self) -> str:
        """The routing key: one for dropped stories, one for all others (stories.md 3.1)."""
        return DROPPED if DROPPED in self.unknown else DEFAULT_KEY

    @property
    def label(self) -> str:
        """The URL that log lines show, the same at every step."""
        # The link comes first: it never changes, and operators search the logs for it.
        url = self.rss_entry.link or self.url or ""
        shown = url if url.isprintable() else "".join(filter(str.isprintable, url))
        return shown[:LABEL_LENGTH]

    @property
    def origin(self) -> Origin:
        """The ids of the story's feed and source, and its domain, which the parser sets."""
        entry = self.rss_entry
        return known(
            feed_id=entry.source_feed_id,
            source_id=entry.source_source_id,
            domain=self.content_metadata.canonical_domain,
        )

    @property
    def url(self) -> str | None:
        """The first URL that is set: final, content, original, link (seed: WARC-Target-URI)."""
        return (
            self.http_metadata.final_url
            or self.content_metadata.url
            or self.content_metadata.original_url
            or self.rss_entry.link
        )

    def dump(self) -> bytes:
        """The message: one line of JSON, then the compressed page."""
        line = _Line(
            v=FORMAT,
            rss_entry=self.rss_entry,
            http_metadata=self.http_metadata,
            content_metadata=self.content_metadata,
            encoding=self.raw_html.encoding,
            page=self.raw_html.body is not None,
        )
        return wire.dump(line, self.raw_html.body, self.unknown)

    @classmethod
    def load(cls, data: bytes, key: str = DEFAULT_KEY) -> Self:  # noqa: ARG003 - a Payload
        """The story of a message. Raises DecodeError, which names the fault."""
        line, body, unknown = wire.load(data, _decoder, "story", FORMAT, MAX_PAGE_BYTES)
        if line.page and body is None:
            raise DecodeError("the page of the story is missing")
        return cls(
            rss_entry=line.rss_entry,
            http_metadata=line.http_metadata,
            content_metadata=line.content_metadata,
            raw_html=RawHTML(body=body if line.page else None, encoding=line.encoding),
            unknown=unknown,
        )

    def metadata(self) -> dict[str, Any]:
        """The objects of a WARC metadata record, with all fields, also those without a value."""
        known = {name: msgspec.structs.asdict(getattr(self, name)) for name in METADATA_OBJECTS}
        added = {name: known[name] | self.unknown.get(name, {}) for name in METADATA_OBJECTS}
        return added | {name: each for name, each in self.unknown.items() if name not in known}
