"""`story-indexer feeds sync`: synchronises the feeds with a directory."""

from typing import Annotated

import typer
from pydantic import Field

from indexer.commands.console.parameters import JSONOptions, with_options
from indexer.feeds.registry.sync_plan import MAX_SHRINKAGE, SyncPlan
from indexer.feeds.store import FeedsOptions
from indexer.system.options import option


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
    2 if it refuses the token, if feeds can't be fetched, or for options that can't work; 3 if too
    many would be removed; 4 for answers that can't be read. After 1 to 4 nothing was changed.

    Examples:

        story-indexer feeds sync

        story-indexer feeds sync --full-sync --delete-after 30

        story-indexer feeds sync --full-sync --dry-run --json
    """
    from indexer.commands.feeds.feed_sync import synchronise  # noqa: PLC0415 - not for the help

    plan = SyncPlan(
        options.full_sync,
        options.reset_last_modified,
        options.dry_run,
        options.max_shrinkage,
        options.delete_after,
    )
    raise typer.Exit(synchronise(options, plan))
