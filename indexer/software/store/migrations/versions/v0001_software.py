"""Creates the tables of software metadata (spec 8)."""

from collections.abc import Callable
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


def _list(name: str) -> "sa.Column[Any]":
    return sa.Column(name, OBJECT, nullable=False)


COLUMNS: dict[str, Callable[[], list["sa.Column[Any]"]]] = {
    "content_metadata": lambda: [sa.Column("translation", OBJECT)],
    "directory_intrinsic_metadata": lambda: [
        _list("mappings"),
        _list("manifests"),
        _list("conflicts"),
    ],
    "origin_intrinsic_metadata": lambda: [
        _list("mappings"),
        sa.Column("from_directory", sa.Text()),
        sa.Column("head", sa.Text()),
        sa.Column("head_branch", sa.Text()),
        sa.Column("head_reason", sa.Text()),
        sa.Column("tombstone", sa.DateTime()),
    ],
    "origin_extrinsic_metadata": lambda: [
        _list("mappings"),
        sa.Column("from_remd_id", sa.Text()),
        sa.Column("date", sa.Text()),
        sa.Column("translation", OBJECT),
        sa.Column("trusted", sa.Boolean(), nullable=False),
    ],
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
            *COLUMNS[table](),
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
