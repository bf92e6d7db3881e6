"""How the tables of the feeds family came to be: Alembic runs `env.py` and the `versions`."""
