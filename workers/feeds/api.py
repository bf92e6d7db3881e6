"""Serves feeds and their stories over HTTP, for story pullers and the web front end.

    GET  /api/rss_entries/1?_limit=2500     new stories, for pullers: ask next for the last id + 1
    GET  /api/feeds/1/history               the events of a feed
    POST /api/feeds/1/fetch-soon            have it fetched as soon as possible
    GET  /docs, /openapi.json               all methods

Requests need the user RSS_FETCHER_USER with the password RSS_FETCHER_PASS; while these are not
set, all are refused. If RSS_FETCHER_WRITE_USER and RSS_FETCHER_WRITE_PASS are set, requests that
change feeds or have them fetched need these instead. Open to all: /api/version, /healthz,
/metrics, /docs, and the daily files at /rss/mc-YYYY-MM-DD.rss.gz. By default the server listens
only to this machine (--api-host).

examples:
  RSS_FETCHER_USER=me RSS_FETCHER_PASS_FILE=/run/secrets/rss \\
      story-indexer program feeds.api --api-host 0.0.0.0
  curl -u me:secret 'http://127.0.0.1:8000/api/rss_entries/1?_limit=10'
"""

import sys
from collections.abc import Sequence
from contextlib import closing, suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated

from pydantic import Field

from indexer.database import Database, utc_now
from indexer.feeds.api.application import application
from indexer.feeds.api.credentials import ApiCredentials, CredentialOptions
from indexer.feeds.api.site import ApiSite
from indexer.feeds.fetching.fetching import FeedClient
from indexer.feeds.store import FeedsOptions, open_feeds
from indexer.feeds.tools.trial import Trial
from indexer.feeds.tools.trying import TryOptions, try_feed
from indexer.metrics import attached
from indexer.metrics.prometheus import Prometheus
from indexer.programs.program import run_program
from indexer.programs.serving import serve
from indexer.programs.serving.limits import ServingLimits, client_connections
from indexer.system.listening import ListenAddress
from indexer.system.loggers import get_logger
from indexer.system.options import group, option
from indexer.system.signals import stop_on_signals

IDLE_SECONDS = 500
"""Seconds for which idle connections of pullers are kept (feeds.md 1)."""

log = get_logger()


class FeedsServerOptions(FeedsOptions, CredentialOptions):
    """Options of the server."""

    trying: TryOptions = group(TryOptions)
    api_host: str = option("127.0.0.1", "address to listen at; 0.0.0.0: all", "FEEDS_API_HOST")
    api_port: Annotated[int, Field(ge=0, le=0xFFFF)] = option(
        8000, "port to listen at; 0: any free port", "FEEDS_API_PORT", "PORT"
    )
    api_client_connections: Annotated[int, Field(ge=0)] = client_connections(
        "FEEDS_API_CLIENT_CONNECTIONS"
    )
    rss_output_url: str = option(
        "",
        "directory of the daily files; by default rss-output-files in the data directory",
        "RSS_OUTPUT_URL",
    )
    top_source_days: Annotated[int, Field(ge=1, le=36_500)] = option(
        3, "days of the counts of stories by source", "TOP_SOURCE_DAYS"
    )
    git_rev: str = option("", "the revision in the answer of /api/version", "GIT_REV")

    @property
    def files(self) -> Path:
        """The directory of the daily files; files in a bucket are not served from here."""
        is_local = self.rss_output_url and "://" not in self.rss_output_url
        return Path(self.rss_output_url) if is_local else self.data / "rss-output-files"


class FeedsServer:
    """Serves the API until it is stopped."""

    name = "feeds-api"

    def __init__(self, options: FeedsServerOptions) -> None:
        self._options = options

    def run(self, name: str) -> None:
        """Serve. Raises ConfigurationError, StorageError."""
        stop = stop_on_signals()
        given = self._options
        # Bad options end the program before it connects to anything.
        credentials = ApiCredentials.of(given)
        if not credentials.are_set:
            log.warning("all requests are refused: set RSS_FETCHER_USER and RSS_FETCHER_PASS")
        numbers = Prometheus(name)
        with (
            closing(FeedClient(given.trying.fetching)) as client,
            closing(open_feeds(given.database)) as database,
            attached(numbers),
        ):
            site = self._site(database, credentials, client, numbers)
            place = ListenAddress(given.api_host, given.api_port)
            limits = ServingLimits(IDLE_SECONDS, of_one_client=given.api_client_connections)
            serve(application(site), place, stop, limits)

    def _site(
        self,
        database: Database,
        credentials: ApiCredentials,
        client: FeedClient,
        numbers: Prometheus,
    ) -> ApiSite:
        def tried(url: str, source: int | None) -> Trial:
            return try_feed(url, client, self._options.trying, utc_now(), database, source)

        return ApiSite(
            database=database,
            credentials=credentials,
            now=utc_now,
            files=self._options.files,
            tried=tried,
            metrics=numbers.page,
            version=_version(),
            revision=self._options.git_rev,
            top_source_days=self._options.top_source_days,
        )


def _version() -> str:
    """The version of the installed package; "0" without one."""
    with suppress(PackageNotFoundError):
        return version("story-indexer")
    return "0"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program. Returns its exit status."""

    def run(options: FeedsServerOptions, name: str) -> None:
        FeedsServer(options).run(name)

    return run_program(FeedsServer.name, FeedsServerOptions, run, arguments)


if __name__ == "__main__":
    sys.exit(main())
