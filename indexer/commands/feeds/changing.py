"""`story-indexer feeds fetch-soon`, `disable`, `remove`…: changes by an operator."""

import sys
from collections.abc import Sequence
from datetime import timedelta
from typing import Annotated

import typer
from pydantic import Field

from indexer.commands.console.parameters import ConfirmOptions, JSONOptions, with_options
from indexer.commands.console.terminal import cell, confirm, line_of_json
from indexer.commands.feeds.database import (
    FeedName,
    FeedNames,
    FeedsCommandOptions,
    OfSourceOptions,
    counted,
    opened,
)
from indexer.database import Database
from indexer.errors import ConfigurationError
from indexer.feeds.registry import changing
from indexer.feeds.registry.changing import fetch_feed_soon, fetch_source_soon
from indexer.feeds.registry.feed_spec import fault
from indexer.feeds.registry.finding import named, of_source
from indexer.feeds.saving.clearing import clear_stories
from indexer.feeds.store import FeedsOptions, utc_now
from indexer.system.options import option

OptionalFeeds = Annotated[
    list[str] | None, typer.Argument(metavar="[FEED]...", help="The ids or URLs of feeds.")
]


class FetchSoonOptions(FeedsOptions, OfSourceOptions, JSONOptions):
    """Options of `fetch-soon`."""

    all_: bool = option(False, "All feeds, at random within the time of --within.")
    within: Annotated[float, Field(ge=0)] = option(
        6.0, "The time span of --all, in hours.", metavar="HOURS"
    )


class EnableOptions(FeedsOptions, OfSourceOptions, JSONOptions):
    """Options of `enable`."""


class DisableOptions(FeedsOptions, OfSourceOptions, JSONOptions):
    """Options of `disable`."""

    why: str = option("", "The reason, for the history.")


class IntervalOptions(FeedsOptions, OfSourceOptions, JSONOptions):
    """Options of `interval`."""

    every: int | None = option(
        None, "The interval between polls, at least 10 minutes.", metavar="MINUTES"
    )
    auto: bool = option(False, "Compute the interval from the feed's news again: the default.")


class UrlOptions(FeedsOptions, JSONOptions):
    """Options of `url`."""

    original: bool = option(
        False, "Use the directory's URL again, not the one that redirects led to."
    )


class ClearOptions(FeedsOptions, JSONOptions, ConfirmOptions):
    """Options of `clear`."""


@with_options
def fetch_soon(options: FetchSoonOptions, feeds: OptionalFeeds = None) -> None:
    """Have feeds polled soon: named feeds at once, those of a source within three hours.

    A named feed is enabled again if failures had disabled it, and its failures are reset. A feed
    that is being polled is left alone. Pauses that hosts asked for (Retry-After) still apply.

    --all is for a database that was copied or restored, whose feeds would all be due at once.

    Examples:

        story-indexer feeds fetch-soon 7 https://site.example/feed

        story-indexer feeds fetch-soon --source 12

        story-indexer feeds fetch-soon --all --within 6
    """
    # --all is explicit: a forgotten argument must not select all feeds.
    if sum((bool(feeds), options.source is not None, options.all_)) != 1:
        raise ConfigurationError("give one of these: feeds, --source ID, or --all")
    moment = utc_now()
    with opened(options) as database:
        if options.all_:
            number = changing.spread(database, moment, timedelta(hours=options.within))
        elif options.source is not None:
            number = fetch_source_soon(database, options.source, moment)
        else:
            number = 0
            for feed in named(database, feeds or []):
                done = fetch_feed_soon(database, feed.id, moment)
                if not done:
                    _warn(f"feed {feed.id}: being polled, or removed: left alone")
                number += done
    _print(f"{counted(number)} to be polled soon", "requested", number, options)


@with_options
def disable(options: DisableOptions, feeds: OptionalFeeds = None) -> None:
    """Stop polling feeds, whatever the directory says, until they are enabled.

    Examples:

        story-indexer feeds disable 7 --why "the publisher asked for it"

        story-indexer feeds disable --source 12
    """
    with opened(options) as database:
        ids = _ids(database, feeds, options.source)
        changed = changing.disable(database, ids, utc_now(), options.why)
    _print(f"{counted(len(changed))} disabled", "disabled", len(changed), options)


