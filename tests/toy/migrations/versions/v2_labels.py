"""The second step."""

import sqlalchemy as sa
from alembic import op

revision = "2"
down_revision = "1"


def upgrade() -> None:
    """Make the second table."""
    op.create_table("labels", sa.Column("id", sa.Integer(), primary_key=True))
