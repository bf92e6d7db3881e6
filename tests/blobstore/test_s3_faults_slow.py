"""S3 servers that cut, change or lose what they store: `put` never believes their answers."""

import hashlib
import io
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer

from indexer.blobstore import open_blobstore
from indexer.blobstore.s3 import S3Bucket
from indexer.blobstore.s3_transfers import PART
from indexer.errors import StorageError
from tests.blobstore.conftest import of
from tests.blobstore.faulty_s3 import Fault, FaultyS3, change, cut, lose
from tests.blobstore.objects import keys
from tests.services import S3

SMALL, LARGE = b"content of an archive", b"large" * (PART // 5 + 1)


@pytest.fixture
def server(httpserver: HTTPServer) -> FaultyS3:
    return FaultyS3(httpserver)


@pytest.mark.parametrize("data", [SMALL, LARGE], ids=["at once", "in parts"])
@pytest.mark.parametrize("lies", [False, True], ids=["honest", "lying"])
@pytest.mark.parametrize("fault", [cut, change, lose])
def test_a_server_that_stores_something_else_is_found_out(
    server: FaultyS3, fault: Fault, lies: bool, data: bytes
) -> None:
    server.fault, server.lies = fault, lies
    with pytest.raises(StorageError):
        server.store.put("a", io.BytesIO(data))
    # Nobody may take the damaged object for the file.
    assert server.objects == {}
    server.heal()
    server.store.put("a", io.BytesIO(data))
    assert server.objects == {"a": data}


def test_an_object_that_may_not_be_deleted_stays_and_has_the_digest(server: FaultyS3) -> None:
    server.fault, server.refuses = cut, {"DELETE"}
    digest = hashlib.sha256(SMALL).hexdigest()
    with pytest.raises(StorageError, match="differs from the content sent"):
        server.store.put("a", io.BytesIO(SMALL), digest)
    assert server.objects == {"a": cut(SMALL)}
    assert server.store.stat("a").sha256 == digest


def test_credentials_for_writing_only_can_put(server: FaultyS3) -> None:
    server.refuses = {"GET", "HEAD", "DELETE"}
    server.store.put("a", io.BytesIO(SMALL))
    assert server.objects == {"a": SMALL}


@pytest.mark.external
@pytest.mark.parametrize("fault", [cut, change])
def test_a_damaged_version_of_a_real_server_is_taken_back(
    s3: S3, fault: Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = s3.folder
    if folder is None:
        pytest.skip("the S3 server's files are out of reach: TEST_S3_FOLDER")
    store = S3Bucket.at(f"s3://{s3.bucket}", of(s3))
    store.put("a", io.BytesIO(b"the version before"))
    damage(store, folder / "a", fault)
    with pytest.raises(StorageError):
        store.put("a", io.BytesIO(SMALL))
    # The server keeps versions, and only the damaged one was deleted.
    assert store.open("a").read() == b"the version before"
    other = open_blobstore(f"s3://{s3.bucket}", of(s3))
    other.put("a", io.BytesIO(SMALL))
    assert (keys(other), other.open("a").read()) == (["a"], SMALL)


def damage(store: S3Bucket, path: Path, fault: Fault) -> None:
    """Damage the file of each object that the server stores; its ETag stays what it was."""

    def strike(**_: object) -> None:
        with path.open("r+b") as file:
            damaged = fault(file.read())
            file.seek(0)
            file.truncate()
            file.write(damaged or b"")

    store._client.meta.events.register("after-call.s3.PutObject", strike)
