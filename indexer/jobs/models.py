"""The tables of jobs; `migrations` creates them. All times are UTC, without a zone."""

from sqlalchemy import (
    Boolean,
    Column,
    DateTime,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
)

from indexer.database.leases import lease_columns

metadata = MetaData()

jobs = Table(
    "jobs",
    metadata,
    Column("step", String, primary_key=True),  # the process name of the program that runs it
    Column("id", String, primary_key=True),
    # The message that asked for the job.
    Column("key", String, nullable=False),
    Column("headers", String, nullable=False),  # JSON
    Column("body", LargeBinary, nullable=False),
    Column("label", String, nullable=False),
    Column("created_at", DateTime, nullable=False),
    Column("next_at", DateTime, nullable=False),  # not to be run before
    Column("wanted", String),  # stop or cancel, asked for by a person or a message
    Column("progress", LargeBinary),  # JSON of the family, written by the last checkpoint
    Column("checkpoint_at", DateTime),
    Column("outputs", Integer, nullable=False, server_default="0"),  # how many there are so far
    Column("retries", Integer, nullable=False, server_default="0"),
    Column("deaths", Integer, nullable=False, server_default="0"),  # of processes that ran it
    *lease_columns(),
    # The last run.
    Column("claimed_at", DateTime),
    Column("host", String),
    Column("pid", Integer),
    # The ending; before it, the status of the last try that failed.
    Column("kind", String),  # done, discard, quarantine or cancelled
    Column("status", String, nullable=False, server_default=""),
    Column("why", String, nullable=False, server_default=""),
    Column("ended_at", DateTime),
    Column("closed_at", DateTime),  # it has ended, and the broker has all its outputs
)

outputs = Table(
    "job_outputs",
    metadata,
    Column("step", String, primary_key=True),
    Column("job_id", String, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("exchange", String, nullable=False),
    Column("key", String, nullable=False),
    Column("headers", String, nullable=False),  # JSON
    Column("body", LargeBinary, nullable=False),
    Column("unheard", String, nullable=False),  # what it means that no queue takes it
    Column("sent_at", DateTime),  # the broker has confirmed it
    Column("unserved", Boolean, nullable=False, server_default="0"),  # no queue took it
)
