"""Migrations of pipeview's tables: Alembic runs `env.py` and the modules of `versions`."""
