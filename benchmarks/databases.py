"""Temporary databases for measurements."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit


@contextmanager
def new_database(server: str, directory: Path) -> Iterator[str]:
    """The URL of an empty database on a PostgreSQL server, or of SQLite if `server` is blank."""
    if not server:
        yield f"sqlite:///{directory / 'feeds.sqlite3'}"
        return
    import psycopg  # noqa: PLC0415 - only where it is used

    name = f"bench-{uuid.uuid4().hex[:12]}"
    url = server.replace("postgresql+psycopg://", "postgresql://")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
        try:
            yield urlsplit(url)._replace(path=f"/{name}").geturl()
        finally:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
