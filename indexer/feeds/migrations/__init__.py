"""Migrations of the tables of the feeds family: Alembic runs `env.py` and the `versions`."""
