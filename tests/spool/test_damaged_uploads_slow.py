"""Files on their way to S3 servers that cut, change or lose them."""

import hashlib
import io
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer

from indexer.blobstore import open_blobstore
from indexer.errors import StorageError
from indexer.spool import Spool
from indexer.spool.manifest import Manifest, other_key, upload
from tests.blobstore.conftest import of
from tests.blobstore.faulty_s3 import Fault, FaultyS3, change, cut, lose
from tests.blobstore.objects import keys
from tests.services import S3
from tests.spool.conftest import put

CONTENT = b"content of an archive"


@pytest.fixture
def server(httpserver: HTTPServer) -> FaultyS3:
    return FaultyS3(httpserver)


@pytest.fixture
def spool(tmp_path: Path, server: FaultyS3) -> Spool:
    return Spool(tmp_path / "work", {"s3": server.store})


@pytest.mark.parametrize("refuses", [set[str](), {"DELETE"}], ids=["deletes", "never deletes"])
@pytest.mark.parametrize("lies", [False, True], ids=["honest", "lying"])
@pytest.mark.parametrize("fault", [cut, change, lose])
def test_a_file_that_the_store_damaged_is_delivered_when_it_is_healthy(
    server: FaultyS3, spool: Spool, fault: Fault, lies: bool, refuses: set[str]
) -> None:
    server.fault, server.lies, server.refuses = fault, lies, refuses
    put(spool, CONTENT)
    for _ in range(2):
        with pytest.raises(StorageError):
            spool.deliver(0)
    server.heal()
    spool.deliver(0)
    assert server.objects == {"2024/file-1": CONTENT}


def test_an_upload_that_broke_off_is_replaced(
    server: FaultyS3, spool: Spool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("indexer.blobstore.s3.ATTEMPTS", 1)
    server.fault, server.breaks = cut, True
    put(spool, CONTENT)
    with pytest.raises(StorageError):
        spool.deliver(0)
    assert server.objects == {"2024/file-1": cut(CONTENT)}
    server.heal()
    spool.deliver(0)
    assert server.objects == {"2024/file-1": CONTENT}


def test_an_object_that_may_be_of_others_is_kept(server: FaultyS3, spool: Spool) -> None:
    server.store.put("2024/file-1", io.BytesIO(b"other"))
    put(spool, CONTENT)
    spool.deliver(0)
    name = f"2024/file-1-{hashlib.sha256(CONTENT).hexdigest()[:16]}"
    assert server.objects == {"2024/file-1": b"other", name: CONTENT}


def test_a_server_without_metadata_fills_with_two_objects_at_most(
    server: FaultyS3, spool: Spool
) -> None:
    server.fault, server.refuses, server.forgets = cut, {"DELETE"}, True
    put(spool, CONTENT)
    for _ in range(4):
        with pytest.raises(StorageError):
            spool.deliver(0)
    server.heal()
    spool.deliver(0)
    assert sorted(server.objects.values()) == [CONTENT[: len(CONTENT) // 2], CONTENT]


@pytest.mark.external
def test_a_real_server_keeps_the_digest_of_a_damaged_upload(s3: S3, tmp_path: Path) -> None:
    if s3.folder is None:
        pytest.skip("the S3 server's files are out of reach: TEST_S3_FOLDER")
    store = open_blobstore(f"s3://{s3.bucket}", of(s3))
    path = tmp_path / "file"
    path.write_bytes(CONTENT)
    digest = hashlib.sha256(CONTENT).hexdigest()
    file = Manifest(key="2024/a.gz", size=len(CONTENT), sha256=digest, sealed=0.0, items=[])
    upload(path, file, store)
    (s3.folder / file.key).write_bytes(cut(CONTENT))
    upload(path, file, store)
    assert store.open(file.key).read() == CONTENT
    store.put(file.key, io.BytesIO(b"other"))
    upload(path, file, store)
    assert keys(store) == sorted([file.key, other_key(file)])
    assert store.open(file.key).read() == b"other"
