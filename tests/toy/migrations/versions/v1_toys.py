"""The first step."""

import sqlalchemy as sa
from alembic import op

revision = "1"
down_revision = None


def upgrade() -> None:
    """Make the first table."""
    op.create_table(
        "toys",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("name", sa.String()),
    )
