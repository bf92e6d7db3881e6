"""`story-indexer feeds list` and `export`: feeds and their states; a list for other programs."""

import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from pydantic import Field
from rich.table import Table

from indexer.commands.console.parameters import JSONOptions, with_options
from indexer.commands.console.terminal import cell, line_of_json, print_table
from indexer.commands.console.writing import written
from indexer.commands.feeds.database import OfSourceOptions, counted, opened
from indexer.database import Database
from indexer.errors import ConfigurationError
from indexer.feeds.feed import Feed
from indexer.feeds.polling.explaining import minutes, moment
from indexer.feeds.registry.feed_lists import write_list
from indexer.feeds.registry.finding import FeedFilter, count, find
from indexer.feeds.registry.twins import twins
from indexer.feeds.store import FeedsOptions, utc_now
from indexer.system.options import option

LINES = 100
"""Default of --limit for a table."""

URL = "URL"
HEADINGS = ("id", "source", "status", "fails", "every", "next (UTC)", "new stories", URL)


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

    Times are UTC. With --json there is a line with all columns for each feed; with --duplicates:
    id, url, twin_id, twin_url, why.

    Examples:

        story-indexer feeds list

        story-indexer feeds list --failing --status "HTTP 403"

        story-indexer feeds list --duplicates

        story-indexer feeds list --json --source 7 | jq -r .url
    """
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
            _list_twins(database, limit, as_json=options.json_)
        elif options.json_:
            for feed in find(database, wanted, utc_now(), limit):
                print(line_of_json(msgspec.to_builtins(feed)))
        else:
            _list(database, wanted, limit)


def _list(database: Database, wanted: FeedFilter, limit: int | None) -> None:
    moment = utc_now()
    found = list(find(database, wanted, moment, limit))
    if found:
        print_table(_table(found))
    # A second query only if the limit was reached.
    total = len(found) if limit is None or len(found) < limit else count(database, wanted, moment)
    shown = f"{len(found):,} of {counted(total)}; --limit 0 shows all"
    print(shown if total > len(found) else counted(total), file=sys.stderr)


def _table(found: Sequence[Feed]) -> Table:
    """Make a table with a line for each feed, without empty columns."""
    table = Table(box=None, highlight=False)
    rows = [_row(feed) for feed in found]
    places = range(len(HEADINGS))
    shown = [place for place in places if any(row[place] for row in rows)]
    for place in shown:
        name = HEADINGS[place]
        table.add_column(name, no_wrap=name != URL, overflow="fold")
    for row in rows:
        table.add_row(*(row[place] for place in shown))
    return table


def _row(feed: Feed) -> Sequence[str]:
    """Return the cells of the columns `HEADINGS`."""
    return (
        str(feed.id),
        "" if feed.sources_id is None else str(feed.sources_id),
        cell(_status(feed), 60),
        f"{feed.last_fetch_failures:g}" if feed.last_fetch_failures else "",
        _every(feed),
        _next(feed),
        moment(feed.last_new_stories),
        cell(feed.url or "", 2000),
    )


def _status(feed: Feed) -> str:
    # The reason why a feed is not polled says more than the result of its last poll.
    if feed.removed_at is not None:
        return "removed"
    if not feed.active:
        return "not active"
    if not feed.system_enabled:
        return "disabled"
    if feed.gone_at is not None:
        return "gone"
    return feed.system_status or "new"


def _every(feed: Feed) -> str:
    found = feed.poll_minutes_override or feed.poll_minutes
    return minutes(found) if found else ""


def _next(feed: Feed) -> str:
    if feed.removed_at is not None or not (feed.active and feed.system_enabled):
        return ""
    return moment(feed.next_fetch_attempt) or "soon"


def _list_twins(database: Database, limit: int | None, *, as_json: bool) -> None:
    table = Table("id", "twin", "why", box=None, highlight=False)
    for heading in ("URL", "twin's URL"):
        table.add_column(heading, overflow="fold")
    for number, twin in enumerate(twins(database)):
        if number == limit:
            print("and more: --limit 0 shows all", file=sys.stderr)
            break
        if as_json:
            print(line_of_json(twin._asdict()))
        else:
            urls = (cell(twin.url, 2000), cell(twin.twin_url, 2000))
            table.add_row(str(twin.id), str(twin.twin_id), twin.why, *urls)
    if table.rows:
        print_table(table)
    elif not as_json:
        print("no feed exists twice", file=sys.stderr)


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
