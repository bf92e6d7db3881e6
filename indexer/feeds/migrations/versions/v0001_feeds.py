"""Creates the tables of feeds.md 2, with additional columns; takes an rss-fetcher's rows over."""

import sqlalchemy as sa
from alembic import context, op

from indexer.feeds.existing_tables import check_existing, set_aside
from indexer.feeds.migrations.taking_over import copy_existing

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

TABLES = (
    "paces",
    "properties",
    "fetch_events",
    "story_keys",
    "story_refs",
    "stories",
    "feeds",
)


def upgrade() -> None:
    """Create the tables and their indexes, with the rows of an rss-fetcher if there are any."""
    connection = op.get_bind()
    # Alembic has made the table of versions already, so these can only be an rss-fetcher's.
    if not sa.inspect(connection).has_table("feeds"):
        _tables()
    else:
        check_existing(connection)
        aside = set_aside(connection)
        _tables()
        copy_existing(connection, aside, context.config.attributes["progress"])
    _indexes()


def downgrade() -> None:
    """Drop the tables with all feeds and stories."""
    for table in TABLES:
        op.drop_table(table)


def _ready_at() -> str:
    """The time from which a feed may be claimed, in SQL."""
    if op.get_bind().dialect.name == "postgresql":
        return (
            "coalesce(greatest(next_fetch_attempt, lease_expires, deferred_until), "
            "timestamp '1970-01-01')"
        )
    # SQLite stores times as texts; its max() of several values is null if one of them is null.
    epoch = "'1970-01-01 00:00:00.000000'"
    names = ("next_fetch_attempt", "lease_expires", "deferred_until")
    return f"max({', '.join(f'coalesce({name}, {epoch})' for name in names)})"


