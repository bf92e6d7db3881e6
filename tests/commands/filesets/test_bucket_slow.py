"""Datasets in a bucket of a real server: ingest, list, show, verify, export."""

import json
from pathlib import Path

import pytest

from indexer.blobstore import open_blobstore
from newsroom.repositories.server import Repositories
from tests.blobstore.conftest import of
from tests.commands.filesets.conftest import Filesets
from tests.filesets.zenodo_server import ZenodoServer
from tests.services import S3

FILES = {"data/a.csv": b"a,b\n1,2\n", "../up": b"up", "empty": b""}


@pytest.fixture
def bucket(s3: S3, monkeypatch: pytest.MonkeyPatch) -> str:
    """The URL of a store in a bucket, to which the commands have the keys."""
    given = {"ENDPOINT": s3.endpoint, "ACCESS_KEY_ID": s3.access_key}
    for name, value in {**given, "SECRET_ACCESS_KEY": s3.secret_key}.items():
        monkeypatch.setenv(f"FILESETS_S3_{name}", value)
    return f"s3://{s3.bucket}/datasets"


@pytest.mark.external
@pytest.mark.parametrize("side", ["--to", "--web"])
def test_a_bundle_in_a_bucket_is_verified_and_exported(
    filesets: Filesets, bucket: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, side: str
) -> None:
    stores = {"--to": str(tmp_path / "items"), side: bucket, "--bundles": "prefer"}
    with Repositories() as served:
        for name, value in served.settings.items():
            monkeypatch.setenv(name, value)
        doi = "10.5072/zenodo.10200021"
        for status in ("success", "success-existing"):
            options = [each for pair in stores.items() for each in pair]
            found = json.loads(filesets.run("ingest", doi, *options).out)
            assert found["status"] == status
            assert found["ingest_strategy"].endswith("-bundled")
        (facts,) = map(json.loads, filesets.run("list", "--to", bucket, "--json").out.splitlines())
        item = f"{bucket}/{facts['item']}"
        assert "are right" in filesets.run("verify", item).out
        filesets.run("export", item, "--to", str(tmp_path / "exported"))
        dataset = served.catalogue.by_doi(doi)
        assert dataset
        for file in dataset.files:
            path = tmp_path / "exported" / facts["item"] / file.path
            assert path.read_bytes() == file.content.whole()


@pytest.mark.external
@pytest.mark.parametrize("side", ["--to", "--web"])
def test_the_commands_for_items_work_on_a_bucket(
    filesets: Filesets,
    zenodo: ZenodoServer,
    s3: S3,
    bucket: str,
    tmp_path: Path,
    side: str,
) -> None:
    stores = {"--to": str(tmp_path / "items"), side: bucket}
    doi = zenodo.add(7, FILES)
    for status in ("success", "success-existing"):
        printed = filesets.run("ingest", doi, *(each for pair in stores.items() for each in pair))
        assert json.loads(printed.out)["status"] == status
    (facts,) = map(json.loads, filesets.run("list", "--to", bucket, "--json").out.splitlines())
    assert (facts["platform_id"], facts["files"]) == ("7", 3)
    item = f"{bucket}/{facts['item']}"
    assert "data/a.csv" in filesets.run("show", item).out
    assert "are right" in filesets.run("verify", item).out
    printed = filesets.run("export", item, "--to", str(tmp_path / "exported"))
    assert "renamed: ../up" in printed.out
    assert (tmp_path / "exported" / facts["item"] / "data/a.csv").read_bytes() == b"a,b\n1,2\n"

    store = open_blobstore(bucket, of(s3))
    damaged = "data/a.csv" if side == "--to" else f"{facts['item']}_capture.warc.gz"
    store.delete(f"{facts['item']}/{damaged}")
    assert f"{damaged}: missing" in filesets.run("verify", item, status=1).out
