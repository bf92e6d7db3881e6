"""Delete old counts of pipeview.

Each feed keeps its last `--days` dates, however old they are; stories without a feed are kept for
`--days` days. Without --delete, the program only reports what it would delete. Schedule it once a
day.

examples:
  story-indexer program pruner                          report only
  story-indexer program pruner --days 30 --delete
"""

import json
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict

from indexer.pipeview.options import PipeviewOptions
from indexer.pipeview.pruning import PrunedCrumbs, prune
from indexer.pipeview.store import CrumbStore, utc_today
from indexer.programs.program import run_program
from indexer.system.options import option


class PrunerOptions(PipeviewOptions):
    """Options of the pruner."""

    delete: bool = option(False, "delete the old counts; by default only report them")
    json_: bool = option(False, "print the numbers as JSON")


def run(options: PrunerOptions, _: str) -> None:
    """Prune, and print a report. Raises StorageError, ConfigurationError."""
    with closing(CrumbStore.open(options.database, make=options.delete)) as store:
        pruned = prune(store.database, options.days, utc_today(), delete=options.delete)
    if options.json_:
        print(json.dumps({"deleted": options.delete, **asdict(pruned)}))
    else:
        print(_sentence(pruned, deleted=options.delete))


def _sentence(pruned: PrunedCrumbs, *, deleted: bool) -> str:
    verb = "deleted" if deleted else "would delete"
    end = "" if deleted else "; to delete them, use --delete"
    return (
        f"{verb} {pruned.rows} rows that count {pruned.stories} stories: {pruned.feed_days} days "
        f"of feeds, {pruned.days} days without a feed; and {pruned.messages} message ids{end}"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program; return its exit status."""
    return run_program("pipeview-pruner", PrunerOptions, run, arguments)


if __name__ == "__main__":
    sys.exit(main())
