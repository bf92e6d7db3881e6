"""`story-indexer feeds`: commands for the feeds that are polled."""

from indexer.commands.console.parameters import new_app
from indexer.commands.feeds.adding import add, import_feeds
from indexer.commands.feeds.changing import (
    change_url,
    clear,
    disable,
    enable,
    fetch_soon,
    interval,
    remove,
)
from indexer.commands.feeds.daily import daily
from indexer.commands.feeds.listing import export, list_feeds
from indexer.commands.feeds.pruning import prune
from indexer.commands.feeds.showing import show, show_history
from indexer.commands.feeds.syncing import sync_feeds
from indexer.commands.feeds.trying import try_url
from indexer.system.logs import route_structlog

app = new_app(
    """Add, import and export feeds, look into them, and change how they are polled.

    Examples:

        story-indexer feeds add https://site.example/

        story-indexer feeds list --failing

        story-indexer feeds show 7
    """
)


@app.callback()
def _start() -> None:
    # Log lines go to standard error: standard output is for results.
    route_structlog()


app.command()(add)
app.command("import")(import_feeds)
app.command()(export)
app.command("list")(list_feeds)
app.command()(show)
app.command("history")(show_history)
app.command("fetch-soon")(fetch_soon)
app.command()(disable)
app.command()(enable)
app.command()(interval)
app.command("url")(change_url)
app.command()(clear)
app.command()(remove)
app.command("try")(try_url)
app.command("sync")(sync_feeds)
app.command()(prune)
app.command()(daily)
