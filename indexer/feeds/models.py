"""The tables of the feeds family (feeds.md 2, seed 003); `migrations` creates them.

`feeds`, `stories`, `story_refs`, `fetch_events` and `properties` have the names, types and
meanings that clients and operators know; columns after "Our own" are additions. All times are
UTC, without a zone.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Date,
    DateTime,
    FetchedValue,
    Float,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    and_,
)

from indexer.database.leases import RELEASED, lease_columns

metadata = MetaData()

# SQLite assigns ids only to columns of the type INTEGER.
BIG = BigInteger().with_variant(Integer, "sqlite")

feeds = Table(
    "feeds",
    metadata,
    Column("id", BIG, primary_key=True),
    Column("sources_id", BigInteger),
    Column("name", String),
    Column("url", String),
    Column("active", Boolean, nullable=False, server_default="1"),
    Column("created_at", DateTime),
    Column("last_fetch_attempt", DateTime),
    Column("last_fetch_success", DateTime),
    Column("last_fetch_hash", String),
    Column("last_fetch_failures", Float, nullable=False, server_default="0"),
    Column("http_etag", String),
    Column("http_last_modified", String),
    Column("next_fetch_attempt", DateTime),
    Column("queued", Boolean, nullable=False, server_default="0"),
    Column("system_enabled", Boolean, nullable=False, server_default="1"),
    Column("update_minutes", Integer),
    Column("http_304", Boolean),
    Column("system_status", String),
    Column("last_new_stories", DateTime),
    Column("rss_title", String),
    Column("poll_minutes", Integer),
    # Our own.
    *lease_columns(),
    Column("deferred_until", DateTime),  # its source, host or domain is at its limit until then
    # The greatest of `next_fetch_attempt`, `lease_expires` and `deferred_until`: generated.
    Column("ready_at", DateTime, FetchedValue()),
    Column("last_parse_success", DateTime),  # 200 and parsed, same hash, or 304
    Column("poll_minutes_override", Integer),  # set by an operator: replaces all other intervals
    Column("host", String),  # of the URL to fetch; lower case, without port
    Column("domain", String),  # the registered domain of the host
    Column("final_url", String),  # the URL of the last response, after redirects
    Column("final_host", String),
    Column("validators_url", String),  # the final URL that sent etag and last-modified
    Column("validators_trusted", Boolean, nullable=False, server_default="1"),
    Column("validators_doubts", Integer, nullable=False, server_default="0"),
    Column("not_modified_count", Integer, nullable=False, server_default="0"),  # 304s in a row
    Column("full_fetch_at", DateTime),  # time of the last whole document
    Column("redirect_url", String),  # the last target of permanent redirects
    Column("redirect_count", Integer, nullable=False, server_default="0"),
    Column("redirect_since", DateTime),
    Column("adopted_url", String),  # fetched instead of `url`, after enough redirects
    Column("gone_at", DateTime),  # time of the first HTTP 410
    Column("removed_at", DateTime),  # time at which the directory dropped it
    Column("rate", String),  # JSON: the rate of new stories (polling.rate)
    Column("missed_alarms", Integer, nullable=False, server_default="0"),  # polls without overlap
)

stories = Table(
    "stories",
    metadata,
    Column("id", BIG, primary_key=True),
    Column("feed_id", BigInteger),
    Column("sources_id", BigInteger),
    Column("url", String),
    Column("normalized_url", String),
    Column("guid", String),
    Column("published_at", DateTime),
    Column("fetched_at", DateTime),
    Column("domain", String),
    Column("title", String),
    Column("normalized_title", String),
    Column("normalized_title_hash", String),
    # Our own.
    Column("identity", String, unique=True),  # equal for all URLs of a story: identity.py
    Column("published", String),  # the text of a date that was not parsed, or only its day
    Column("date_source", String),  # the element with the date, and a note: zone-unknown
    sqlite_autoincrement=True,  # ids are cursors of the API: none is used twice
)

story_refs = Table(
    "story_refs",
    metadata,
    Column("story_id", BigInteger, primary_key=True),
    Column("feed_id", BigInteger, primary_key=True),
    Column("seen_at", DateTime),
)

story_keys = Table(
    "story_keys",
    metadata,
    # A hash of 16 bytes: of a URL's identity, or of a guid and its feed. Keys outlive their
    # stories, so that no item is announced again.
    Column("key", LargeBinary, primary_key=True),
    Column("story_id", BigInteger, nullable=False),
    Column("seen_on", Date, nullable=False),
)

fetch_events = Table(
    "fetch_events",
    metadata,
    Column("id", BIG, primary_key=True),
    Column("feed_id", BigInteger, nullable=False),
    Column("event", String, nullable=False),
    Column("note", String),
    Column("created_at", DateTime, nullable=False),
    # Our own.
    Column("details", String),  # JSON: HTTP status, bytes, milliseconds, final URL, counts
    sqlite_autoincrement=True,
)

properties = Table(
    "properties",
    metadata,
    Column("section", String, primary_key=True),
    Column("key", String, primary_key=True),
    Column("value", String),
)

paces = Table(
    "paces",
    metadata,
    # One row for each source, host or registered domain visited lately: `source:7`,
    # `host:news.example.com`, `domain:example.com`.
    Column("key", String, primary_key=True),
    Column("next_start", DateTime),
    Column("blocked_until", DateTime),  # Retry-After
)

IS_POLLED = and_(feeds.c.active, feeds.c.system_enabled, feeds.c.removed_at.is_(None))
"""The condition that a feed is polled at all."""

NOT_LEASED = {"queued": False, **RELEASED}
"""Columns of a feed that no attempt has claimed."""

UNREAD = {
    "last_fetch_hash": None,
    "http_etag": None,
    "http_last_modified": None,
    "validators_url": None,
    "not_modified_count": 0,
    "full_fetch_at": None,
}
"""Columns of a feed whose next document is read, whatever the last one was."""

NO_SIGHTINGS = {"redirect_url": None, "redirect_count": 0, "redirect_since": None}
"""Columns of a feed without permanent redirects."""
