"""The parts of an ingest, made from options: the client, the platforms, the stores."""

import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from pydantic import SecretStr

from indexer.blobstore.directory import path_of
from indexer.errors import ConfigurationError
from indexer.files.whole_files import ASIDE
from indexer.filesets.host_turns import HostTurns
from indexer.filesets.ingest.ingester import Ingester
from indexer.filesets.ingest.options import ArchivingOptions, DatasetOptions
from indexer.filesets.ingest.recording import EvidenceRecorder
from indexer.filesets.items.stores import is_web, open_items
from indexer.filesets.landing.body import MAX_BODY
from indexer.filesets.landing.fetching import LandingPages
from indexer.filesets.platforms import platforms
from indexer.filesets.platforms.api import PlatformAPI
from indexer.filesets.polite_client import PoliteClient
from indexer.filesets.strategies.archiveorg import ArchiveorgStrategy
from indexer.filesets.strategies.transfer import Transfer
from indexer.filesets.strategies.wayback import WaybackStrategy
from indexer.filesets.strategies.web import WebStrategy
from indexer.filesets.wayback.archive import WebArchive
from indexer.filesets.wayback.options import ArchiveKeys
from indexer.http.fetching.client import Client

WORKING = f"{ASIDE}transfers"
"""The working directory of a store that is a directory; the store doesn't list it."""


@contextmanager
def opened_looker(options: DatasetOptions) -> Iterator[Ingester]:
    """The parts that find a dataset, and archive nothing."""
    with (
        closing(_client(options)) as client,
        closing(EvidenceRecorder(_secrets(options))) as recorder,
    ):
        api = PlatformAPI(client.ask, options.platforms, record=recorder.record)
        archive = None
        if options.landing.landing_page == "archive":
            archive = _web_archive(options, client, recorder)
        yield Ingester(
            LandingPages(client, options.landing, archive=archive, record=recorder.record),
            platforms(api),
            recorder,
            Transfer(client, options.transfer, auth=api.auth),
            options.limits,
        )


@contextmanager
def opened_ingester(options: ArchivingOptions, to: str) -> Iterator[Ingester]:
    """The parts of an ingest into items of the store `to`. Raises ConfigurationError."""
    with opened_looker(options.dataset) as looker:
        known = (options.dataset.platforms, looker.transfer.client)
        looker.archiveorg = ArchiveorgStrategy(
            open_items(to, *known),
            looker.transfer,
            options.working_dir or _working_directory(to),
            bundles=options.dataset.bundle_limits,
        )
        if options.web:
            _open_web(looker, options, to)
        yield looker


def _open_web(looker: Ingester, options: ArchivingOptions, to: str) -> None:
    """Add the web side: Save Page Now for a URL of the web, else our own captures."""
    if is_web(options.web):
        archive = _web_archive(
            options.dataset, looker.transfer.client, looker.recorder, options.web
        )
        limits, bundles = looker.limits, options.dataset.bundle_limits
        looker.web = WaybackStrategy(archive, looker.transfer, limits.spn_max_files, bundles)
        looker.limits = limits.of_save_page_now
        return
    if _place(options.web) == _place(to):
        raise ConfigurationError(f"--web and --to are the same place: {options.web}")
    working = options.working_dir or _working_directory(options.web)
    secrets = _secrets(options.dataset)
    looker.web = WebStrategy(
        open_items(options.web),
        looker.transfer,
        working,
        secrets=secrets,
        bundles=options.dataset.bundle_limits,
    )


def _web_archive(
    options: DatasetOptions, client: Client, recorder: EvidenceRecorder, url: str = ""
) -> WebArchive:
    """The web archive at a URL; by default that of landing pages."""
    given = options.wayback.at(url) if url else options.wayback
    keys = ArchiveKeys(options.platforms.ia_access_key, options.platforms.ia_secret_key)
    return WebArchive(client, given, keys, record=recorder.record)


def _client(options: DatasetOptions) -> Client:
    # Landing pages may be larger than the pages of news (filesets.md 3.4).
    most = max(options.fetching.max_encoded_bytes, options.platforms.api_bytes, MAX_BODY)
    fetching = options.fetching.model_copy(update={"max_encoded_bytes": most})
    return PoliteClient(fetching, HostTurns(options.platforms.api_wait))


def _secrets(options: DatasetOptions) -> list[str]:
    given = (each for each in options.values().values() if isinstance(each, SecretStr))
    return [value for each in given if (value := each.get_secret_value())]


def _scheme(url: str) -> str:
    return url.partition("://")[0].lower() if "://" in url else "file"


def _place(url: str) -> str:
    is_directory = _scheme(url) == "file"
    return str(path_of(url).resolve()) if is_directory else url.rstrip("/")


def _working_directory(to: str) -> Path:
    """A place from which a directory gets files by renaming them."""
    if _scheme(to) != "file":
        return Path(tempfile.gettempdir()) / "sandcrawler"
    return path_of(to) / WORKING
