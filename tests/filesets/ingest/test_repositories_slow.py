"""Every dataset of the imitation repositories has its status, by its URL and by its DOI."""

from pathlib import Path

from indexer.blobstore import open_blobstore
from indexer.filesets.ingest.opening import opened_ingester
from indexer.filesets.ingest.options import ArchivingOptions
from indexer.filesets.items.item import items
from indexer.filesets.request import IngestRequest
from indexer.filesets.results.result import Ingest, fileset_result
from newsroom.repositories.dataset import Dataset
from newsroom.repositories.server import Repositories

LARGE = range(100_000_000, 60 << 30)
"""Sizes that are within the limits, and would take long."""

OURS = {"success-existing": ("success", "success-file")}
"""Items of archive.org exist there, but not in our store."""


def is_expected(dataset: Dataset, ingest: Ingest) -> bool:
    # The URL of the page of an older version may lead to the newest one.
    accepted = (dataset.expect, *OURS.get(dataset.expect, ()))
    is_again = ingest.status == "success-existing" and dataset.expect.startswith("success")
    return ingest.status in accepted or is_again


def test_each_dataset_has_its_status(tmp_path: Path) -> None:
    wrong = []
    with (
        Repositories() as served,
        opened_ingester(ArchivingOptions.of(served.settings), str(tmp_path)) as ingester,
    ):
        for dataset in served.catalogue:
            if dataset.size in LARGE:
                continue
            urls = [
                served.landing(dataset),
                *([f"https://doi.org/{dataset.doi}"] * bool(dataset.doi)),
            ]
            for url in urls:
                request = IngestRequest.of({"ingest_type": "dataset", "base_url": url})
                found = ingester.ingest(request, lambda _: None)
                result = fileset_result(found)
                if not is_expected(dataset, found) or (result["hit"] and not is_filled(result)):
                    wrong.append((url, dataset.expect, found.status, found.message))
    assert wrong == []
    for item in items(open_blobstore(str(tmp_path))):
        assert [damage for damage in item.verify() if damage] == []


def is_filled(result: dict[str, object]) -> bool:
    """Whether no file of a hit lacks what importers need (filesets.md 12.17)."""
    needed = {"path", "size", "md5", "sha1", "sha256", "mimetype"}
    manifest = result["manifest"]
    assert isinstance(manifest, list)
    return all(needed <= file.keys() for file in manifest)
