"""`story-indexer feeds export`: the feeds as a list that this and other programs read."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from indexer.commands.console.writing import written
from indexer.commands.feeds.database import Data, DatabaseURL, OfSource, OpenedFeeds, counted
from indexer.feeds.clock import utc_now
from indexer.feeds.registry.feed_lists import write_list
from indexer.feeds.registry.finding import FeedFilter, find


class ListFormat(StrEnum):
    """Kinds of lists."""

    CSV = "csv"
    OPML = "opml"
    URLS = "urls"


SUFFIXES = {".opml": ListFormat.OPML, ".xml": ListFormat.OPML, ".txt": ListFormat.URLS}
"""What a file's name says of its kind; all others are CSV."""


def export(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", help="Write there, compressed if it ends in .gz."),
    ] = None,
    format: Annotated[
        ListFormat | None, typer.Option(help="By default what the file's name says, or csv.")
    ] = None,
    source: OfSource = None,
    match: Annotated[
        str, typer.Option("--match", metavar="TEXT", help="Only with this in their URL or name.")
    ] = "",
    data: Data = "",
    database_url: DatabaseURL = "",
) -> None:
    """Export the feeds: as CSV, OPML, or URLs, one a line.

    `feeds import` reads each of them; readers of feeds take OPML. A file is there when all is in
    it. Feeds that were removed are not exported.

    Examples:

        story-indexer feeds export feeds.csv.gz

        story-indexer feeds export feeds.opml --source 7

        story-indexer feeds export --format urls | wc -l
    """
    moment = utc_now()
    with OpenedFeeds(database_url, data) as database, written(file) as out:
        found = find(database, FeedFilter(source=source, text=match), moment)
        number = write_list(found, out, (format or _format(file)).value, moment)
    if file is not None:
        print(f"{counted(number)} in {file}", file=sys.stderr)


def _format(file: Path | None) -> ListFormat:
    suffixes = [each for each in (file.suffixes if file else []) if each != ".gz"]
    return SUFFIXES.get(suffixes[-1].lower() if suffixes else "", ListFormat.CSV)
