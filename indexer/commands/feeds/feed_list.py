"""Lists of feeds on the terminal: a table, twins, lines of JSON."""

import sys
from collections.abc import Mapping, Sequence

import msgspec
from rich.table import Table

from indexer.commands.console.terminal import cell, line_of_json, print_table
from indexer.commands.feeds.database import COMMAND, counted
from indexer.database import Database, utc_now
from indexer.feeds.feed import Feed
from indexer.feeds.polling.explaining import minutes, moment
from indexer.feeds.registry.finding import PORTION, FeedFilter, count, find, reasons
from indexer.feeds.registry.twins import twins
from indexer.text.chunks import chunks

URL, WHY = "URL", "why it failed"
HEADINGS = ("id", "source", "status", "fails", "every", "next (UTC)", "new stories", URL, WHY)
FOLDED = (URL, WHY)
"""The columns whose cells may have several lines."""


def print_feeds(database: Database, wanted: FeedFilter, limit: int | None) -> None:
    """Print a table of feeds, and their number on standard error."""
    moment = utc_now()
    found = list(find(database, wanted, moment, limit))
    why = reasons(database, found)
    if found:
        print_table(_table(found, why))
    # A second query only if the limit was reached.
    total = len(found) if limit is None or len(found) < limit else count(database, wanted, moment)
    shown = f"{len(found):,} of {counted(total)}; --limit 0 shows all"
    print(shown if total > len(found) else counted(total), file=sys.stderr)
    if why:
        print(f"`{COMMAND} fetch-soon --failing` polls those that failed at once", file=sys.stderr)


def print_lines(database: Database, wanted: FeedFilter, limit: int | None) -> None:
    """Print a line of JSON for each feed."""
    for some in chunks(find(database, wanted, utc_now(), limit), PORTION):
        why = reasons(database, some)
        for feed in some:
            print(line_of_json({**msgspec.to_builtins(feed), "why": why.get(feed.id)}))


def print_twins(database: Database, limit: int | None, *, as_json: bool) -> None:
    """Print the feeds that exist twice."""
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


def _table(found: Sequence[Feed], why: Mapping[int, str]) -> Table:
    """Make a table with a line for each feed, without empty columns."""
    table = Table(box=None, highlight=False)
    rows = [_row(feed, why.get(feed.id, "")) for feed in found]
    places = range(len(HEADINGS))
    shown = [place for place in places if any(row[place] for row in rows)]
    for place in shown:
        name = HEADINGS[place]
        table.add_column(name, no_wrap=name not in FOLDED, overflow="fold")
    for row in rows:
        table.add_row(*(row[place] for place in shown))
    return table


def _row(feed: Feed, why: str) -> Sequence[str]:
    """Return the cells of the columns `HEADINGS`; `why` is the note of the last failure."""
    return (
        str(feed.id),
        "" if feed.sources_id is None else str(feed.sources_id),
        cell(_status(feed), 60),
        f"{feed.last_fetch_failures:g}" if feed.last_fetch_failures else "",
        _every(feed),
        _next(feed),
        moment(feed.last_new_stories),
        cell(feed.url or "", 2000),
        # The note begins with the status.
        cell(why.removeprefix(feed.system_status or "").lstrip("; "), 200),
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
