"""`story-indexer follow`: polls feeds for as long as it runs; every new story is indexed."""

import sys
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.console import Console

from indexer.commands.console.terminal import say, this_command
from indexer.commands.feeds.database import counted
from indexer.commands.running.following import Followed, Following
from indexer.commands.running.plan import FOLLOW, RunOptions, RunRequest, pairs
from indexer.commands.running.run_options import (
    ArchiveURLs,
    BrokerURL,
    Contact,
    Data,
    IndexURL,
    Settings,
)
from indexer.commands.running.summary import place
from indexer.system import logs
from indexer.system.options import environment
from indexer.system.signals import stop_on_signals

DATABASE = "FEEDS_DATABASE_URL"


def follow(  # noqa: PLR0913, PLR0917 - the options of a command
    feeds: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FEED]...",
            help="Feeds, or pages that name theirs; files or URLs of lists of them, as OPML, CSV, "
            "or one a line. Without any: those that were named before.",
        ),
    ] = None,
    data: Data = None,
    database: Annotated[
        str,
        typer.Option(
            "--database-url",
            metavar="URL",
            help="sqlite:///FILE or postgresql://HOST/NAME [env FEEDS_DATABASE_URL]",
        ),
    ] = "",
    broker: BrokerURL = "",
    index: IndexURL = "",
    archive: ArchiveURLs = None,
    interval: Annotated[
        float | None,
        typer.Option(
            "--interval",
            metavar="MINUTES",
            min=10,
            help="Between two polls of a feed of which nothing is known yet; then its own pace "
            "decides.",
            show_default="60",
        ),
    ] = None,
    contact: Contact = "",
    seconds: Annotated[
        float | None,
        typer.Option("--for", metavar="SECONDS", min=0, help="Poll for so long, then end."),
    ] = None,
    once: Annotated[
        bool, typer.Option("--once", help="Poll each feed that is due now once, then end.")
    ] = False,
    setting: Settings = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="What came of it as JSON, on standard output.")
    ] = False,
) -> None:
    """Poll feeds, each at its own pace; fetch, index and archive every new story, for as long as
    it runs.

    Ctrl-C stops cleanly; the same command goes on later, and needs no feeds named again. With
    --for or --once, for cron: it ends by itself when all that was found is indexed and archived.

    Examples:

        story-indexer follow https://site.example/ https://other.example/rss.xml

        story-indexer follow subscriptions.opml --contact https://me.example/

        story-indexer follow

        story-indexer follow --once --data /srv/news
    """
    known = RunOptions.of(environment())
    settings = pairs("--set", setting or [])
    for name, value in (("FETCHER_CONTACT_URL", contact), (DATABASE, database)):
        if value:
            settings[name] = value
    if interval is not None:
        settings["DEFAULT_INTERVAL_MINS"] = str(interval)
    request = RunRequest(
        inputs=feeds or [],
        type=FOLLOW,
        data=data or known.data,
        broker=broker or known.broker_url.get_secret_value(),
        index=index or known.index_url.get_secret_value(),
        archives=archive or known.archive_url,
        settings=settings,
    )
    logs.set_up("warning")
    console = Console(stderr=as_json)
    followed = Following(request, console, seconds, once=once).perform(stop_on_signals())
    if as_json:
        sys.stdout.write(msgspec.json.format(msgspec.json.encode(followed)).decode() + "\n")
    else:
        _show(followed, request, console)


def _show(followed: Followed, request: RunRequest, console: Console) -> None:
    """The end, for a person."""
    polls = followed.fetched + sum(followed.failures.values())
    say(
        console,
        f"{counted(followed.feeds)}, polled {'once' if polls == 1 else f'{polls:,} times'}: "
        f"{followed.new_stories} new stories, {followed.indexed} indexed, "
        f"{followed.archived} archived, {followed.left} left in the queues.",
    )
    for what, reasons in (("failed", followed.failures), ("dropped", followed.dropped)):
        if reasons:
            each = ", ".join(f"{status} {count}" for status, count in reasons.items())
            say(console, f"{what} {sum(reasons.values())}: {each}")
    where = "" if request.data == Path("data") else f" --data {request.data}"
    say(console, f"\nSearch them:   {this_command()} search{where} WORDS")
    for url in followed.warc_files[:1]:
        say(console, f"Look inside:   {this_command()} warc list {place(url)}")
    say(console, f"Go on:         {this_command()} follow{where}")
