"""Migrations of the tables of filesets: Alembic runs `env.py` and the `versions`."""
