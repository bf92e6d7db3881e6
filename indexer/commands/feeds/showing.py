"""`story-indexer feeds show` and `history`: a feed's state and its events."""

from typing import Annotated

from pydantic import Field

from indexer.commands.console.parameters import JSONOptions, with_options
from indexer.commands.feeds.database import FeedName, opened
from indexer.feeds.store import FeedsOptions
from indexer.system.options import option


class FeedShowOptions(FeedsOptions, JSONOptions):
    """Options of `show`."""

    events: Annotated[int, Field(ge=0)] = option(10, "The most events to show.")


class HistoryOptions(FeedsOptions, JSONOptions):
    """Options of `history`."""

    limit: Annotated[int, Field(ge=0)] = option(30, "The most events to show; 0: all.")


@with_options
def show(feed: FeedName, options: FeedShowOptions) -> None:
    """Show a feed's state, its last events, and when and why it is polled next.

    If several feeds have the URL, each is shown. Times are UTC.

    Examples:

        story-indexer feeds show 7

        story-indexer feeds show https://site.example/feed --events 30

        story-indexer feeds show 7 --json | jq .next
    """
    from indexer.commands.feeds import feed_details  # noqa: PLC0415 - not for the help

    with opened(options) as database:
        feed_details.print_feed(database, feed, options.events, as_json=options.json_)


@with_options
def show_history(feed: FeedName, options: HistoryOptions) -> None:
    """Show the events of a feed, the newest first: status, bytes, items by reason.

    FETCH_EVENT_ROWS (30) events are kept of each feed. Times are UTC.

    Examples:

        story-indexer feeds history 7

        story-indexer feeds history 7 --limit 0 --json | jq -r .note
    """
    from indexer.commands.feeds import feed_details  # noqa: PLC0415 - not for the help

    with opened(options) as database:
        feed_details.print_history(database, feed, options.limit or None, as_json=options.json_)
