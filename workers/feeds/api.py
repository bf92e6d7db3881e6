"""Serves the feeds and their stories over HTTP: what story pullers and the web front end ask for.

    GET  /api/rss_entries/1?_limit=2500     new stories, for pullers: next they ask for the last
                                            id + 1
    GET  /api/feeds/1/history               what happened to a feed
    POST /api/feeds/1/fetch-soon            have it fetched as soon as possible
    GET  /docs, /openapi.json               all that can be asked

Who asks has to give the user and the password of RSS_FETCHER_USER and RSS_FETCHER_PASS; without
them nobody is answered. With RSS_FETCHER_WRITE_USER and RSS_FETCHER_WRITE_PASS only who gives
those may have something fetched. Open to all: /api/version, /healthz, /metrics, /docs and the
daily files, at /rss/mc-YYYY-MM-DD.rss.gz. By default only this machine can ask (--api-host).

examples:
  RSS_FETCHER_USER=me RSS_FETCHER_PASS_FILE=/run/secrets/rss \\
      python -m workers.feeds.api --api-host 0.0.0.0
  curl -u me:secret 'http://127.0.0.1:8000/api/rss_entries/1?_limit=10'
"""

import sys
from collections.abc import Sequence
from contextlib import closing, suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated

import structlog
from pydantic import Field

from indexer.database import Database
from indexer.feeds.api.application import application
from indexer.feeds.api.credentials import ApiCredentials, CredentialOptions
from indexer.feeds.api.site import ApiSite
from indexer.feeds.clock import utc_now
from indexer.feeds.fetching.fetching import FeedClient
from indexer.feeds.store import FeedsOptions, open_feeds
from indexer.feeds.tools.trial import Trial
from indexer.feeds.tools.trying import TryOptions, try_feed
from indexer.metrics import attached
from indexer.metrics.prometheus import Prometheus
from indexer.programs.program import run_program
from indexer.programs.serving import serve
from indexer.system.listening import ListenAddress
from indexer.system.options import option
from indexer.system.signals import stop_on_signals

IDLE_SECONDS = 500
"""How long pullers' connections are kept between their questions (feeds.md 1)."""

log = structlog.get_logger()


class FeedsServerOptions(FeedsOptions, CredentialOptions, TryOptions):
    """What the server can be told."""

    api_host: str = option("127.0.0.1", "address to listen at; 0.0.0.0: all", "FEEDS_API_HOST")
    api_port: Annotated[int, Field(ge=0, le=0xFFFF)] = option(
        8000, "its port; 0: any that is free", "FEEDS_API_PORT", "PORT"
    )
    rss_output_url: str = option(
        "",
        "directory of the daily files; by default rss-output-files in the data directory",
        "RSS_OUTPUT_URL",
    )
    top_source_days: Annotated[int, Field(ge=1, le=36_500)] = option(
        3, "days that stories are counted of, by source", "TOP_SOURCE_DAYS"
    )
    git_rev: str = option("", "the revision that /api/version tells of", "GIT_REV")

    @property
    def files(self) -> Path:
        """Where the daily files are; those in a bucket are served there, and not here."""
        is_local = self.rss_output_url and "://" not in self.rss_output_url
        return Path(self.rss_output_url) if is_local else self.data / "rss-output-files"


class FeedsServer:
    """Answers until it is told to stop."""

    name = "feeds-api"

    def __init__(self, options: FeedsServerOptions) -> None:
        self._options = options

    def run(self, name: str) -> None:
        """Serve. Raises ConfigurationError, StorageError."""
        stop = stop_on_signals()
        given = self._options
        credentials = ApiCredentials.of(given)
        if not credentials.are_set:
            log.warning("nobody may ask: set RSS_FETCHER_USER and RSS_FETCHER_PASS")
        numbers = Prometheus(name)
        with (
            closing(open_feeds(given.database)) as database,
            closing(FeedClient(given)) as client,
            attached(numbers),
        ):
            site = self._site(database, credentials, client, numbers)
            place = ListenAddress(given.api_host, given.api_port)
            serve(application(site), place, stop, idle_seconds=IDLE_SECONDS)

    def _site(
        self,
        database: Database,
        credentials: ApiCredentials,
        client: FeedClient,
        numbers: Prometheus,
    ) -> ApiSite:
        def tried(url: str, source: int | None) -> Trial:
            return try_feed(url, client, self._options, utc_now(), database, source)

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
    """That of the program; "0" where it runs without having been installed."""
    with suppress(PackageNotFoundError):
        return version("story-indexer")
    return "0"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program. Returns its exit status."""

    def run(options: FeedsServerOptions, name: str) -> None:
        FeedsServer(options).run(name)

    return run_program(FeedsServer, FeedsServerOptions, run, arguments)


if __name__ == "__main__":
    sys.exit(main())
