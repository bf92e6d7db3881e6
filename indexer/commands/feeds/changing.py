"""`story-indexer feeds fetch-soon`, `disable`, `remove`…: what an operator decides of feeds."""

import sys
from collections.abc import Sequence
from datetime import timedelta
from typing import Annotated

import typer

from indexer.commands.console.terminal import AsJson, cell, confirm, line_of_json
from indexer.commands.feeds.database import (
    Data,
    DatabaseURL,
    FeedNames,
    OfSource,
    OpenedFeeds,
    counted,
)
from indexer.database import Database
from indexer.errors import ConfigurationError
from indexer.feeds.clock import utc_now
from indexer.feeds.polling.fetch_soon import fetch_feed_soon, fetch_source_soon
from indexer.feeds.registry import changing
from indexer.feeds.registry.feed_spec import fault
from indexer.feeds.registry.finding import named, of_source
from indexer.feeds.saving.clearing import clear_stories

Optional = Annotated[
    list[str] | None, typer.Argument(metavar="[FEED]...", help="The ids or URLs of feeds.")
]


def fetch_soon(
    feeds: Optional = None,
    source: OfSource = None,
    everything: Annotated[
        bool, typer.Option("--all", help="All feeds, at random within the time of --within.")
    ] = False,
    hours: Annotated[
        float, typer.Option("--within", metavar="HOURS", min=0, help="For --all.")
    ] = 6.0,
    data: Data = "",
    database_url: DatabaseURL = "",
    as_json: AsJson = False,
) -> None:
    """Have feeds polled soon: a feed at once, those of a source within three hours.

    A feed that is named is enabled again if failures had disabled it, and its failures are
    forgotten. Those under way are left alone. What hosts asked for (Retry-After) still counts.

    --all is for a database that was copied or was away: all feeds would be due at once.

    Examples:

        story-indexer feeds fetch-soon 7 https://site.example/feed

        story-indexer feeds fetch-soon --source 12

        story-indexer feeds fetch-soon --all --within 6
    """
    if sum((bool(feeds), source is not None, everything)) != 1:
        raise ConfigurationError("say which: feeds, --source ID, or --all")
    moment = utc_now()
    with OpenedFeeds(database_url, data) as database:
        if everything:
            number = changing.spread(database, moment, timedelta(hours=hours))
        elif source is not None:
            number = fetch_source_soon(database, source, moment)
        else:
            number = 0
            for feed in named(database, feeds or []):
                done = fetch_feed_soon(database, feed.id, moment)
                if not done:
                    _warn(f"feed {feed.id}: under way, or removed: left alone")
                number += done
    _tell(f"{counted(number)} to be polled soon", number, "requested", as_json=as_json)


def disable(
    feeds: Optional = None,
    source: OfSource = None,
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="For the history.")] = "",
    data: Data = "",
    database_url: DatabaseURL = "",
    as_json: AsJson = False,
) -> None:
    """Don't poll feeds any more, whatever the directory says, until they are enabled.

    Examples:

        story-indexer feeds disable 7 --why "the publisher asked for it"

        story-indexer feeds disable --source 12
    """
    with OpenedFeeds(database_url, data) as database:
        changed = changing.disable(database, _ids(database, feeds, source), utc_now(), why)
    _tell(f"{counted(len(changed))} disabled", len(changed), "disabled", as_json=as_json)


def enable(
    feeds: Optional = None,
    source: OfSource = None,
    data: Data = "",
    database_url: DatabaseURL = "",
    as_json: AsJson = False,
) -> None:
    """Poll feeds again, at once: those that were disabled, were not active, or are gone.

    What the directory says of them counts again when it changes it, or at the next full sync.

    Examples:

        story-indexer feeds enable 7 8

        story-indexer feeds enable --source 12
    """
    with OpenedFeeds(database_url, data) as database:
        changed = changing.enable(database, _ids(database, feeds, source))
    _tell(f"{counted(len(changed))} enabled", len(changed), "enabled", as_json=as_json)


