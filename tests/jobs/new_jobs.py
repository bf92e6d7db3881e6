"""New databases with the tables of jobs."""

from indexer.database import Database, open_database
from indexer.jobs.store import open_jobs
from tests.database.empty import put_empty


def new_jobs(url: str) -> Database:
    """A new database, as made by `open_jobs`; the URL must be unused."""
    put_empty(url, open_jobs)
    return open_database(url, make=False)
