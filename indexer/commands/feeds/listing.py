"""`story-indexer feeds list`: which feeds there are, and how they fare."""

import sys
from collections.abc import Sequence
from typing import Annotated

import msgspec
import typer
from rich.table import Table

from indexer.commands.console.terminal import AsJson, cell, line_of_json, print_table
from indexer.commands.feeds.database import Data, DatabaseURL, OfSource, OpenedFeeds, counted
from indexer.database import Database
from indexer.errors import ConfigurationError
from indexer.feeds.clock import utc_now
from indexer.feeds.feed import Feed
from indexer.feeds.polling.explaining import minutes, moment
from indexer.feeds.registry.finding import FeedFilter, count, find
from indexer.feeds.registry.twins import twins

LINES = 100
"""So many feeds are listed for a person who doesn't say how many."""

URL = "URL"
HEADINGS = ("id", "source", "status", "fails", "every", "next (UTC)", "new stories", URL)


def list_feeds(  # noqa: PLR0913, PLR0917 - the options of a command
    source: OfSource = None,
    status: Annotated[
        str,
        typer.Option("--status", metavar="TEXT", help='Whose status begins so, like "HTTP 4".'),
    ] = "",
    match: Annotated[
        str, typer.Option("--match", metavar="TEXT", help="With this in the URL or name.")
    ] = "",
    failing: Annotated[bool, typer.Option("--failing", help="That failed the last time.")] = False,
    disabled: Annotated[bool, typer.Option("--disabled", help="That are not polled.")] = False,
    gone: Annotated[bool, typer.Option("--gone", help="That are gone (HTTP 410).")] = False,
    due: Annotated[bool, typer.Option("--due", help="That are due now.")] = False,
    removed: Annotated[bool, typer.Option("--removed", help="That were removed.")] = False,
    duplicates: Annotated[
        bool, typer.Option("--duplicates", help="That are there twice, with their twins.")
    ] = False,
    limit: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, help="So many; 0: all.", show_default="100, JSON all"),
    ] = None,
    data: Data = "",
    database_url: DatabaseURL = "",
    as_json: AsJson = False,
) -> None:
    """List feeds, by id: status, failures, interval, next poll. All that is asked for applies.

    Times are UTC. With --json there is a line with all columns for each feed; with --duplicates:
    id, url, twin_id, twin_url, why.

    Examples:

        story-indexer feeds list

        story-indexer feeds list --failing --status "HTTP 403"

        story-indexer feeds list --duplicates

        story-indexer feeds list --json --source 7 | jq -r .url
    """
    wanted = FeedFilter(source, status, match, failing, disabled, gone, due, removed)
    if limit is None:
        limit = 0 if as_json else LINES
    with OpenedFeeds(database_url, data) as database:
        if duplicates:
            if wanted != FeedFilter():
                raise ConfigurationError("--duplicates looks at all feeds: leave the others out")
            _list_twins(database, limit or None, as_json=as_json)
        elif as_json:
            for feed in find(database, wanted, utc_now(), limit or None):
                print(line_of_json(msgspec.to_builtins(feed)))
        else:
            _list(database, wanted, limit or None)


def _list(database: Database, wanted: FeedFilter, limit: int | None) -> None:
    moment = utc_now()
    found = list(find(database, wanted, moment, limit))
    if found:
        print_table(_table(found))
    total = len(found) if limit is None or len(found) < limit else count(database, wanted, moment)
    shown = f"{len(found):,} of {counted(total)}; --limit 0 shows all"
    print(shown if total > len(found) else counted(total), file=sys.stderr)


def _table(found: Sequence[Feed]) -> Table:
    """A line a feed; columns in which there is nothing are left out."""
    table = Table(box=None, highlight=False)
    rows = [_row(feed) for feed in found]
    places = range(len(HEADINGS))
    shown = [place for place in places if not place or any(row[place] for row in rows)]
    for place in shown:
        name = HEADINGS[place]
        table.add_column(name, no_wrap=name != URL, overflow="fold")
    for row in rows:
        table.add_row(*(row[place] for place in shown))
    return table


def _row(feed: Feed) -> Sequence[str]:
    """The cells of `HEADINGS`."""
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
        print("no feed is there twice", file=sys.stderr)
