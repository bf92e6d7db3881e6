"""`story-indexer feeds take-over`: makes the database of an existing rss-fetcher ours."""

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

from indexer.commands.console.parameters import ConfirmOptions, JSONOptions, with_options
from indexer.commands.console.terminal import cell, confirm, line_of_json
from indexer.commands.console.working import Working
from indexer.errors import ConfigurationError
from indexer.feeds.store import FeedsOptions
from indexer.system.options import option

if TYPE_CHECKING:
    from indexer.feeds.migrations.takeover import Survey


class TakeOverOptions(FeedsOptions, JSONOptions, ConfirmOptions):
    """Options of `take-over`."""

    dry_run: bool = option(False, "Only count the rows.", short="n")


@with_options
def take_over(options: TakeOverOptions) -> None:
    """Take over the database of an existing rss-fetcher, with its feeds, stories and events.

    Stop the rss-fetcher and back the database up first: its tables are replaced by ours, in one
    transaction. If the command is stopped, nothing has changed. All ids stay, and go on: pullers
    continue where they are. Items that the feeds still show are not announced again.

    The database needs as much free space as it has data. Other programs must not be connected.

    Examples:

        story-indexer feeds take-over --dry-run

        story-indexer feeds take-over --yes
    """
    from indexer.feeds.migrations import takeover  # noqa: PLC0415 - slow: SQLAlchemy

    found = takeover.survey(options.database)
    if not options.json_:
        _print("rows", found.rows)
    for column in found.left_out:
        _warn(f"not kept: the column {column}")
    for other in found.others:
        _warn(f"connected to the database: {other}")
    if options.dry_run:
        if options.json_:
            print(line_of_json(asdict(found)))
        return
    _check_alone(found)
    confirm("Replace these tables? The rss-fetcher can't use them afterwards.", yes=options.yes)
    with Working() as working:
        working.at("taking over the tables")
        taken = takeover.take_over(
            options.database,
            lambda table, rows: working.at(f"{table}: {rows:,} of {found.rows[table]:,}"),
        )
    if options.json_:
        print(line_of_json(asdict(taken)))
        return
    _print("taken over", taken.rows)
    if taken.same_identity:
        print(f"{taken.same_identity:,} stories have no URL key: the same page as an older story")


def _check_alone(found: "Survey") -> None:
    """Raise ConfigurationError if other programs are connected: they may write to the tables."""
    if found.others:
        raise ConfigurationError(
            f"{len(found.others)} other connections to the database: stop these programs first"
        )


def _print(what: str, rows: dict[str, int]) -> None:
    print(f"{what}: {', '.join(f'{table} {number:,}' for table, number in rows.items() if number)}")


def _warn(text: str) -> None:
    print(cell(text, 1000), file=sys.stderr)
