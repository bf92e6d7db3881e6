"""Migrations of the tables of jobs: Alembic runs `env.py` and the `versions`."""
