"""`story-indexer feeds`: commands for the feeds that are polled."""

from collections.abc import Mapping

from indexer.commands.console.groups import Later, LazyGroup, new_app

_HERE = "indexer.commands.feeds"

COMMANDS: Mapping[str, Later] = {
    "add": Later(
        f"{_HERE}.adding:add",
        "Add feeds: they are polled as soon as possible.",
    ),
    "import": Later(
        f"{_HERE}.adding:import_feeds",
        "Import lists of feeds, all in one transaction; first polls at random within six hours.",
    ),
    "export": Later(
        f"{_HERE}.listing:export",
        "Export the feeds as CSV, OPML, or one URL per line.",
    ),
    "list": Later(
        f"{_HERE}.listing:list_feeds",
        "List feeds by id: status, failures, interval, next poll. Several filters apply together.",
    ),
    "show": Later(
        f"{_HERE}.showing:show",
        "Show a feed's state, its last events, and when and why it is polled next.",
    ),
    "history": Later(
        f"{_HERE}.showing:show_history",
        "Show the events of a feed, the newest first: status, bytes, items by reason.",
    ),
    "fetch-soon": Later(
        f"{_HERE}.changing:fetch_soon",
        "Have feeds polled soon: named feeds at once, those of a source within three hours.",
    ),
    "disable": Later(
        f"{_HERE}.changing:disable",
        "Stop polling feeds, whatever the directory says, until they are enabled.",
    ),
    "enable": Later(
        f"{_HERE}.changing:enable",
        "Poll feeds again, at once: feeds that were disabled, not active, or gone.",
    ),
    "interval": Later(
        f"{_HERE}.changing:interval",
        "Set the interval between polls of feeds, in place of the computed one.",
    ),
    "url": Later(
        f"{_HERE}.changing:change_url",
        "Give a feed another URL, and reset all that belonged to the old one.",
    ),
    "clear": Later(
        f"{_HERE}.changing:clear",
        "Delete the stories that only these feeds have shown, so that they are found again.",
    ),
    "remove": Later(
        f"{_HERE}.changing:remove",
        "Remove feeds: they are neither polled nor listed. Their stories stay.",
    ),
    "try": Later(
        f"{_HERE}.trying:try_url",
        "Try a feed: fetch and read it, and show the decision on each item. Nothing is stored.",
    ),
    "sync": Later(
        f"{_HERE}.syncing:sync_feeds",
        "Synchronise the feeds with a directory: apply its changes since the last sync.",
    ),
    "prune": Later(
        f"{_HERE}.pruning:prune",
        "Delete old rows: without --delete, only show how many would be deleted.",
    ),
    "take-over": Later(
        f"{_HERE}.taking_over:take_over",
        "Take over the database of an existing rss-fetcher, with its feeds, stories and events.",
    ),
    "daily": Later(
        f"{_HERE}.daily:daily",
        "Write the daily RSS files: mc-YYYY-MM-DD.rss.gz, one for each day (UTC) that has none "
        "yet.",
    ),
}


class _Feeds(LazyGroup):
    later = COMMANDS


app = new_app(
    """Add, import and export feeds, look into them, and change how they are polled.

    Examples:

        story-indexer feeds add https://site.example/

        story-indexer feeds list --failing

        story-indexer feeds show 7
    """,
    _Feeds,
)
