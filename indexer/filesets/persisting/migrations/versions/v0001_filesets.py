"""Creates the tables of filesets; those of the existing system are kept as they are."""

from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

BIG = sa.BigInteger()
OBJECT = sa.JSON().with_variant(JSONB(), "postgresql")

INDEXES = {
    "ingest_request_base_url_idx": ("ingest_request", ["base_url", "ingest_type"]),
    "ingest_file_result_terminal_url_idx": ("ingest_file_result", ["terminal_url"]),
    "ingest_file_result_terminal_sha1hex_idx": ("ingest_file_result", ["terminal_sha1hex"]),
    "ingest_fileset_platform_name_domain_id_idx": (
        "ingest_fileset_platform",
        ["platform_name", "platform_domain", "platform_id"],
    ),
    "cdx_sha1hex_idx": ("cdx", ["sha1hex"]),
}


def upgrade() -> None:
    """Create the tables and their indexes."""
    _create(
        "ingest_request",
        *_keys("link_source", "link_source_id", "ingest_type", "base_url"),
        _now("created"),
        *_texts("release_stage", "ingest_request_source"),
        [sa.Column("request", OBJECT)],
    )
    _create(
        "ingest_file_result",
        *_keys("ingest_type", "base_url"),
        _now("updated"),
        [sa.Column("hit", sa.Boolean(), nullable=False)],
        *_texts("status", "terminal_url", terminal_dt=14, terminal_sha1hex=40),
        [sa.Column("terminal_status_code", sa.Integer())],
    )
    _create(
        "ingest_fileset_platform",
        *_keys("ingest_type", "base_url"),
        _now("updated"),
        [sa.Column("hit", sa.Boolean(), nullable=False)],
        *_texts("status"),
        *(_text(name, nullable=False) for name in ("platform_name", "platform_domain")),
        _text("platform_id", nullable=False),
        *_texts("ingest_strategy", "archiveorg_item_name", "archiveorg_item_bundle_path"),
        *_texts("web_bundle_url", web_bundle_dt=14),
        [sa.Column("total_size", BIG), sa.Column("file_count", BIG)],
        [sa.Column("manifest", OBJECT)],
    )
    _create(
        "cdx",
        *_keys("url", datetime=14),
        _text("sha1hex", 40, nullable=False),
        *_texts("mimetype", "warc_path", cdx_sha1hex=40),
        [sa.Column("warc_csize", BIG), sa.Column("warc_offset", BIG)],
        _now("row_created"),
    )
    _create(
        "file_meta",
        *_keys(sha1hex=40),
        *_texts("mimetype", sha256hex=64, md5hex=32),
        [sa.Column("size_bytes", BIG)],
    )
    for name, (table, columns) in INDEXES.items():
        op.create_index(name, table, columns, if_not_exists=True)


def downgrade() -> None:
    """Drop the tables with all results."""
    for name in ("file_meta", "cdx", "ingest_fileset_platform", "ingest_file_result"):
        op.drop_table(name)
    op.drop_table("ingest_request")


def _create(table: str, *parts: list[Any]) -> None:
    op.create_table(table, *(each for part in parts for each in part), if_not_exists=True)


def _keys(*names: str, **lengths: int) -> Iterator[list[Any]]:
    for name in names:
        yield _text(name, primary_key=True)
    for name, length in lengths.items():
        yield _text(name, length, primary_key=True)


def _texts(*names: str, **lengths: int) -> Iterator[list[Any]]:
    for name in names:
        yield _text(name)
    for name, length in lengths.items():
        yield _text(name, length)


def _text(name: str, length: int | None = None, **column: Any) -> list[Any]:
    """A text that is not empty, or has so many bytes."""
    # SQLite has `octet_length` since version 3.43 only.
    is_postgresql = op.get_bind().dialect.name == "postgresql"
    size = f"octet_length({name})" if is_postgresql else f"length(CAST({name} AS BLOB))"
    rule = f"{size} = {length}" if length else f"{size} >= 1"
    return [sa.Column(name, sa.Text(), **column), sa.CheckConstraint(rule)]


def _now(name: str) -> list[Any]:
    return [
        sa.Column(name, sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now())
    ]
