"""`story-indexer feeds fetch-soon`, `disable`, `remove`…: changes by an operator."""

from datetime import timedelta
from typing import Annotated

import typer
from pydantic import Field

from indexer.commands.console.parameters import ConfirmOptions, JSONOptions, with_options
from indexer.commands.feeds.database import (
    FeedName,
    FeedNames,
    FeedsCommandOptions,
    OfSourceOptions,
    opened,
)
from indexer.errors import ConfigurationError
from indexer.feeds.store import FeedsOptions
from indexer.system.options import option

OptionalFeeds = Annotated[
    list[str] | None, typer.Argument(metavar="FEED", help="The ids or URLs of feeds.")
]


class FetchSoonOptions(FeedsOptions, OfSourceOptions, JSONOptions):
    """Options of `fetch-soon`."""

    ignore_retry_after: bool = option(
        False, "Named feeds: end the wait that their hosts asked for (Retry-After)."
    )
    failing: bool = option(False, "All feeds whose last poll failed, at once.")
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
    that is being polled is left alone. Pauses that hosts asked for (Retry-After) still apply,
    unless --ignore-retry-after ends them for all feeds of these hosts.

    --failing polls again the feeds that failed because of a wrong setting or of the network, after
    that was repaired. Disabled feeds stay disabled.

    --all is for a database that was copied or restored, whose feeds would all be due at once.

    Examples:

        story-indexer feeds fetch-soon 7 https://site.example/feed

        story-indexer feeds fetch-soon 7 --ignore-retry-after

        story-indexer feeds fetch-soon --failing

        story-indexer feeds fetch-soon --source 12

        story-indexer feeds fetch-soon --all --within 6
    """
    # --all is explicit: a forgotten argument must not select all feeds.
    if sum((bool(feeds), options.source is not None, options.failing, options.all_)) != 1:
        raise ConfigurationError("give one of these: feeds, --source ID, --failing, or --all")
    if options.ignore_retry_after and not feeds:
        raise ConfigurationError("--ignore-retry-after is for named feeds")
    from indexer.commands.feeds.feed_changes import FeedChanges  # noqa: PLC0415 - not for the help

    with opened(options) as database:
        changes = FeedChanges(database, options.json_)
        if options.all_:
            changes.spread(timedelta(hours=options.within))
        elif options.failing:
            changes.fetch_failing_soon()
        elif options.source is not None:
            changes.fetch_source_soon(options.source)
        else:
            changes.fetch_soon(feeds or [], ignore_retry_after=options.ignore_retry_after)


@with_options
def disable(options: DisableOptions, feeds: OptionalFeeds = None) -> None:
    """Stop polling feeds, whatever the directory says, until they are enabled.

    Examples:

        story-indexer feeds disable 7 --why "the publisher asked for it"

        story-indexer feeds disable --source 12
    """
    from indexer.commands.feeds.feed_changes import FeedChanges  # noqa: PLC0415 - not for the help

    with opened(options) as database:
        FeedChanges(database, options.json_).disable(feeds, options.source, options.why)


@with_options
def enable(options: EnableOptions, feeds: OptionalFeeds = None) -> None:
    """Poll feeds again, at once: feeds that were disabled, not active, or gone.

    The directory's setting applies again when it changes there, or at the next full sync.

    Examples:

        story-indexer feeds enable 7 8

        story-indexer feeds enable --source 12
    """
    from indexer.commands.feeds.feed_changes import FeedChanges  # noqa: PLC0415 - not for the help

    with opened(options) as database:
        FeedChanges(database, options.json_).enable(feeds, options.source)


@with_options
def interval(options: IntervalOptions, feeds: OptionalFeeds = None) -> None:
    """Set the interval between polls of feeds, in place of the computed one.

    Examples:

        story-indexer feeds interval 7 --every 15

        story-indexer feeds interval --source 12 --auto
    """
    if (options.every is None) is not options.auto:
        raise ConfigurationError("give one of these: --every MINUTES, or --auto")
    from indexer.commands.feeds.feed_changes import FeedChanges  # noqa: PLC0415 - not for the help

    with opened(options) as database:
        FeedChanges(database, options.json_).override_interval(feeds, options.source, options.every)


@with_options
def change_url(
    feed: FeedName,
    options: UrlOptions,
    url: Annotated[str, typer.Argument(metavar="URL", help="The new URL.")] = "",
) -> None:
    """Give a feed another URL, and reset all that belonged to the old one.

    Its stories and its history stay. --original undoes an adoption after redirects.

    Examples:

        story-indexer feeds url 7 https://site.example/news.xml

        story-indexer feeds url 7 --original
    """
    from indexer.commands.feeds.feed_changes import FeedChanges  # noqa: PLC0415 - not for the help
    from indexer.feeds.registry.feed_spec import fault  # noqa: PLC0415

    if bool(url) is options.original:
        raise ConfigurationError("give one of these: the new URL, or --original")
    if why := url and fault(url):
        raise ConfigurationError(f"not the URL of a feed: {why}")
    with opened(options) as database:
        changes = FeedChanges(database, options.json_)
        if options.original:
            changes.forget_adopted(feed)
        else:
            changes.set_url(feed, url)


@with_options
def remove(feeds: FeedNames, options: FeedsCommandOptions) -> None:
    """Remove feeds: they are neither polled nor listed. Their stories stay.

    A feed that is added again is restored with its history.

    Examples:

        story-indexer feeds remove 7 https://site.example/feed
    """
    from indexer.commands.feeds.feed_changes import FeedChanges  # noqa: PLC0415 - not for the help

    with opened(options) as database:
        FeedChanges(database, options.json_).remove(feeds)


@with_options
def clear(feeds: FeedNames, options: ClearOptions) -> None:
    """Delete the stories that only these feeds have shown, so that they are found again.

    At the next poll the items that a feed still has become stories with new ids: readers of the
    stories get them twice.

    Examples:

        story-indexer feeds clear 7 --yes
    """
    from indexer.commands.feeds.feed_changes import FeedChanges  # noqa: PLC0415 - not for the help

    with opened(options) as database:
        FeedChanges(database, options.json_).clear(feeds, yes=options.yes)
