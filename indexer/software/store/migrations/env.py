"""The script that Alembic runs, within `Database.migrate`."""

from indexer.database import run_migrations

run_migrations()
