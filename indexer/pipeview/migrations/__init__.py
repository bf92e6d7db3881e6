"""How the tables of pipeview came to be: Alembic runs `env.py`, and the modules of `versions`."""
