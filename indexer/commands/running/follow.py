"""`story-indexer follow`: poll feeds, and index every new story, until it is stopped."""

from typing import Annotated

import typer
from pydantic import Field

from indexer.commands.console.parameters import with_options
from indexer.commands.console.terminal import lines_of_json
from indexer.commands.feeds.database import ListColumnOptions
from indexer.commands.running.run_options import PipelineOptions
from indexer.feeds.store import FeedsOptions
from indexer.system.options import group, option
from indexer.system.signals import stop_on_signals


class FollowOptions(PipelineOptions, ListColumnOptions):
    """Options of `follow`."""

    feeds: FeedsOptions = group(FeedsOptions)
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
            metavar="FEED",
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
    # The help needs none of them.
    import msgspec  # noqa: PLC0415
    from rich.console import Console  # noqa: PLC0415

    from indexer.commands.running.following import Following, show  # noqa: PLC0415
    from indexer.commands.running.plan import FOLLOW  # noqa: PLC0415
    from indexer.commands.running.telling import advising  # noqa: PLC0415
    from indexer.system import logs  # noqa: PLC0415

    settings = {"DEFAULT_INTERVAL_MINS": options.interval}
    database = options.feeds.database_url.get_secret_value()
    request = options.request(feeds, FOLLOW, settings, feeds=database)
    # Errors of the database and the supervisor, between the lines of progress.
    logs.set_up("warning")
    console = Console(stderr=options.json_)
    following = Following(
        request, console, options.for_, once=options.once, columns=options.columns
    )
    with advising():
        followed = following.perform(stop_on_signals())
    if options.json_:
        print(lines_of_json(msgspec.to_builtins(followed)))
    else:
        show(followed, console, options.data_flag, following.index_flag)
    if following.failure is not None:
        raise following.failure
