"""Report Elasticsearch's health, indices, nodes and snapshots once a minute.

Gauges: indices.all.*, indices.indices.* by name, indices.health by color; node.* and cat.nodes.* by
name; cluster.health.*; snapshot.last and snapshot.time_since_last_start (milliseconds).
docs/operations/elastic-stats.md lists them. Indices whose names begin with a dot are excluded.

Examples:
  story-indexer program elastic-stats --index-url http://localhost:9200 --metrics :9100
  story-indexer program elastic-stats --index-url http://localhost:9200 --json
"""

import sys
import time
from collections.abc import Sequence

from pydantic import SecretStr

from indexer.errors import ConfigurationError
from indexer.programs.periodic import Periodic, run_periodic
from indexer.programs.settings import index_option
from indexer.search.elasticsearch.admin.stats import report
from indexer.system.options import Options, option


class ElasticStatsOptions(Options):
    """The server, and its snapshots."""

    index_url: SecretStr = index_option("URL of the server: http(s)://USER:PASSWORD@HOST:PORT")
    es_snapshot_repo: str = option(
        "", "repository of the snapshots; by default all", "ELASTICSEARCH_SNAPSHOT_REPO"
    )


class ElasticStats(Periodic):
    """Sets the gauges of a server."""

    name = "elastic-stats"

    def __init__(self, options: ElasticStatsOptions) -> None:
        self._url = options.index_url.get_secret_value()
        if not self._url:
            raise ConfigurationError("no Elasticsearch: set --index-url, or INDEX_URL")
        self._repository = options.es_snapshot_repo

    def tick(self) -> None:
        """Report once. Raises SearchError; ConfigurationError for an unusable URL."""
        from indexer.search.elasticsearch.setup import connected  # noqa: PLC0415 - loads the client

        # A new client each time: its pool would keep nodes that have left the cluster.
        with connected(self._url) as (client, _):
            report(client, self._repository, time.time())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program; return its exit status."""
    return run_periodic(ElasticStats, ElasticStatsOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