def interval(
    feeds: Optional = None,
    minutes: Annotated[
        int | None,
        typer.Option("--every", metavar="MINUTES", help="Poll them so often; 10 at least."),
    ] = None,
    automatic: Annotated[
        bool, typer.Option("--auto", help="As often as there is news: the default.")
    ] = False,
    source: OfSource = None,
    data: Data = "",
    database_url: DatabaseURL = "",
    as_json: AsJson = False,
) -> None:
    """Say how often feeds are polled, instead of what is computed for each.

    Examples:

        story-indexer feeds interval 7 --every 15

        story-indexer feeds interval --source 12 --auto
    """
    if (minutes is None) is not automatic:
        raise ConfigurationError("say how often: --every MINUTES, or --auto")
    with OpenedFeeds(database_url, data) as database:
        ids = _ids(database, feeds, source)
        changed = changing.override_interval(database, ids, minutes, utc_now())
    how = "as often as there is news" if minutes is None else f"every {minutes} minutes"
    text = f"{counted(len(changed))} to be polled {how}"
    _tell(text, len(changed), "changed", as_json=as_json)


def change_url(
    feed: Annotated[str, typer.Argument(metavar="FEED", help="The id or URL of a feed.")],
    url: Annotated[str, typer.Argument(metavar="[URL]", help="The new one.")] = "",
    original: Annotated[
        bool, typer.Option("--original", help="The directory's again, not where redirects led.")
    ] = False,
    data: Data = "",
    database_url: DatabaseURL = "",
    as_json: AsJson = False,
) -> None:
    """Give a feed another URL: nothing that is known of the old one counts any more.

    Its stories and its history stay. --original undoes what was adopted after redirects.

    Examples:

        story-indexer feeds url 7 https://site.example/news.xml

        story-indexer feeds url 7 --original
    """
    if bool(url) is original:
        raise ConfigurationError("say which: the new URL, or --original")
    if why := url and fault(url):
        raise ConfigurationError(f"not the URL of a feed: {why}")
    with OpenedFeeds(database_url, data) as database:
        ids = [each.id for each in named(database, [feed])]
        if original:
            changed = len(changing.forget_adopted(database, ids))
        else:
            if len(ids) > 1:
                raise ConfigurationError(f"several feeds have that URL, say the id: {ids}")
            changed = int(changing.set_url(database, ids[0], url))
            for twin in named(database, [url]) if changed else ():
                if twin.id != ids[0] and twin.removed_at is None:
                    _warn(f"feed {twin.id} has this URL, too")
    _tell("changed" if changed else "it was so already", changed, "changed", as_json=as_json)


def remove(
    feeds: FeedNames,
    data: Data = "",
    database_url: DatabaseURL = "",
    as_json: AsJson = False,
) -> None:
    """Remove feeds: they are neither polled nor listed. Their stories stay.

    To add one again brings it back with its history.

    Examples:

        story-indexer feeds remove 7 https://site.example/feed
    """
    with OpenedFeeds(database_url, data) as database:
        changed = changing.remove(database, _ids(database, feeds, None), utc_now())
    _tell(f"{counted(len(changed))} removed", len(changed), "removed", as_json=as_json)


def clear(
    feeds: FeedNames,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    data: Data = "",
    database_url: DatabaseURL = "",
    as_json: AsJson = False,
) -> None:
    """Forget the stories that only these feeds have shown, so that they are found anew.

    Those that a feed still has are stories again at its next poll, with other ids: who reads the
    stories gets them twice.

    Examples:

        story-indexer feeds clear 7 --yes
    """
    with OpenedFeeds(database_url, data) as database:
        found = named(database, feeds)
        confirm(f"Forget the stories of {counted(len(found))}?", yes=yes)
        cleared = sum(clear_stories(database, feed.id) for feed in found)
    _tell(f"{cleared:,} stories forgotten", cleared, "cleared", as_json=as_json)


def _ids(database: Database, feeds: Sequence[str] | None, source: int | None) -> list[int]:
    """Those that are named, or of a source. Raises ConfigurationError, InputError."""
    if bool(feeds) is (source is not None):
        raise ConfigurationError("say which: feeds, or --source ID")
    if source is not None:
        return of_source(database, source)
    return [feed.id for feed in named(database, feeds or [])]


def _tell(text: str, number: int, name: str, *, as_json: bool) -> None:
    print(line_of_json({name: number}) if as_json else text)


def _warn(text: str) -> None:
    print(cell(text), file=sys.stderr)
