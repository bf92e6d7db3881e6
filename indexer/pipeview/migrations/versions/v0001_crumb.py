"""Creates the tables of crumbs and of counted messages.

An existing table `crumb` of the preceding system is kept: it has the same columns and an index of
the same name.
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

BIG = sa.BigInteger()
INDEX = "ix_crumb_unique"


def upgrade() -> None:
    """Create both tables."""
    op.create_table(
        "crumb",
        sa.Column("id", BIG.with_variant(sa.Integer(), "sqlite"), primary_key=True),
        sa.Column("date", sa.String(), nullable=False),
        sa.Column("feed_id", BIG),
        sa.Column("source_id", BIG),
        sa.Column("domain", sa.String()),
        sa.Column("app", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("count", BIG, nullable=False),
        if_not_exists=True,
    )
    op.create_table(
        "crumb_message",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("date", sa.String(), nullable=False),
        if_not_exists=True,
    )
    if op.get_bind().dialect.name == "postgresql":
        columns = ["date", "feed_id", "source_id", "domain", "app", "status"]
        op.create_index(
            INDEX,
            "crumb",
            columns,
            unique=True,
            if_not_exists=True,
            postgresql_nulls_not_distinct=True,
        )
    else:
        # SQLite treats nulls as different, so an empty text stands for null: it is never a value.
        nullable = [sa.text(f"ifnull({name}, '')") for name in ("feed_id", "source_id", "domain")]
        keys = [sa.text("date"), *nullable, sa.text("app"), sa.text("status")]
        op.create_index(INDEX, "crumb", keys, unique=True, if_not_exists=True)


def downgrade() -> None:
    """Drop both tables with all counts."""
    op.drop_table("crumb_message")
    op.drop_table("crumb")
