"""A feed's state and its events, on the terminal."""

import sys
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table

from indexer.commands.console.terminal import cell, line_of_json, print_table, say
from indexer.database import Database, utc_now
from indexer.feeds.feed import Feed
from indexer.feeds.identity.places import host_keys
from indexer.feeds.polling.explaining import minutes, moment, next_poll
from indexer.feeds.polling.paces import Paces
from indexer.feeds.registry.finding import FetchEvent, history, named, stories_of

out = Console(soft_wrap=True)


def print_feed(database: Database, feed: str, events: int, *, as_json: bool) -> None:
    """Print all that is known of the feeds that have that id or URL. Raises InputError."""
    moment = utc_now()
    for each in named(database, [feed]):
        found = history(database, each.id, events) if events else []
        if as_json:
            print(line_of_json(_json(database, each, found, moment)))
        else:
            _print(database, each, found, moment)


def print_history(database: Database, feed: str, limit: int | None, *, as_json: bool) -> None:
    """Print the events of the feeds that have that id or URL. Raises InputError."""
    for each in named(database, [feed]):
        found = history(database, each.id, limit)
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
        "next": _next(database, feed, moment),
        "events": [_event(event) for event in events],
    }


def _print(database: Database, feed: Feed, events: Sequence[FetchEvent], now: datetime) -> None:
    title = feed.name or feed.rss_title or ""
    say(out, cell(f"feed {feed.id} {title}", 500))
    rows = [*_place(feed), ("next poll", _next(database, feed, now)), *_state(feed)]
    rows.append(("stories", f"{stories_of(database, feed.id):,}"))
    for name, value in rows:
        if value:
            say(out, f"  {name:<14}{cell(value, 2000)}")
    if events:
        say(out, "")
        print_table(_table(events))


def _next(database: Database, feed: Feed, now: datetime) -> str:
    hosts = host_keys(feed.url, feed.adopted_url, feed.final_url)
    return next_poll(feed, now, Paces(database, 0.0).blocked(hosts, now))


def _place(feed: Feed) -> Iterator[tuple[str, str]]:
    """Yield the feed's URLs, title and source."""
    yield "URL", feed.url or ""
    if feed.adopted_url:
        yield (
            "fetched at",
            f"{feed.adopted_url} (adopted: the feed's URL redirects there permanently)",
        )
    # A temporary redirect: the feed is still fetched from its own URL.
    if feed.final_url and feed.final_url not in (feed.url, feed.adopted_url):
        yield "leads to", feed.final_url
    if feed.redirect_url and feed.redirect_count:
        since = moment(feed.redirect_since)
        yield "moving to", f"{feed.redirect_url} (seen {feed.redirect_count} times since {since})"
    yield "title", feed.rss_title or ""
    yield "source", "" if feed.sources_id is None else str(feed.sources_id)
    yield "added", moment(feed.created_at)


def _state(feed: Feed) -> Iterator[tuple[str, str]]:
    """Yield the feed's state."""
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
            f"{feed.missed_alarms} polls with only new items: items in between may be missing",
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
        parts.append("not trusted: the server answered 304 to a changed document")
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
    """Join an event's note, its counts by reason, the final URL and warnings."""
    counts = event.details.get("counts")
    reasons = counts if isinstance(counts, dict) else {}
    parts = [event.note, ", ".join(f"{name} {number}" for name, number in reasons.items())]
    if url := event.details.get("url"):
        parts.append(f"at {url}")
    warnings = event.details.get("warnings")
    parts.extend(map(str, warnings if isinstance(warnings, list) else ()))
    return "; ".join(part for part in parts if part)
