"""Measures the database of feeds every five minutes: feeds due, stories found, delays.

Gauges: db.ready, db.running, hunter.blocked, ready-age by quantile; feeds.recent and sources.recent
by status, feeds.silent; stories.max-id, stories.count, story-refs.count, stories.top-domain.sum and
.avg, discovery-delay by quantile. docs/operations/metrics.md explains each of them.

Examples:
  story-indexer program feed-stats --metrics :9100
  story-indexer program feed-stats --database-url sqlite:///data/feeds.sqlite3 --json
"""

import sys
from collections.abc import Callable, Sequence
from datetime import datetime

from indexer.database import Database, utc_now
from indexer.feeds.polling.statistics import measure, report
from indexer.feeds.store import FeedsOptions, open_feeds
from indexer.programs.periodic import Periodic, run_periodic
from indexer.system.options import option


class FeedStatsOptions(FeedsOptions):
    """Options of the statistics."""

    interval: float = option(
        300.0, "seconds between two measurements, which are taken at multiples of it"
    )


class FeedStats(Periodic):
    """Sets the gauges of a database of feeds."""

    name = "feed-stats"

    def __init__(
        self,
        options: FeedStatsOptions,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        self._url = options.database
        self._clock = clock
        self._database: Database | None = None

    def tick(self) -> None:
        """Measure once. Raises StorageError; ConfigurationError if the tables are missing."""
        # Opened here: while the database is away, each measurement fails and the next one retries.
        if self._database is None:
            self._database = open_feeds(self._url, make=False)
        report(measure(self._database, self._clock()))

    def close(self) -> None:
        """Close the database."""
        if self._database is not None:
            self._database.close()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program. Returns its exit status."""
    return run_periodic(FeedStats, FeedStatsOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
