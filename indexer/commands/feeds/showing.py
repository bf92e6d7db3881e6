"""`story-indexer feeds show` and `history`: all that is known of a feed, and of its attempts."""

import sys
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Annotated, Any

import msgspec
import typer
from rich.console import Console
from rich.table import Table

from indexer.commands.console.terminal import AsJson, cell, line_of_json, print_table, say
from indexer.commands.feeds.database import Data, DatabaseURL, FeedName, OpenedFeeds
from indexer.database import Database
from indexer.feeds.clock import utc_now
from indexer.feeds.feed import Feed
from indexer.feeds.polling.explaining import minutes, moment, next_poll
from indexer.feeds.registry.finding import FetchEvent, history, named, stories_of

EVENTS = 10
"""So many events are on a feed's page."""

out = Console(soft_wrap=True)


def show(
    feed: FeedName,
    events: Annotated[int, typer.Option(metavar="N", min=0, help="So many events.")] = EVENTS,
    data: Data = "",
    database_url: DatabaseURL = "",
    as_json: AsJson = False,
) -> None:
    """Show a feed: all that is known of it, its last events, when it is polled next and why.

    A URL may be that of several feeds: each is shown. Times are UTC.

    Examples:

        story-indexer feeds show 7

        story-indexer feeds show https://site.example/feed --events 30

        story-indexer feeds show 7 --json | jq .next
    """
    moment = utc_now()
    with OpenedFeeds(database_url, data) as database:
        for each in named(database, [feed]):
            found = history(database, each.id, events) if events else []
            if as_json:
                print(line_of_json(_json(database, each, found, moment), default=str))
            else:
                _print(database, each, found, moment)


def show_history(
    feed: FeedName,
    limit: Annotated[int, typer.Option(metavar="N", min=0, help="So many; 0: all.")] = 30,
    data: Data = "",
    database_url: DatabaseURL = "",
    as_json: AsJson = False,
) -> None:
    """What became of the attempts at a feed, the last one first: status, bytes, items by reason.

    As many events are kept of each feed as FETCH_EVENT_ROWS says (30). Times are UTC.

    Examples:

        story-indexer feeds history 7

        story-indexer feeds history 7 --limit 0 --json | jq -r .note
    """
    with OpenedFeeds(database_url, data) as database:
        for each in named(database, [feed]):
            found = history(database, each.id, limit or None)
            if as_json:
                for event in found:
                    print(line_of_json(_event(event)))
            elif found:
                print_table(_table(found))
            else:
                print(f"feed {each.id}: no events", file=sys.stderr)


def _event(event: FetchEvent) -> dict[str, Any]:
    return {**event._asdict(), "created_at": event.created_at.isoformat()}


def _json(
    database: Database, feed: Feed, events: Sequence[FetchEvent], moment: datetime
) -> dict[str, Any]:
    return {
        **msgspec.to_builtins(feed),
        "stories": stories_of(database, feed.id),
        "next": next_poll(feed, moment),
        "events": [_event(event) for event in events],
    }


def _print(database: Database, feed: Feed, events: Sequence[FetchEvent], now: datetime) -> None:
    title = feed.name or feed.rss_title or ""
    say(out, cell(f"feed {feed.id} {title}", 500))
    rows = [*_place(feed), ("next poll", next_poll(feed, now)), *_state(feed)]
    rows.append(("stories", f"{stories_of(database, feed.id):,}"))
    for name, value in rows:
        if value:
            say(out, f"  {name:<14}{cell(value, 2000)}")
    if events:
        say(out, "")
        print_table(_table(events))


def _place(feed: Feed) -> Iterator[tuple[str, str]]:
    """Where it is, and whose."""
    yield "URL", feed.url or ""
    if feed.adopted_url:
        yield "fetched at", f"{feed.adopted_url} (adopted: the other one redirects for good)"
    if feed.final_url and feed.final_url not in (feed.url, feed.adopted_url):
        yield "leads to", feed.final_url
    if feed.redirect_url and feed.redirect_count:
        since = moment(feed.redirect_since)
        yield "moving to", f"{feed.redirect_url} (seen {feed.redirect_count} times since {since})"
    yield "title", feed.rss_title or ""
    yield "source", "" if feed.sources_id is None else str(feed.sources_id)
    yield "added", moment(feed.created_at)


def _state(feed: Feed) -> Iterator[tuple[str, str]]:
    """How it fares."""
    yield "status", feed.system_status or "never polled"
    if feed.last_fetch_failures:
        yield "failures", f"{feed.last_fetch_failures:g}"
    yield "gone since", moment(feed.gone_at)
    yield "last attempt", moment(feed.last_fetch_attempt)
    yield "last success", moment(feed.last_fetch_success)
    yield "last parsed", moment(feed.last_parse_success)
    yield "new stories", moment(feed.last_new_stories)
    yield "interval", _interval(feed)
    yield "validators", _validators(feed)
    if feed.missed_alarms:
        yield (
            "alarms",
            f"{feed.missed_alarms} polls in which nothing was known: items may be missed",
        )


def _interval(feed: Feed) -> str:
    found = (
        ("by the operator", feed.poll_minutes_override),
        ("computed", feed.poll_minutes),
        ("published", feed.update_minutes),
    )
    return ", ".join(f"{minutes(number)} {what}" for what, number in found if number)


def _validators(feed: Feed) -> str:
    found = (("ETag", feed.http_etag), ("Last-Modified", feed.http_last_modified))
    parts = [f"{name} {value}" for name, value in found if value]
    if parts and not feed.validators_trusted:
        parts.append("not trusted: they said that nothing had changed when it had")
    if feed.not_modified_count:
        parts.append(f"{feed.not_modified_count} times not modified in a row")
    return ", ".join(parts)


def _table(events: Sequence[FetchEvent]) -> Table:
    table = Table("time (UTC)", "event", box=None, highlight=False)
    for heading in ("HTTP", "bytes", "ms"):
        table.add_column(heading, justify="right")
    table.add_column("note", overflow="fold")
    for event in events:
        details = event.details
        table.add_row(
            f"{event.created_at:%Y-%m-%d %H:%M:%S}",
            event.event,
            *(_number(details.get(name)) for name in ("code", "bytes", "ms")),
            cell(_note(event), 1000),
        )
    return table


def _number(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else ""


def _note(event: FetchEvent) -> str:
    """The note, the counts by reason, and where it ended."""
    counts = event.details.get("counts")
    reasons = counts if isinstance(counts, dict) else {}
    parts = [event.note, ", ".join(f"{name} {number}" for name, number in reasons.items())]
    if url := event.details.get("url"):
        parts.append(f"at {url}")
    return "; ".join(part for part in parts if part)
