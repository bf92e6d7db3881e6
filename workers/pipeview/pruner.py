"""Forgets counts that are old: keeps the last days of each feed, and of what has no feed.

Only tells what it would delete, until it is told to delete. Of each feed its last `--days` dates
are kept, however long ago they were; what has no feed is kept for `--days` days. Meant to run once
a day.

examples:
  python -m workers.pipeview.pruner                     what would be deleted
  python -m workers.pipeview.pruner --days 30 --delete
"""

import json
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict
from datetime import UTC, datetime

from indexer.pipeview.options import PipeviewOptions
from indexer.pipeview.pruning import PrunedCrumbs, prune
from indexer.pipeview.store import CrumbStore
from indexer.programs.program import run_program
from indexer.system.options import option


class PrunerOptions(PipeviewOptions):
    """What the pruner can be told."""

    delete: bool = option(False, "delete what is too old; without: only tell")
    json_: bool = option(False, "print the numbers as JSON")


class Pruner:
    """Prunes once."""

    name = "pipeview-pruner"

    def __init__(self, options: PrunerOptions) -> None:
        self._options = options

    def run(self) -> str:
        """Prune, and tell what was done. Raises StorageError, ConfigurationError."""
        given = self._options
        with closing(CrumbStore.open(given.database, make=given.delete)) as store:
            today = datetime.now(UTC).date()
            pruned = prune(store.database, given.days, today, delete=given.delete)
        if given.json_:
            return json.dumps({"deleted": given.delete, **asdict(pruned)})
        return _sentence(pruned, deleted=given.delete)


def _sentence(pruned: PrunedCrumbs, *, deleted: bool) -> str:
    verb = "deleted" if deleted else "would delete"
    end = "" if deleted else ": --delete does"
    return (
        f"{verb} {pruned.rows} rows that count {pruned.stories} stories: {pruned.feed_days} days "
        f"of feeds, {pruned.days} days without a feed; and forget {pruned.messages} messages{end}"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program. Returns its exit status."""

    def serve(options: PrunerOptions, _name: str) -> None:
        print(Pruner(options).run())

    return run_program(Pruner, PrunerOptions, serve, arguments)


if __name__ == "__main__":
    sys.exit(main())
