"""`story-indexer feeds prune`: deletes old stories, events and keys."""

from dataclasses import asdict
from typing import TYPE_CHECKING

from indexer.commands.console.parameters import JSONOptions, with_options
from indexer.commands.console.terminal import line_of_json
from indexer.commands.console.working import Working
from indexer.commands.feeds.database import opened
from indexer.feeds.store import FeedsOptions
from indexer.system.options import environment, option

if TYPE_CHECKING:
    from indexer.feeds.saving.retention import PrunedFeeds


class PruneOptions(FeedsOptions, JSONOptions):
    """Options of `prune`."""

    delete: bool = option(False, "Delete old rows; without it, only count them.")


@with_options
def prune(options: PruneOptions) -> None:
    """Delete old rows: without --delete, only show how many would be deleted.

    Of each feed the newest FETCH_EVENT_ROWS (30) events are kept. A story is kept while a feed
    shows it, and for RSS_OUTPUT_DAYS (14) or NORMALIZED_TITLE_DAYS (7) after that. Its key is kept
    for TOMBSTONE_DAYS (730) more, so that it is not announced again.

    Run it once a day. Rows are deleted in portions: if it is stopped, the next run continues.

    Examples:

        story-indexer feeds prune

        story-indexer feeds prune --delete --json
    """
    # SQLAlchemy is slow, and the help needs none of it.
    from indexer.database import utc_now  # noqa: PLC0415
    from indexer.feeds.saving import retention  # noqa: PLC0415

    # From the environment only: how long rows are kept is a setting of the installation.
    kept = retention.RetentionOptions.of(environment())
    with opened(options) as database, Working() as working:
        pruned = retention.prune(
            database,
            kept,
            utc_now(),
            delete=options.delete,
            progress=lambda so_far: working.at(_sentence(so_far, deleted=options.delete)),
        )
    if options.json_:
        print(line_of_json({"deleted": options.delete, **asdict(pruned)}))
    else:
        print(
            _sentence(pruned, deleted=options.delete)
            + ("" if options.delete else "; --delete deletes them")
        )


def _sentence(pruned: "PrunedFeeds", *, deleted: bool) -> str:
    verb = "deleted" if deleted else "would delete"
    return (
        f"{verb} {pruned.stories} stories, {pruned.refs} refs, {pruned.events} events, "
        f"{pruned.keys} keys of deleted stories, {pruned.paces} paces"
    )
