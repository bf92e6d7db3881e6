"""The tables of pipeview (stories.md 9.4). What makes them is in `migrations`."""

from sqlalchemy import BigInteger, Column, Integer, MetaData, String, Table

metadata = MetaData()

KEYS = ("date", "feed_id", "source_id", "domain", "app", "status")
"""What a row of `crumb` is known by. `date` is YYYY-MM-DD, in UTC."""

NULLABLE = ("feed_id", "source_id", "domain")

crumb = Table(
    "crumb",
    metadata,
    # SQLite numbers rows by itself only if the type is spelt so.
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("date", String, nullable=False),
    Column("feed_id", BigInteger),
    Column("source_id", BigInteger),
    Column("domain", String),
    Column("app", String, nullable=False),
    Column("status", String, nullable=False),
    Column("count", BigInteger, nullable=False),
)

message = Table(
    "crumb_message",
    metadata,
    # Which messages are counted: one that is delivered again is not counted again.
    Column("id", String, primary_key=True),
    Column("date", String, nullable=False),
)
