"""`story-indexer feeds list` and `export`: feeds and their states; a list for other programs."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from pydantic import Field

from indexer.commands.console.parameters import JSONOptions, with_options
from indexer.commands.console.writing import written
from indexer.commands.feeds.database import OfSourceOptions, counted, opened
from indexer.errors import ConfigurationError
from indexer.feeds.store import FeedsOptions
from indexer.system.options import option

LINES = 100
"""Default of --limit for a table."""


class FeedListOptions(FeedsOptions, OfSourceOptions, JSONOptions):
    """Options of `list`."""

    status: str = option("", 'Feeds whose status begins with this text, like "HTTP 4".')
    match: str = option("", "Feeds with this text in their URL or name.")
    failing: bool = option(False, "Feeds whose last poll failed.")
    disabled: bool = option(False, "Feeds that are not polled.")
    gone: bool = option(False, "Feeds that are gone (HTTP 410).")
    due: bool = option(False, "Feeds that are due now.")
    removed: bool = option(False, "Removed feeds.")
    duplicates: bool = option(False, "Feeds that exist twice, with their twins.")
    limit: Annotated[int | None, Field(ge=0)] = option(
        None, "The most feeds to list; 0: all. Default: 100, or all with --json."
    )


@with_options
def list_feeds(options: FeedListOptions) -> None:
    """List feeds by id: status, failures, interval, next poll. Several filters apply together.

    Times are UTC. With --json there is a line with all columns for each feed, and `why` its last
    poll failed; with --duplicates: id, url, twin_id, twin_url, why.

    Examples:

        story-indexer feeds list

        story-indexer feeds list --failing --status "HTTP 403"

        story-indexer feeds list --duplicates

        story-indexer feeds list --json --source 7 | jq -r .url
    """
    from indexer.commands.feeds import feed_list  # noqa: PLC0415 - not for the help
    from indexer.feeds.registry.finding import FeedFilter  # noqa: PLC0415

    wanted = FeedFilter(
        source=options.source,
        status=options.status,
        text=options.match,
        failing=options.failing,
        disabled=options.disabled,
        gone=options.gone,
        due=options.due,
        removed=options.removed,
    )
    usual = 0 if options.json_ else LINES
    limit = (usual if options.limit is None else options.limit) or None
    with opened(options) as database:
        if options.duplicates:
            if wanted != FeedFilter():
                raise ConfigurationError("--duplicates compares all feeds: omit other filters")
            feed_list.print_twins(database, limit, as_json=options.json_)
        elif options.json_:
            feed_list.print_lines(database, wanted, limit)
        else:
            feed_list.print_feeds(database, wanted, limit)


class ListFormat(StrEnum):
    """Kinds of lists."""

    CSV = "csv"
    OPML = "opml"
    URLS = "urls"


SUFFIXES = {".opml": ListFormat.OPML, ".xml": ListFormat.OPML, ".txt": ListFormat.URLS}
"""Kinds of lists by the suffix of a file's name; any other suffix is CSV."""


class ExportOptions(FeedsOptions, OfSourceOptions):
    """Options of `export`."""

    format: ListFormat | None = option(None, "Default: the kind of the file's name, or csv.")
    match: str = option("", "Only feeds with this text in their URL or name.")


@with_options
def export(
    options: ExportOptions,
    file: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="The file; compressed if its name ends in .gz."),
    ] = None,
) -> None:
    """Export the feeds as CSV, OPML, or one URL per line.

    `feeds import` reads each of them; feed readers take OPML. The file appears when it is
    complete. Removed feeds are not exported.

    Examples:

        story-indexer feeds export feeds.csv.gz

        story-indexer feeds export feeds.opml --source 7

        story-indexer feeds export --format urls | wc -l
    """
    from indexer.database import utc_now  # noqa: PLC0415 - not for the help
    from indexer.feeds.registry.feed_lists import write_list  # noqa: PLC0415
    from indexer.feeds.registry.finding import FeedFilter, find  # noqa: PLC0415

    moment = utc_now()
    with opened(options) as database, written(file) as out:
        found = find(database, FeedFilter(source=options.source, text=options.match), moment)
        number = write_list(found, out, (options.format or _format(file)).value, moment)
    # On standard error, and only with a file: standard output may be the list itself.
    if file is not None:
        print(f"{counted(number)} in {file}", file=sys.stderr)


def _format(file: Path | None) -> ListFormat:
    # feeds.opml.gz is OPML.
    suffixes = [each for each in (file.suffixes if file else []) if each != ".gz"]
    return SUFFIXES.get(suffixes[-1].lower() if suffixes else "", ListFormat.CSV)
