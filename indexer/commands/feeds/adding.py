"""`story-indexer feeds add` and `import`: new feeds."""

from typing import Annotated

import typer
from pydantic import Field

from indexer.commands.console.parameters import ConfirmOptions, JSONOptions, with_options
from indexer.commands.feeds.database import ListColumnOptions
from indexer.feeds.store import FeedsOptions
from indexer.system.options import option


class AddOptions(FeedsOptions, ListColumnOptions, JSONOptions):
    """Options of `add`."""

    source: int | None = option(None, "The source of the feeds.", metavar="ID")
    name: str = option("", "The name of the feeds.")
    guess: bool = option(False, "Try the usual paths on the site of a page that links to no feeds.")
    look: bool = option(True, "Fetch each URL to find its feeds; else take it for a feed.")


class ImportOptions(FeedsOptions, ListColumnOptions, JSONOptions, ConfirmOptions):
    """Options of `import`."""

    spread: Annotated[float, Field(ge=0)] = option(
        6.0, "Spread the first polls at random over so many hours.", metavar="HOURS"
    )
    seed: int | None = option(None, "Seed of the random times: the same gives the same.")
    wipe: bool = option(False, "Delete all feeds first, with their events. Stories stay.")
    incomplete: bool = option(
        False, "With --wipe: import lists in which something can't be read, too."
    )
    dry_run: bool = option(False, "Read the lists, and change nothing.", short="n")


@with_options
def add(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="FEED",
            help="URLs of feeds, or of pages that link to theirs; files or URLs of lists.",
        ),
    ],
    options: AddOptions,
) -> None:
    """Add feeds: they are polled as soon as possible.

    A page stands for the feeds that it links to; a list (OPML, CSV, one URL per line; also on the
    web, in a bucket, or - for standard input) for all feeds in it, which are not fetched. Feeds
    that exist stay as they are; removed ones are restored.

    Exit status: 0 if all names gave feeds, else 1; the others are reported on standard error.

    Examples:

        story-indexer feeds add https://site.example/

        story-indexer feeds add https://site.example/feed --source 7 --name "Site Example"

        story-indexer feeds add --no-look feeds.opml https://other.example/rss
    """
    from indexer.commands.feeds import new_feeds  # noqa: PLC0415 - not for the help

    raise typer.Exit(0 if new_feeds.add(names, options) else 1)


@with_options
def import_feeds(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE",
            help="Lists of feeds: OPML, CSV, or one URL per line; also compressed.",
        ),
    ],
    options: ImportOptions,
) -> None:
    """Import lists of feeds, all in one transaction; first polls at random within six hours.

    A CSV has the columns id, url, sources_id and name, or names its columns in the first row; also
    active and created_at are read. --column gives the names of other programs. Feeds without ids
    get the next free ones. Feeds that exist stay as they are.

    Exit status: 0 if all lines are feeds, else 1; the others are reported on standard error with
    their numbers, and the rest is imported. With --wipe nothing is changed then, and the status
    is 2: a list that was cut off must not replace the feeds.

    Examples:

        story-indexer feeds import feeds.csv.gz

        story-indexer feeds import subscriptions.opml --spread 1

        story-indexer feeds import sheet.csv --column url="Web Address" --column name=Paper

        story-indexer feeds import feeds.csv --wipe --yes
    """
    from indexer.commands.feeds import new_feeds  # noqa: PLC0415 - not for the help

    raise typer.Exit(0 if new_feeds.import_lists(files, options) else 1)
