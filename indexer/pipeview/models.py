"""The tables of pipeview (stories.md 9.4). `migrations` creates them."""

from sqlalchemy import BigInteger, Column, Integer, MetaData, String, Table

metadata = MetaData()

KEYS = ("date", "feed_id", "source_id", "domain", "app", "status")
"""The columns that identify a row of `crumb`. `date` is YYYY-MM-DD, in UTC."""

NULLABLE = ("feed_id", "source_id", "domain")

crumb = Table(
    "crumb",
    metadata,
    # SQLite generates ids only for a column whose type is exactly INTEGER.
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
    # The messages that are counted already: brokers deliver at least once.
    Column("id", String, primary_key=True),
    Column("date", String, nullable=False),
)
