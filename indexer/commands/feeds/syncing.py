"""`story-indexer feeds sync`: the feeds as a directory has them."""

import sys
from dataclasses import asdict
from typing import Annotated, Any

import typer

from indexer.commands.console.terminal import AsJson, cell, line_of_json
from indexer.commands.console.working import Working
from indexer.commands.feeds.database import Data, DatabaseURL, OpenedFeeds, counted
from indexer.feeds.clock import utc_now
from indexer.feeds.registry.directory import DirectoryOptions, FeedDirectory, SyncError
from indexer.feeds.registry.directory_changes import FeedChange, Synced
from indexer.feeds.registry.syncing import MAX_SHRINKAGE, SyncPlan, sync
from indexer.files.locks import try_lock
from indexer.programs.settings import ProgramOptions
from indexer.programs.telemetry import telemetry
from indexer.system.options import environment

PROGRAM = "feeds-sync"
HELD = 255
"""The exit status when another sync is running (feeds.md 11)."""

SHOWN = 20


def sync_feeds(  # noqa: PLR0913, PLR0917 - the options of a command
    full: Annotated[
        bool,
        typer.Option("--full-sync", help="Ask for all feeds, and remove those that are not there."),
    ] = False,
    reset: Annotated[
        bool,
        typer.Option("--reset-last-modified", help="Ask for all feeds, and remove none."),
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", "-n", help="Only say what would be changed.")
    ] = False,
    max_shrinkage: Annotated[
        float,
        typer.Option(
            metavar="PERCENT",
            min=0,
            max=100,
            help="One that would remove more is given up.",
        ),
    ] = MAX_SHRINKAGE,
    delete_after: Annotated[
        int | None,
        typer.Option(
            metavar="DAYS",
            min=0,
            help="Delete the feeds that were removed so long ago, and their events.",
            show_default="none",
        ),
    ] = None,
    url: Annotated[
        str, typer.Option("--mcweb-url", metavar="URL", help="The directory [env MCWEB_URL]")
    ] = "",
    timeout: Annotated[
        float | None,
        typer.Option(
            "--mcweb-timeout",
            metavar="SECONDS",
            help="For an answer of it [env MCWEB_TIMEOUT]",
            show_default="60",
        ),
    ] = None,
    pause: Annotated[
        float, typer.Option(metavar="SECONDS", min=0, help="Between two pages.")
    ] = 0.5,
    page_size: Annotated[
        int, typer.Option(metavar="N", min=1, max=100_000, help="Feeds in a page.")
    ] = 1000,
    data: Data = "",
    database_url: DatabaseURL = "",
    as_json: AsJson = False,
) -> None:
    """Bring the feeds up to date with a directory: what has changed there since the last time.

    MCWEB_TOKEN, or MCWEB_TOKEN_FILE, has our token there. All is changed, or nothing. Feeds that
    the directory does not have are removed by a full sync only, and only if they are not too many;
    they are kept until --delete-after. A feed whose URL is another one starts anew.

    Exit status: 0, 255 if another sync is running; 1 if the directory does not say its version, 2
    if feeds can't be fetched, or options can't work, 3 if too many would be removed, 4 for answers
    that can't be read. Then nothing was changed.

    Examples:

        story-indexer feeds sync

        story-indexer feeds sync --full-sync --delete-after 30

        story-indexer feeds sync --full-sync --dry-run --json
    """
    given = {"MCWEB_URL": url, "MCWEB_TIMEOUT": "" if timeout is None else str(timeout)}
    asked = {name: value for name, value in given.items() if value}
    options = DirectoryOptions.of({**environment(), **asked})
    directory = FeedDirectory(options, pause=pause, page_size=page_size)
    opened = OpenedFeeds(database_url, data, make=not dry_run)
    program = ProgramOptions.of({**environment(), "DATAROOT": str(opened.options.data)})
    lock = try_lock(program.directory("lock") / PROGRAM)
    if lock is None:
        print(f"{PROGRAM}: another one is running", file=sys.stderr)
        raise typer.Exit(HELD)
    plan = SyncPlan(full, reset, dry_run, max_shrinkage, delete_after)
    try:
        with telemetry(_quiet(program), PROGRAM), opened as database, Working() as working:
            working.at(f"asking {directory.server}")
            synced = sync(database, directory, plan, utc_now())
    except SyncError as error:
        print(f"{PROGRAM}: {cell(str(error), 1000)}", file=sys.stderr)
        raise typer.Exit(error.status) from error
    finally:
        lock.remove()
    if as_json:
        print(line_of_json(_json(synced)))
    else:
        _print(synced)


def _quiet(options: ProgramOptions) -> ProgramOptions:
    """It ends too soon to be asked by Prometheus, and the address may be another program's."""
    return options.model_copy(update={"metrics": ""})


def _json(synced: Synced) -> dict[str, Any]:
    values = asdict(synced)
    values["problems"] = [str(problem) for problem in synced.problems]
    values["adopted"] = [adopted._asdict() for adopted in synced.adopted]
    return values


def _print(synced: Synced) -> None:
    order = [change for change in FeedChange if synced.changes.get(change)]
    parts = [f"{synced.changes[change]:,} {change}" for change in order]
    if synced.deleted:
        parts.append(f"{synced.deleted:,} deleted that were removed before")
    verb = "would be: " if synced.dry_run else ""
    print(f"{counted(synced.listed)} listed; {verb}{', '.join(parts) or 'nothing to do'}")
    for problem in synced.problems[:SHOWN]:
        print(cell(f"left as it was: {problem}", 1000), file=sys.stderr)
    if synced.adopted:
        print(f"moved for good, as the directory should know: {counted(synced.adopted_count)}")
        for adopted in synced.adopted[:SHOWN]:
            urls = f"{adopted.url} is now {adopted.adopted_url}"
            print(f"  feed {adopted.id}: {cell(urls, 5000)}")
        if synced.adopted_count > SHOWN:
            print("  …; --json has more of them")
