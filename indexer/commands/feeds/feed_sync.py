"""A sync of the feeds with a directory: made, and reported."""

import sys
from dataclasses import asdict
from typing import Any

from indexer.commands.console.terminal import cell, line_of_json
from indexer.commands.console.working import Working
from indexer.commands.feeds.database import counted, opened
from indexer.commands.feeds.syncing import SyncOptions
from indexer.database import utc_now
from indexer.feeds.registry.directory import DirectoryOptions, FeedDirectory, SyncError
from indexer.feeds.registry.directory_changes import FeedChange, Synced
from indexer.feeds.registry.sync_plan import SyncPlan
from indexer.feeds.registry.syncing import sync
from indexer.files.locks import try_lock
from indexer.programs.program import telemetry
from indexer.programs.settings import ProgramOptions
from indexer.system.options import environment

PROGRAM = "feeds-sync"
HELD = 255
"""The exit status when another sync is running (feeds.md 11)."""

SHOWN = 20
"""Most problems and most adopted URLs that are printed."""


def synchronise(options: SyncOptions, plan: SyncPlan) -> int:
    """Synchronise the feeds, and report the changes. Returns the exit status."""
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
        return HELD
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
        return error.status
    finally:
        lock.remove()
    if options.json_:
        print(line_of_json(_json(synced)))
    else:
        _print(synced)
    return 0


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
        print(cell(f"not taken: {problem}", 1000), file=sys.stderr)
    if synced.adopted:
        print(f"moved permanently, old URL in the directory: {counted(synced.adopted_count)}")
        for adopted in synced.adopted[:SHOWN]:
            urls = f"{adopted.url} is now {adopted.adopted_url}"
            print(f"  feed {adopted.id}: {cell(urls, 5000)}")
        if synced.adopted_count > SHOWN:
            print("  …; --json shows more")
