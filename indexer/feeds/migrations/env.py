"""Run by Alembic, inside of `Database.migrate`."""

from indexer.database import run_migrations

run_migrations()
