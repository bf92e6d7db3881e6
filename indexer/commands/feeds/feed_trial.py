"""A trial of a feed: made, and reported."""

from collections.abc import Iterator
from contextlib import closing, nullcontext

import msgspec
from rich.console import Console
from rich.table import Table

from indexer.commands.console.terminal import cell, line_of_json, print_table, say
from indexer.commands.console.working import Working
from indexer.commands.feeds.database import opened
from indexer.commands.feeds.trying import TryCommandOptions
from indexer.database import utc_now
from indexer.errors import ConfigurationError
from indexer.feeds.fetching.fetching import FeedClient
from indexer.feeds.polling.explaining import minutes, moment
from indexer.feeds.registry.feed_spec import as_id
from indexer.feeds.registry.finding import named
from indexer.feeds.store import FeedsOptions
from indexer.feeds.tools.trial import Trial
from indexer.feeds.tools.trying import TryOptions, try_feed
from indexer.system.options import environment
from indexer.text.dates import ZONE_UNKNOWN

out = Console(soft_wrap=True)


def works(feed: str, options: TryCommandOptions, *, known: bool) -> bool:
    """Try a feed, and print the decision on each item. Returns whether it works as a feed."""
    trying, source = TryOptions.of(environment()), options.source
    # A URL can be tried without a database; one that is named by an option has to exist.
    is_id = as_id(feed) is not None
    database_or_none = opened(options) if known and (is_id or _is_there(options)) else nullcontext()
    with closing(FeedClient(trying.fetching)) as client, database_or_none as database:
        if is_id:
            if database is None:
                raise ConfigurationError("an id needs the database: give the feed's URL")
            (found,) = named(database, [feed])
            # As in its polls: titles are compared within the feed's source.
            feed, source = found.fetch_url, found.sources_id if source is None else source
        with Working() as working:
            working.at(f"fetching {feed}")
            trial = try_feed(feed, client, trying, utc_now(), database, source)
    if options.json_:
        print(line_of_json(msgspec.to_builtins(trial)))
    else:
        _print(trial, options.items)
    return trial.works


def _is_there(options: FeedsOptions) -> bool:
    """Whether a database was given, or there is one in the data directory."""
    given = options.database_url.get_secret_value()
    return bool(given) or (options.data / "feeds.sqlite3").exists()


def _print(trial: Trial, items: int) -> None:
    for exchange in trial.exchanges:
        say(out, cell(f"GET {exchange.url}", 5000))
        say(out, cell(f"{exchange.code} {exchange.reason}", 200))
        for name, value in exchange.received.items():
            say(out, f"  {cell(f'{name}: {value}', 600)}")
        say(out, "")
    for name, value in _facts(trial):
        if value:
            say(out, f"{name:<12}{cell(value, 2000)}")
    if trial.items and items:
        say(out, "")
        print_table(_table(trial, items))
    if len(trial.items) > items:
        say(out, f"{len(trial.items):,} items; --items {len(trial.items)} shows all")
    if trial.root == "html" and not trial.feeds:
        say(
            out,
            "this page links to no feeds; `story-indexer feeds add --guess` tries the usual paths",
        )
    for feed in trial.feeds:
        say(out, cell(f"this page links to the feed {feed.url} {feed.name}", 5000))


def _facts(trial: Trial) -> Iterator[tuple[str, str]]:
    yield "status", trial.status
    yield "note", trial.note if trial.note != trial.status else ""
    yield "feed", "" if trial.feed_id is None else f"{trial.feed_id} has this URL"
    yield "ended at", trial.final_url if trial.final_url and trial.final_url != trial.url else ""
    size = "" if trial.size is None else f"{trial.size:,} bytes"
    seconds = "" if trial.seconds is None else f"{trial.seconds * 1000:,.0f} ms"
    yield (
        "document",
        ", ".join(
            part for part in (trial.format, trial.root and f"<{trial.root}>", size, seconds) if part
        ),
    )
    yield "title", trial.title or ""
    yield "published", f"every {minutes(trial.update_minutes)}" if trial.update_minutes else ""
    yield "not before", moment(trial.retry_at)
    yield "fresh until", moment(trial.fresh_until)
    for warning in trial.warnings:
        yield "warning", warning
    yield "items", ", ".join(f"{name} {number:,}" for name, number in trial.counts.items())


def _table(trial: Trial, items: int) -> Table:
    table = Table("decision", "reason", "published (UTC)", box=None, highlight=False)
    table.add_column("link", overflow="fold")
    table.add_column("why", overflow="fold")
    for item in trial.items[:items]:
        published = moment(item.published_at) or item.published or ""
        if (item.date_source or "").endswith(ZONE_UNKNOWN):
            published += f" {ZONE_UNKNOWN}"
        link = item.link or item.title or ""
        table.add_row(
            item.decision, item.reason, cell(published, 30), cell(link, 2000), cell(item.why, 200)
        )
    return table
