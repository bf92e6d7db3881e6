"""Items on real servers, and processes that are killed at every moment of an ingest."""

from io import BytesIO
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer

from indexer.blobstore import Blobstore, open_blobstore
from indexer.filesets.items.item import Item
from indexer.filesets.platform_item import FilesetPlatformItem
from indexer.filesets.strategies.archiveorg import ArchiveorgStrategy
from indexer.filesets.strategies.choosing import StrategyName
from indexer.filesets.strategies.options import TransferOptions
from indexer.filesets.strategies.strategy import ArchiveJob
from indexer.filesets.strategies.transfer import Transfer
from indexer.filesets.strategies.web import WebStrategy
from tests.blobstore.conftest import of
from tests.filesets.bundles.samples import streamed
from tests.filesets.datasets import FILES, ITEM, dataset
from tests.http.fetching.clients import client
from tests.killed import killed_at
from tests.services import S3

KINDS = (
    (ArchiveorgStrategy, StrategyName.ARCHIVEORG_FILESET),
    (ArchiveorgStrategy, StrategyName.ARCHIVEORG_BUNDLED),
    (WebStrategy, StrategyName.WEB_FILESET),
    (WebStrategy, StrategyName.WEB_BUNDLED),
)
Kind = tuple[type, StrategyName]


def offered(server: HTTPServer, kind: Kind) -> FilesetPlatformItem:
    """A dataset, whose names are safe if it is taken from a bundle."""
    if not kind[1].is_bundled:
        return dataset(server)
    files = {path.replace("../", "up/"): data for path, data in FILES.items()}
    server.expect_request("/bundle").respond_with_data(streamed(files))
    return dataset(server, files, web_bundle_url=server.url_for("/bundle"))


def ingested(kind: Kind, store: Blobstore, working: Path, item: FilesetPlatformItem) -> str:
    """Ingest a dataset; returns the status."""
    job = ArchiveJob(item, kind[1], BytesIO(b"evidence"))
    with client() as own:
        strategy = kind[0](store, Transfer(own, TransferOptions()), working)
        found = strategy.check_existing(job) or strategy.process(job, lambda _: None)
    return str(found.status)


@pytest.mark.external
@pytest.mark.parametrize("kind", KINDS)
def test_an_item_in_a_bucket(s3: S3, httpserver: HTTPServer, tmp_path: Path, kind: Kind) -> None:
    store = open_blobstore(f"s3://{s3.bucket}/items", of(s3))
    item = offered(httpserver, kind)
    assert ingested(kind, store, tmp_path, item) == "success"
    assert [found for found in Item(store, ITEM).verify() if found] == []
    before = {entry.key: len(store.versions(entry.key)) for entry in store.entries()}
    assert ingested(kind, store, tmp_path, item) == "success-existing"
    assert {entry.key: len(store.versions(entry.key)) for entry in store.entries()} == before


@pytest.mark.parametrize("kind", KINDS)
def test_a_killed_ingest_goes_on_wherever_it_was(
    httpserver: HTTPServer, tmp_path: Path, kind: Kind
) -> None:
    item = offered(httpserver, kind)
    moments = 0
    while survives_a_kill(moments, kind, httpserver, tmp_path / str(moments), item):
        moments += 1
    assert moments > 20


def survives_a_kill(
    moment: int, kind: Kind, httpserver: HTTPServer, root: Path, item: FilesetPlatformItem
) -> bool:
    """Ingest, killed at a moment, and go on. Returns False if the first ingest ended before."""
    store, working = open_blobstore(str(root / "items")), root / "items/.aside-transfers"

    def ingest() -> None:
        ingested(kind, store, working, item)

    was_killed = killed_at(moment, root, ingest)
    assert ingested(kind, store, working, item).startswith("success")
    assert [found for found in Item(store, ITEM).verify() if found] == []
    assert ingested(kind, store, working, item) == "success-existing"
    fetched = len(httpserver.log)
    httpserver.clear_log()
    # A file that is on disk is not fetched again; a capture begins anew.
    assert kind[0] is WebStrategy or fetched <= len(FILES) + 1
    return was_killed
