"""`story-indexer feeds`: which feeds are polled, how they fare, and what an operator decides."""

import typer

from indexer.commands.feeds import adding as feeds_add
from indexer.commands.feeds import changing as feeds_change
from indexer.commands.feeds import daily as feeds_daily
from indexer.commands.feeds import exporting as feeds_export
from indexer.commands.feeds import listing as feeds_list
from indexer.commands.feeds import pruning as feeds_prune
from indexer.commands.feeds import showing as feeds_show
from indexer.commands.feeds import syncing as feeds_sync
from indexer.commands.feeds import trying as feeds_try
from indexer.system.logs import route_structlog

app = typer.Typer(
    help="""Feeds: add, import and export them, look into them, and say how they are polled.

    Examples:

        story-indexer feeds add https://site.example/

        story-indexer feeds list --failing

        story-indexer feeds show 7
    """,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)


@app.callback()
def _start() -> None:
    # What is logged on the way is no output.
    route_structlog()


app.command()(feeds_add.add)
app.command("import")(feeds_add.import_feeds)
app.command()(feeds_export.export)
app.command("list")(feeds_list.list_feeds)
app.command()(feeds_show.show)
app.command("history")(feeds_show.show_history)
app.command("fetch-soon")(feeds_change.fetch_soon)
app.command()(feeds_change.disable)
app.command()(feeds_change.enable)
app.command()(feeds_change.interval)
app.command("url")(feeds_change.change_url)
app.command()(feeds_change.clear)
app.command()(feeds_change.remove)
app.command("try")(feeds_try.try_url)
app.command("sync")(feeds_sync.sync_feeds)
app.command()(feeds_prune.prune)
app.command()(feeds_daily.daily)
