"""Creates the tables of jobs and of their outputs."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables and their indexes."""
    op.create_table(
        "jobs",
        sa.Column("step", sa.String(), primary_key=True),
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("headers", sa.String(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.Column("label", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("next_at", sa.DateTime(), nullable=False),
        sa.Column("wanted", sa.String()),
        sa.Column("progress", sa.LargeBinary()),
        sa.Column("checkpoint_at", sa.DateTime()),
        sa.Column("outputs", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("retries", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("deaths", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("lease_owner", sa.String()),
        sa.Column("lease_expires", sa.DateTime()),
        sa.Column("claimed_at", sa.DateTime()),
        sa.Column("host", sa.String()),
        sa.Column("pid", sa.Integer()),
        sa.Column("kind", sa.String()),
        sa.Column("status", sa.String(), nullable=False, server_default=""),
        sa.Column("why", sa.String(), nullable=False, server_default=""),
        sa.Column("ended_at", sa.DateTime()),
        sa.Column("closed_at", sa.DateTime()),
    )
    op.create_table(
        "job_outputs",
        sa.Column("step", sa.String(), primary_key=True),
        sa.Column("job_id", sa.String(), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("exchange", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("headers", sa.String(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.Column("unheard", sa.String(), nullable=False),
        sa.Column("sent_at", sa.DateTime()),
        sa.Column("unserved", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
    # The programs ask for open jobs twice a second: closed ones, the most, are in no such index.
    is_open = sa.text("closed_at IS NULL")
    op.create_index(
        "jobs_open",
        "jobs",
        ["step", "next_at"],
        postgresql_where=is_open,
        sqlite_where=is_open,
    )
    op.create_index("jobs_closed_at", "jobs", ["closed_at"])
    op.create_index("job_outputs_sent_at", "job_outputs", ["sent_at"])


def downgrade() -> None:
    """Drop both tables with all jobs."""
    op.drop_table("job_outputs")
    op.drop_table("jobs")
