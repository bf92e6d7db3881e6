"""Alembic's environment; `Database.migrate` runs it."""

from indexer.database import run_migrations

run_migrations()
