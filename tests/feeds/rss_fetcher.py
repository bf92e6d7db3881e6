"""Databases of an existing rss-fetcher: the tables of feeds.md 2, written by hand."""

from typing import Any

import sqlalchemy
from sqlalchemy import create_engine, text

TABLES = """
CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY);
INSERT INTO alembic_version VALUES ('c3bc27a7a09b');
CREATE TABLE feeds (
    id BIGSERIAL PRIMARY KEY, sources_id BIGINT, name TEXT, url TEXT,
    active BOOLEAN DEFAULT TRUE, created_at TIMESTAMP, last_fetch_attempt TIMESTAMP,
    last_fetch_success TIMESTAMP, last_fetch_hash TEXT, last_fetch_failures FLOAT DEFAULT 0,
    http_etag TEXT, http_last_modified TEXT, next_fetch_attempt TIMESTAMP,
    queued BOOLEAN DEFAULT FALSE, system_enabled BOOLEAN DEFAULT TRUE, update_minutes INTEGER,
    http_304 BOOLEAN, system_status TEXT, last_new_stories TIMESTAMP, rss_title TEXT,
    poll_minutes INTEGER
);
CREATE INDEX feeds_active ON feeds (active);
CREATE INDEX feeds_system_enabled ON feeds (system_enabled);
CREATE INDEX feeds_sources_id ON feeds (sources_id);
CREATE INDEX feeds_next_fetch_attempt ON feeds (last_fetch_attempt);
CREATE TABLE stories (
    id BIGSERIAL PRIMARY KEY, feed_id BIGINT, sources_id BIGINT, url TEXT,
    normalized_url TEXT UNIQUE, guid TEXT, published_at TIMESTAMP, fetched_at TIMESTAMP,
    domain TEXT, title TEXT, normalized_title TEXT, normalized_title_hash TEXT
);
CREATE INDEX stories_normalized_title_hash ON stories (normalized_title_hash, sources_id);
CREATE INDEX stories_sources_id ON stories (sources_id);
CREATE INDEX stories_published_at ON stories (published_at);
CREATE INDEX stories_fetched_at ON stories (fetched_at);
CREATE INDEX stories_feed_id ON stories (feed_id);
CREATE INDEX stories_domain ON stories (domain);
CREATE TABLE story_refs (
    story_id BIGINT, feed_id BIGINT, seen_at TIMESTAMP, PRIMARY KEY (story_id, feed_id)
);
CREATE INDEX story_refs_seen_at ON story_refs (seen_at);
CREATE INDEX story_refs_feed_id ON story_refs (feed_id);
CREATE TABLE fetch_events (
    id BIGSERIAL PRIMARY KEY, feed_id BIGINT, event TEXT, note TEXT, created_at TIMESTAMP
);
CREATE INDEX fetch_events_feed_id ON fetch_events (feed_id);
CREATE INDEX fetch_events_created_at ON fetch_events (created_at);
CREATE TABLE properties (section TEXT, key TEXT, value TEXT, PRIMARY KEY (section, key))
"""


def run(url: str, *statements: str, **values: Any) -> list[Any]:
    """Execute statements as another program does; the rows of the last one."""
    engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    rows: list[Any] = []
    with engine.begin() as connection:
        for statement in statements:
            result = connection.execute(text(statement), values)
            rows = list(result.mappings()) if result.returns_rows else []
    engine.dispose()
    return rows


def make_rss_fetcher(url: str) -> None:
    """Make the tables; in SQLite as a program makes them that copies a dump."""
    tables = TABLES
    if url.startswith("sqlite"):
        tables = tables.replace("BIGSERIAL PRIMARY KEY", "INTEGER PRIMARY KEY AUTOINCREMENT")
    run(url, *tables.split(";"))


def put_rows(url: str, table: str, *rows: dict[str, Any]) -> None:
    """Insert rows, each with the columns that it has."""
    engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    with engine.begin() as connection:
        for row in rows:
            columns: list[sqlalchemy.ColumnClause[Any]] = [sqlalchemy.column(name) for name in row]
            connection.execute(sqlalchemy.table(table, *columns).insert(), row)
    engine.dispose()
