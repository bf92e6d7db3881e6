"""`story-indexer feeds export`: writes the feeds as a list that other programs read, too."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from indexer.commands.console.parameters import with_options
from indexer.commands.console.writing import written
from indexer.commands.feeds.database import OfSourceOptions, counted, opened
from indexer.feeds.registry.feed_lists import write_list
from indexer.feeds.registry.finding import FeedFilter, find
from indexer.feeds.store import FeedsOptions, utc_now
from indexer.system.options import option


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
        typer.Argument(metavar="[FILE]", help="The file; compressed if its name ends in .gz."),
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
