"""Creates the tables of software metadata (spec 8)."""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

OBJECT = sa.JSON().with_variant(JSONB(), "postgresql")

RECORDS = "indexer_configuration"
KEYS = {
    "content_metadata": ["id"],
    "directory_intrinsic_metadata": ["id"],
    "origin_intrinsic_metadata": ["id"],
    "origin_extrinsic_metadata": ["id", "authority", "format"],
}
COLUMNS: dict[str, list[tuple[str, Any]]] = {
    "origin_intrinsic_metadata": [
        ("from_directory", sa.Text()),
        ("head", sa.Text()),
        ("head_reason", sa.Text()),
        ("tombstone", sa.DateTime()),
    ],
    "origin_extrinsic_metadata": [("from_remd_id", sa.Text())],
}


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        RECORDS,
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("tool_name", sa.Text(), nullable=False),
        sa.Column("tool_version", sa.Text(), nullable=False),
        sa.Column("tool_configuration", OBJECT, nullable=False),
        sa.UniqueConstraint("tool_name", "tool_version", "tool_configuration"),
    )
    for table, keys in KEYS.items():
        op.create_table(
            table,
            *(sa.Column(name, sa.Text(), primary_key=True) for name in keys),
            sa.Column(
                "indexer_configuration_id",
                sa.Integer(),
                sa.ForeignKey(f"{RECORDS}.id"),
                primary_key=True,
                autoincrement=False,
            ),
            sa.Column("metadata", OBJECT),
            *_mappings(table),
            *(sa.Column(name, kind) for name, kind in COLUMNS.get(table, ())),
            *_trusted(table),
        )
    if op.get_bind().dialect.name == "postgresql":
        op.create_index(
            "origin_intrinsic_metadata_mappings_idx",
            "origin_intrinsic_metadata",
            ["mappings"],
            postgresql_using="gin",
        )


def downgrade() -> None:
    """Drop the tables with all metadata."""
    for table in (*KEYS, RECORDS):
        op.drop_table(table)


def _mappings(table: str) -> list[Any]:
    return [] if table == "content_metadata" else [sa.Column("mappings", OBJECT, nullable=False)]


def _trusted(table: str) -> list[Any]:
    is_extrinsic = table == "origin_extrinsic_metadata"
    return [sa.Column("trusted", sa.Boolean(), nullable=False)] if is_extrinsic else []
