"""`story-indexer jobs`: list durable jobs, stop and cancel them, run them again."""

from typing import Annotated

import typer
from pydantic import Field

from indexer.commands.console.groups import new_app
from indexer.commands.console.parameters import JSONOptions, with_options
from indexer.jobs.job_state import JobState
from indexer.messages.job_worker import Want
from indexer.programs.jobs import JobsDatabaseOptions
from indexer.system.options import option

JobId = Annotated[str, typer.Argument(metavar="ID", help="The id of a job.")]
JobIds = Annotated[list[str], typer.Argument(metavar="ID", help="The ids of jobs.")]


class JobsCommandOptions(JobsDatabaseOptions, JSONOptions):
    """Options of most commands about jobs."""

    step: str = option("", "Only jobs of this step: several steps may have jobs of one id.")


class JobListOptions(JobsDatabaseOptions, JSONOptions):
    """Options of `list`."""

    step: str = option("", "Only jobs of this step.")
    state: list[JobState] = option([], "Only jobs in this state. Repeatable.")
    limit: Annotated[int | None, Field(ge=0)] = option(
        None, "The most jobs to list; 0: all. Default: 100, or all with --json."
    )


class JobRetryOptions(JobsDatabaseOptions, JSONOptions):
    """Options of `retry`."""

    step: str = option("", "Only jobs of this step: several steps may have jobs of one id.")
    afresh: bool = option(False, "Start from the beginning: the progress is forgotten.")


app = new_app(
    """List durable jobs, work of hours that survives its programs; stop them, run them again.

    A job is a row of a database. Programs on any machine run it; commands only leave a note.

    Examples:

        story-indexer jobs list --state running

        story-indexer jobs show 5a3f

        story-indexer jobs cancel 5a3f
    """
)


@app.command("list")
@with_options
def list_jobs(options: JobListOptions) -> None:
    """List jobs, the newest first.

    A job is waiting, running, stopping or cancelling; it ends as done, discard or quarantine.
    `tries` are failed tries, and deaths of processes.

    Examples:

        story-indexer jobs list --state waiting --state running

        story-indexer jobs list --step harvester --json | jq -r .id
    """
    from indexer.commands.jobs import job_records  # noqa: PLC0415 - not for the help

    usual = 0 if options.json_ else 100
    limit = (usual if options.limit is None else options.limit) or None
    with job_records.opened(options.jobs_database, as_json=options.json_) as jobs:
        jobs.print_all(options.step, options.state, limit)


@app.command()
@with_options
def show(id: JobId, options: JobsCommandOptions) -> None:
    """Show a job: where it stands, its progress, why it failed.

    Examples:

        story-indexer jobs show 5a3f

        story-indexer jobs show 5a3f --json | jq .progress
    """
    from indexer.commands.jobs import job_records  # noqa: PLC0415 - not for the help

    with job_records.opened(options.jobs_database, as_json=options.json_) as jobs:
        jobs.show(id, options.step)


@app.command()
@with_options
def stop(ids: JobIds, options: JobsCommandOptions) -> None:
    """Have jobs end at their next checkpoint, in their own way, with what they have so far.

    A program notices within a second; a job that waits is run, to end. An id that is unknown, or
    of a job that has ended, is no error.

    Examples:

        story-indexer jobs stop 5a3f
    """
    from indexer.commands.jobs import job_records  # noqa: PLC0415 - not for the help

    with job_records.opened(options.jobs_database, as_json=options.json_) as jobs:
        jobs.want(Want.STOP, ids, options.step)


@app.command()
@with_options
def cancel(ids: JobIds, options: JobsCommandOptions) -> None:
    """Have jobs given up: they end with the status `cancelled`, also those that wait.

    A program notices within a second. `jobs retry` brings a cancelled job back.

    Examples:

        story-indexer jobs cancel 5a3f 77b0
    """
    from indexer.commands.jobs import job_records  # noqa: PLC0415 - not for the help

    with job_records.opened(options.jobs_database, as_json=options.json_) as jobs:
        jobs.want(Want.CANCEL, ids, options.step)


@app.command()
@with_options
def retry(ids: JobIds, options: JobRetryOptions) -> None:
    """Have jobs run again at once, from their last checkpoint: ended ones, and ones that wait.

    A job that is running, or still has outputs to send, is left alone.

    Examples:

        story-indexer jobs retry 5a3f

        story-indexer jobs retry 5a3f --afresh
    """

    from indexer.commands.jobs import job_records  # noqa: PLC0415 - not for the help

    with job_records.opened(options.jobs_database, as_json=options.json_) as jobs:
        jobs.retry(ids, options.step, afresh=options.afresh)
