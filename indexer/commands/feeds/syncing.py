"""`story-indexer feeds sync`: synchronises the feeds with a directory."""

import sys
from dataclasses import asdict
from typing import Annotated, Any

import typer
from pydantic import Field

from indexer.commands.console.parameters import JSONOptions, with_options
from indexer.commands.console.terminal import cell, line_of_json
from indexer.commands.console.working import Working
from indexer.commands.feeds.database import counted, opened
from indexer.feeds.registry.directory import DirectoryOptions, FeedDirectory, SyncError
from indexer.feeds.registry.directory_changes import FeedChange, Synced
from indexer.feeds.registry.syncing import MAX_SHRINKAGE, SyncPlan, sync
from indexer.feeds.store import FeedsOptions, utc_now
from indexer.files.locks import try_lock
from indexer.programs.program import telemetry
from indexer.programs.settings import ProgramOptions
from indexer.system.options import environment, option

PROGRAM = "feeds-sync"
HELD = 255
"""The exit status when another sync is running (feeds.md 11)."""

SHOWN = 20
"""Most problems and most adopted URLs that are printed."""


class SyncOptions(FeedsOptions, JSONOptions):
    """Options of `sync`."""

    full_sync: bool = option(
        False, "Fetch all feeds, and remove those that the directory does not have."
    )
    reset_last_modified: bool = option(False, "Fetch all feeds, and remove none.")
    dry_run: bool = option(False, "Only show what would be changed.", short="n")
    max_shrinkage: Annotated[float, Field(ge=0, le=100)] = option(
        MAX_SHRINKAGE, "Give up a sync that would remove more of the feeds.", metavar="PERCENT"
    )
    delete_after: Annotated[int | None, Field(ge=0)] = option(
        None, "Delete feeds removed so many days ago, with their events.", metavar="DAYS"
    )
    mcweb_url: str = option("", "The directory's URL.", "MCWEB_URL", metavar="URL")
    mcweb_timeout: Annotated[float | None, Field(gt=0)] = option(
        None,
        "The longest time for one answer; default 60.",
        "MCWEB_TIMEOUT",
        metavar="SECONDS",
    )
    pause: Annotated[float, Field(ge=0)] = option(
        0.5, "The pause between two pages.", metavar="SECONDS"
    )
    page_size: Annotated[int, Field(ge=1, le=100_000)] = option(1000, "Feeds in a page.")


@with_options
def sync_feeds(options: SyncOptions) -> None:
    """Synchronise the feeds with a directory: apply its changes since the last sync.

    MCWEB_TOKEN, or MCWEB_TOKEN_FILE, has the token for its API. Either all changes are written, or
    none. Only a full sync removes feeds that the directory does not have, and only if they are not
    too many; they are kept until --delete-after. A feed whose URL has changed starts anew.

    Exit status: 0; 255 if another sync is running; 1 if the directory does not report its version;
    2 if feeds can't be fetched, or for options that can't work; 3 if too many would be removed; 4
    for answers that can't be read. After 1 to 4 nothing was changed.

    Examples:

        story-indexer feeds sync

        story-indexer feeds sync --full-sync --delete-after 30

        story-indexer feeds sync --full-sync --dry-run --json
    """
    # Options that are not given keep the defaults of the directory's client.
    given = {"mcweb_url": options.mcweb_url, "mcweb_timeout": options.mcweb_timeout}
    asked = DirectoryOptions.chosen({name: value for name, value in given.items() if value})
    directory = FeedDirectory(asked, pause=options.pause, page_size=options.page_size)
    program = ProgramOptions.of({**environment(), "DATAROOT": str(options.data)})
    # Besides the database's lock, which is held only while changes are written: two syncs at once
    # would send all their requests twice.
    lock = try_lock(program.directory("lock") / PROGRAM)
    if lock is None:
        print(f"{PROGRAM}: another one is running", file=sys.stderr)
        raise typer.Exit(HELD)
    plan = SyncPlan(
        options.full_sync,
        options.reset_last_modified,
        options.dry_run,
        options.max_shrinkage,
        options.delete_after,
    )
    try:
        with (
            telemetry(_quiet(program), PROGRAM),
            opened(options, make=not options.dry_run) as database,
            Working() as working,
        ):
            working.at(f"asking {directory.server}")
            synced = sync(database, directory, plan, utc_now())
    except SyncError as error:
        print(f"{PROGRAM}: {cell(str(error), 1000)}", file=sys.stderr)
        raise typer.Exit(error.status) from error
    finally:
        lock.remove()
    if options.json_:
        print(line_of_json(_json(synced)))
    else:
        _print(synced)


def _quiet(options: ProgramOptions) -> ProgramOptions:
    """Return the options without Prometheus.

    A sync ends too soon to be scraped, and METRICS_ADDRESS may be another program's.
    """
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
        parts.append(f"{synced.deleted:,} of the removed feeds deleted")
    verb = "would be: " if synced.dry_run else ""
    print(f"{counted(synced.listed)} listed; {verb}{', '.join(parts) or 'nothing to do'}")
    for problem in synced.problems[:SHOWN]:
        print(cell(f"unchanged: {problem}", 1000), file=sys.stderr)
    if synced.adopted:
        print(f"moved permanently, old URL in the directory: {counted(synced.adopted_count)}")
        for adopted in synced.adopted[:SHOWN]:
            urls = f"{adopted.url} is now {adopted.adopted_url}"
            print(f"  feed {adopted.id}: {cell(urls, 5000)}")
        if synced.adopted_count > SHOWN:
            print("  …; --json shows more")
