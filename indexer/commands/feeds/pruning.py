"""`story-indexer feeds prune`: forget stories, events and keys that are old."""

from dataclasses import asdict
from typing import Annotated

import typer

from indexer.commands.console.terminal import AsJson, line_of_json
from indexer.commands.console.working import Working
from indexer.commands.feeds.database import Data, DatabaseURL, OpenedFeeds
from indexer.feeds.clock import utc_now
from indexer.feeds.saving.retention import PrunedFeeds, RetentionOptions
from indexer.feeds.saving.retention import prune as prune_feeds
from indexer.system.options import environment


def prune(
    database_url: DatabaseURL = "",
    data: Data = "",
    delete: Annotated[
        bool, typer.Option("--delete", help="Delete what is too old; without: only tell.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Forget what is old: tells what it would delete, until it is told to --delete.

    Of each feed the last FETCH_EVENT_ROWS (30) events are kept. A story is kept as long as a feed
    shows it, and RSS_OUTPUT_DAYS (14) or NORMALIZED_TITLE_DAYS (7) after that; that it was there
    once is known for TOMBSTONE_DAYS (730) more, so that it is not announced again.

    Meant to run once a day. It deletes some rows at a time; stopped, it goes on the next time.

    Examples:

        story-indexer feeds prune

        story-indexer feeds prune --delete --json
    """
    options = RetentionOptions.of(environment())
    with OpenedFeeds(database_url, data) as database, Working() as working:
        pruned = prune_feeds(
            database,
            options,
            utc_now(),
            delete=delete,
            progress=lambda so_far: working.at(_sentence(so_far, deleted=delete)),
        )
    if as_json:
        print(line_of_json({"deleted": delete, **asdict(pruned)}))
    else:
        print(_sentence(pruned, deleted=delete) + ("" if delete else ": --delete does"))


def _sentence(pruned: PrunedFeeds, *, deleted: bool) -> str:
    verb = "deleted" if deleted else "would delete"
    return (
        f"{verb} {pruned.stories} stories, {pruned.refs} refs, {pruned.events} events, "
        f"{pruned.keys} keys of stories that are gone, {pruned.paces} paces"
    )