def _tables() -> None:
    op.create_table(
        "feeds",
        sa.Column("id", BIG, primary_key=True),
        sa.Column("sources_id", sa.BigInteger()),
        sa.Column("name", sa.String()),
        sa.Column("url", sa.String()),
        sa.Column("active", sa.Boolean(), nullable=False, server_default=sa.true()),
        sa.Column("created_at", sa.DateTime()),
        sa.Column("last_fetch_attempt", sa.DateTime()),
        sa.Column("last_fetch_success", sa.DateTime()),
        sa.Column("last_fetch_hash", sa.String()),
        sa.Column("last_fetch_failures", sa.Float(), nullable=False, server_default="0"),
        sa.Column("http_etag", sa.String()),
        sa.Column("http_last_modified", sa.String()),
        sa.Column("next_fetch_attempt", sa.DateTime()),
        sa.Column("queued", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("system_enabled", sa.Boolean(), nullable=False, server_default=sa.true()),
        sa.Column("update_minutes", sa.Integer()),
        sa.Column("http_304", sa.Boolean()),
        sa.Column("system_status", sa.String()),
        sa.Column("last_new_stories", sa.DateTime()),
        sa.Column("rss_title", sa.String()),
        sa.Column("poll_minutes", sa.Integer()),
        sa.Column("lease_owner", sa.String()),
        sa.Column("lease_expires", sa.DateTime()),
        sa.Column("deferred_until", sa.DateTime()),
        sa.Column("ready_at", sa.DateTime(), sa.Computed(_ready_at(), persisted=True)),
        sa.Column("last_parse_success", sa.DateTime()),
        sa.Column("poll_minutes_override", sa.Integer()),
        sa.Column("host", sa.String()),
        sa.Column("domain", sa.String()),
        sa.Column("final_url", sa.String()),
        sa.Column("final_host", sa.String()),
        sa.Column("validators_url", sa.String()),
        sa.Column("validators_trusted", sa.Boolean(), nullable=False, server_default=sa.true()),
        sa.Column("validators_doubts", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("not_modified_count", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("full_fetch_at", sa.DateTime()),
        sa.Column("redirect_url", sa.String()),
        sa.Column("redirect_count", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("redirect_since", sa.DateTime()),
        sa.Column("adopted_url", sa.String()),
        sa.Column("gone_at", sa.DateTime()),
        sa.Column("removed_at", sa.DateTime()),
        sa.Column("rate", sa.String()),
        sa.Column("missed_alarms", sa.Integer(), nullable=False, server_default="0"),
    )
    op.create_table(
        "stories",
        sa.Column("id", BIG, primary_key=True),
        sa.Column("feed_id", sa.BigInteger()),
        sa.Column("sources_id", sa.BigInteger()),
        sa.Column("url", sa.String()),
        sa.Column("normalized_url", sa.String()),
        sa.Column("guid", sa.String()),
        sa.Column("published_at", sa.DateTime()),
        sa.Column("fetched_at", sa.DateTime()),
        sa.Column("domain", sa.String()),
        sa.Column("title", sa.String()),
        sa.Column("normalized_title", sa.String()),
        sa.Column("normalized_title_hash", sa.String()),
        sa.Column("identity", sa.String(), unique=True),
        sa.Column("published", sa.String()),
        sa.Column("date_source", sa.String()),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "story_refs",
        sa.Column("story_id", sa.BigInteger(), primary_key=True),
        sa.Column("feed_id", sa.BigInteger(), primary_key=True),
        sa.Column("seen_at", sa.DateTime()),
    )
    op.create_table(
        "story_keys",
        sa.Column("key", sa.LargeBinary(), primary_key=True),
        sa.Column("story_id", sa.BigInteger(), nullable=False),
        sa.Column("seen_on", sa.Date(), nullable=False),
    )
    op.create_table(
        "fetch_events",
        sa.Column("id", BIG, primary_key=True),
        sa.Column("feed_id", sa.BigInteger(), nullable=False),
        sa.Column("event", sa.String(), nullable=False),
        sa.Column("note", sa.String()),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("details", sa.String()),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "properties",
        sa.Column("section", sa.String(), primary_key=True),
        sa.Column("key", sa.String(), primary_key=True),
        sa.Column("value", sa.String()),
    )
    op.create_table(
        "paces",
        sa.Column("key", sa.String(), primary_key=True),
        sa.Column("next_start", sa.DateTime()),
        sa.Column("blocked_until", sa.DateTime()),
    )


def _indexes() -> None:
    for name, table, columns in (
        ("feeds_sources_id", "feeds", ["sources_id"]),
        ("feeds_next_fetch_attempt", "feeds", ["next_fetch_attempt"]),
        ("stories_normalized_title_hash", "stories", ["normalized_title_hash", "sources_id"]),
        ("stories_sources_id", "stories", ["sources_id"]),
        ("stories_published_at", "stories", ["published_at"]),
        ("stories_fetched_at", "stories", ["fetched_at"]),
        ("stories_feed_id", "stories", ["feed_id"]),
        ("stories_domain", "stories", ["domain"]),
        ("story_refs_seen_at", "story_refs", ["seen_at"]),
        ("story_refs_feed_id", "story_refs", ["feed_id"]),
        ("story_keys_seen_on", "story_keys", ["seen_on"]),
        ("fetch_events_feed_id", "fetch_events", ["feed_id", "id"]),
        ("fetch_events_created_at", "fetch_events", ["created_at"]),
    ):
        op.create_index(name, table, columns)
    # Partial: with an index of all feeds, planners would not use `feeds_ready`.
    _partial_index("feeds_active", "active", _is("NOT active", "active = 0"))
    _partial_index(
        "feeds_system_enabled", "system_enabled", _is("NOT system_enabled", "system_enabled = 0")
    )
    # Written as in SQLAlchemy's queries: SQLite uses a partial index only for the same condition.
    polled = _is("active AND system_enabled", "active = 1 AND system_enabled = 1")
    _partial_index("feeds_ready", "ready_at", f"{polled} AND removed_at IS NULL")
    _partial_index("feeds_leased", "lease_expires", "lease_expires IS NOT NULL")


def _partial_index(name: str, column: str, where: str) -> None:
    condition = sa.text(where)
    op.create_index(name, "feeds", [column], postgresql_where=condition, sqlite_where=condition)


def _is(postgresql: str, sqlite: str) -> str:
    return postgresql if op.get_bind().dialect.name == "postgresql" else sqlite
