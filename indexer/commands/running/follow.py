"""`story-indexer follow`: poll feeds, and index every new story, until it is stopped."""

import sys
from typing import Annotated

import msgspec
import typer
from pydantic import Field, SecretStr
from rich.console import Console

from indexer.commands.console.parameters import with_options
from indexer.commands.console.terminal import say, this_command
from indexer.commands.feeds.database import counted
from indexer.commands.running.following import Followed, Following
from indexer.commands.running.plan import FOLLOW
from indexer.commands.running.run_options import PipelineOptions, suggest
from indexer.commands.running.summary import listed
from indexer.system import logs
from indexer.system.options import option
from indexer.system.signals import stop_on_signals


class FollowOptions(PipelineOptions):
    """Options of `follow`."""

    database_url: SecretStr = option(
        SecretStr(""),
        "sqlite:///FILE or postgresql://HOST/NAME",
        "FEEDS_DATABASE_URL",
        metavar="URL",
    )
    interval: Annotated[float | None, Field(ge=10)] = option(
        None,
        "Time between polls of a new feed, until its own pace is known; default 60.",
        metavar="MINUTES",
    )
    for_: Annotated[float | None, Field(ge=0)] = option(
        None, "Poll for so long, then end.", metavar="SECONDS"
    )
    once: bool = option(False, "Poll each feed that is due once, then end.")


@with_options
def follow(
    options: FollowOptions,
    feeds: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FEED]...",
            help="Feeds, or pages that link to feeds; files or URLs of lists of them, as OPML, "
            "CSV, or one a line. Default: the feeds that were named before.",
        ),
    ] = None,
) -> None:
    """Poll feeds, each at its own pace; fetch, index and archive every new story, for as long as
    it runs.

    Ctrl-C stops cleanly; the same command continues later, and remembers its feeds. With --for or
    --once, for cron, it ends by itself when all stories that were found are indexed and archived.

    Examples:

        story-indexer follow https://site.example/ https://other.example/rss.xml

        story-indexer follow subscriptions.opml --contact https://me.example/

        story-indexer follow

        story-indexer follow --once --data /srv/news
    """
    settings = {
        "FETCHER_CONTACT_URL": options.contact,
        "FEEDS_DATABASE_URL": options.database_url.get_secret_value(),
        "DEFAULT_INTERVAL_MINS": options.interval,
    }
    request = options.request(feeds, FOLLOW, settings)
    # Errors of the database and the supervisor, between the lines of progress.
    logs.set_up("warning")
    console = Console(stderr=options.json_)
    following = Following(request, console, options.for_, once=options.once)
    followed = following.perform(stop_on_signals())
    if options.json_:
        sys.stdout.write(msgspec.json.format(msgspec.json.encode(followed)).decode() + "\n")
    else:
        _show(options, followed, console)


def _show(options: FollowOptions, followed: Followed, console: Console) -> None:
    """Print the counts for a person, and commands to continue with."""
    polls = followed.fetched + sum(followed.failures.values())
    say(
        console,
        f"{counted(followed.feeds)}, polled {'once' if polls == 1 else f'{polls:,} times'}: "
        f"{followed.new_stories} new stories, {followed.indexed} indexed, "
        f"{followed.archived} archived, {followed.left} left in the queues.",
    )
    for result, reasons in (("failed", followed.failures), ("dropped", followed.dropped)):
        if reasons:
            say(console, f"{result} {sum(reasons.values())}: {listed(reasons)}")
    suggest(console, f"{options.data_flag} WORDS", followed.warc_files)
    say(console, f"Go on:         {this_command()} follow{options.data_flag}")