@with_options
def enable(options: EnableOptions, feeds: OptionalFeeds = None) -> None:
    """Poll feeds again, at once: feeds that were disabled, not active, or gone.

    The directory's setting applies again when it changes there, or at the next full sync.

    Examples:

        story-indexer feeds enable 7 8

        story-indexer feeds enable --source 12
    """
    with opened(options) as database:
        changed = changing.enable(database, _ids(database, feeds, options.source))
    _print(f"{counted(len(changed))} enabled", "enabled", len(changed), options)


@with_options
def interval(options: IntervalOptions, feeds: OptionalFeeds = None) -> None:
    """Set the interval between polls of feeds, in place of the computed one.

    Examples:

        story-indexer feeds interval 7 --every 15

        story-indexer feeds interval --source 12 --auto
    """
    minutes = options.every
    if (minutes is None) is not options.auto:
        raise ConfigurationError("give one of these: --every MINUTES, or --auto")
    with opened(options) as database:
        ids = _ids(database, feeds, options.source)
        changed = changing.override_interval(database, ids, minutes, utc_now())
    how = "as often as there is news" if minutes is None else f"every {minutes} minutes"
    _print(f"{counted(len(changed))} to be polled {how}", "changed", len(changed), options)


@with_options
def change_url(
    feed: FeedName,
    options: UrlOptions,
    url: Annotated[str, typer.Argument(metavar="[URL]", help="The new URL.")] = "",
) -> None:
    """Give a feed another URL, and reset all that belonged to the old one.

    Its stories and its history stay. --original undoes an adoption after redirects.

    Examples:

        story-indexer feeds url 7 https://site.example/news.xml

        story-indexer feeds url 7 --original
    """
    if bool(url) is options.original:
        raise ConfigurationError("give one of these: the new URL, or --original")
    if why := url and fault(url):
        raise ConfigurationError(f"not the URL of a feed: {why}")
    with opened(options) as database:
        # Several feeds may have the URL that names this one.
        ids = [each.id for each in named(database, [feed])]
        if options.original:
            changed = len(changing.forget_adopted(database, ids))
        else:
            if len(ids) > 1:
                raise ConfigurationError(f"several feeds have that URL, give the id of one: {ids}")
            changed = int(changing.set_url(database, ids[0], url))
            # URLs are not unique: the feed may now be polled twice.
            for twin in named(database, [url]) if changed else ():
                if twin.id != ids[0] and twin.removed_at is None:
                    _warn(f"feed {twin.id} has this URL, too")
    _print("changed" if changed else "it was so already", "changed", changed, options)


@with_options
def remove(feeds: FeedNames, options: FeedsCommandOptions) -> None:
    """Remove feeds: they are neither polled nor listed. Their stories stay.

    A feed that is added again is restored with its history.

    Examples:

        story-indexer feeds remove 7 https://site.example/feed
    """
    with opened(options) as database:
        changed = changing.remove(database, _ids(database, feeds, None), utc_now())
    _print(f"{counted(len(changed))} removed", "removed", len(changed), options)


@with_options
def clear(feeds: FeedNames, options: ClearOptions) -> None:
    """Delete the stories that only these feeds have shown, so that they are found again.

    At the next poll the items that a feed still has become stories with new ids: readers of the
    stories get them twice.

    Examples:

        story-indexer feeds clear 7 --yes
    """
    with opened(options) as database:
        found = named(database, feeds)
        confirm(f"Forget the stories of {counted(len(found))}?", yes=options.yes)
        cleared = sum(clear_stories(database, feed.id) for feed in found)
    _print(f"{cleared:,} stories forgotten", "cleared", cleared, options)


def _ids(database: Database, feeds: Sequence[str] | None, source: int | None) -> list[int]:
    """Find the named feeds, or those of a source. Raises ConfigurationError, InputError."""
    if bool(feeds) is (source is not None):
        raise ConfigurationError("give one of these: feeds, or --source ID")
    if source is not None:
        return of_source(database, source)
    return [feed.id for feed in named(database, feeds or [])]


def _print(text: str, name: str, number: int, options: JSONOptions) -> None:
    print(line_of_json({name: number}) if options.json_ else text)


def _warn(text: str) -> None:
    print(cell(text), file=sys.stderr)
