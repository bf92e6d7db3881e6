"""Look at Elasticsearch once a minute: its health, indices, nodes and snapshots.

Gauges: indices.all.*, indices.indices.* by name, indices.health by color; node.* and cat.nodes.* by
name; cluster.health.*; snapshot.last and snapshot.time_since_last_start (milliseconds).
docs/operations/elastic-stats.md lists them. Indices whose names begin with a dot are left out.

Examples:
  python -m workers.operations.elastic_stats --index-url http://localhost:9200 --metrics :9100
  python -m workers.operations.elastic_stats --index-url http://localhost:9200 --json
"""

import sys
import time
from collections.abc import Sequence

from pydantic import SecretStr

from indexer.errors import ConfigurationError
from indexer.programs.periodic import Periodic, run_periodic
from indexer.search.elasticsearch.admin.stats import report
from indexer.system.options import Options, option


class ElasticStatsOptions(Options):
    """Which server, and when."""

    index_url: SecretStr = option(
        SecretStr(""),
        "the server: http(s)://USER:PASSWORD@HOST:PORT",
        "INDEX_URL",
        "ELASTICSEARCH_HOSTS",
    )
    es_snapshot_repo: str = option(
        "", "the repository of the snapshots; else all of them", "ELASTICSEARCH_SNAPSHOT_REPO"
    )


class ElasticStats(Periodic):
    """Sets the gauges of a server."""

    name = "elastic-stats"

    def __init__(self, options: ElasticStatsOptions) -> None:
        self._url = options.index_url.get_secret_value()
        if not self._url:
            raise ConfigurationError("which Elasticsearch? --index-url, or INDEX_URL")
        self._repository = options.es_snapshot_repo

    def tick(self) -> None:
        """Look once. Raises SearchError; ConfigurationError for a URL that can't be used."""
        from indexer.search.elasticsearch.setup import connected  # noqa: PLC0415 - only a server's

        with connected(self._url) as (client, _):
            report(client, self._repository, time.time())


def main(arguments: Sequence[str] | None = None) -> int:
    """Be the program."""
    return run_periodic(ElasticStats, ElasticStatsOptions, arguments)


if __name__ == "__main__":
    sys.exit(main())
