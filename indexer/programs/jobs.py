"""The options of programs that run jobs, and of commands about jobs."""

from contextlib import AbstractContextManager, closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pydantic import Field, SecretStr

from indexer.programs.settings import data_directory
from indexer.system.options import Options, option

if TYPE_CHECKING:
    from indexer.database import Database


class JobsDatabaseOptions(Options):
    """The database of jobs."""

    data: Path = data_directory()
    jobs_database_url: SecretStr = option(
        SecretStr(""),
        "database of jobs, which survive the program: sqlite:///FILE or "
        "postgresql://USER:PASSWORD@HOST/NAME; by default jobs.sqlite3 in the data directory",
        "JOBS_DATABASE_URL",
    )

    @property
    def jobs_database(self) -> str:
        """The database's URL, with its credentials."""
        url = self.jobs_database_url.get_secret_value()
        return url or f"sqlite:///{self.data / 'jobs.sqlite3'}"

    def opened_jobs(self) -> "AbstractContextManager[Database]":
        """Open the database; it is closed at the end. Raises ConfigurationError, StorageError."""
        from indexer.jobs.store import open_jobs  # noqa: PLC0415 - not for all programs

        return closing(open_jobs(self.jobs_database))


class JobOptions(Options):
    """Options of the loop of every job worker, besides those of workers."""

    job_lease_seconds: Annotated[float | None, Field(gt=0)] = option(
        None,
        "seconds without a sign of life of a program, after which another one takes its jobs over; "
        "default: 120",
        "JOB_LEASE_SECONDS",
    )
    instance: str = option(
        "",
        "name of this instance, in its queue of control messages; default: the host's name",
        "INSTANCE",
    )
    job_retention_days: Annotated[float, Field(ge=0)] = option(
        30.0,
        "days for which ended jobs are kept; a second message for one of them starts no new job",
        "JOB_RETENTION_DAYS",
    )
