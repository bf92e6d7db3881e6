"""`story-indexer feeds try`: fetches a feed, and shows the decision on each item."""

from typing import Annotated

import typer
from pydantic import Field

from indexer.commands.console.parameters import JSONOptions, with_options
from indexer.feeds.store import FeedsOptions
from indexer.system.options import option


class TryCommandOptions(FeedsOptions, JSONOptions):
    """Options of `try`."""

    source: int | None = option(None, "Try it as a feed of this source.", metavar="ID")
    items: Annotated[int, Field(ge=0)] = option(20, "The most items to show.")


@with_options
def try_url(
    feed: Annotated[
        str, typer.Argument(metavar="URL|ID", help="A URL, or the id of a feed in the database.")
    ],
    options: TryCommandOptions,
    known: Annotated[
        bool, typer.Option("--known/--all-new", help="Whether stories in the database are known.")
    ] = True,
) -> None:
    """Try a feed: fetch and read it, and show the decision on each item. Nothing is stored.

    The output has the headers of each exchange, the status that the feed would get, and for each
    item whether it would be added, is known, or is skipped, and why. For a web page it has the
    feeds that the page links to. Without a database, or with --all-new, all items are new.

    Exit status: 0 if it works as a feed, else 1.

    Examples:

        story-indexer feeds try https://site.example/feed

        story-indexer feeds try 7 --items 100

        story-indexer feeds try https://site.example/feed --json | jq .counts
    """
    from indexer.commands.feeds import feed_trial  # noqa: PLC0415 - not for the help

    raise typer.Exit(0 if feed_trial.works(feed, options, known=known) else 1)
