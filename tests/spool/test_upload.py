"""The upload of a spooled file to one store."""

import hashlib
import io
from pathlib import Path
from typing import BinaryIO

import pytest

from indexer.errors import AccessDenied, StorageError
from indexer.spool import Manifest
from indexer.spool.upload import upload
from tests.spool.stores import Failing

CONTENT = b"content"
MANIFEST = Manifest(
    key="2024/a b.gz",
    size=7,
    sha256=hashlib.sha256(CONTENT).hexdigest(),
    sealed=0.0,
    items=[],
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "file"
    made.write_bytes(CONTENT)
    return made


@pytest.fixture
def store(tmp_path: Path) -> Failing:
    return Failing(tmp_path / "store")


def test_a_file_is_put_under_its_key(path: Path, store: Failing) -> None:
    url = upload(path, MANIFEST, store)
    assert url.startswith("file:///")
    assert store.open(MANIFEST.key).read() == CONTENT


def test_an_object_with_the_same_content_is_not_put_again(path: Path, store: Failing) -> None:
    upload(path, MANIFEST, store)
    assert upload(path, MANIFEST, store).endswith("/2024/a b.gz")
    assert len(store.puts) == 1


def test_another_object_is_never_replaced(path: Path, store: Failing) -> None:
    store.put(MANIFEST.key, io.BytesIO(b"other"))
    with pytest.raises(StorageError, match="another object named"):
        upload(path, MANIFEST, store)
    assert store.open(MANIFEST.key).read() == b"other"


def test_credentials_that_may_only_write_are_enough(path: Path, tmp_path: Path) -> None:
    class WriteOnly(Failing):
        def open(self, key: str, version: str = "") -> BinaryIO:
            raise AccessDenied(f"{key}: you may not read")

    store = WriteOnly(tmp_path / "store")
    upload(path, MANIFEST, store)
    assert (tmp_path / "store" / MANIFEST.key).read_bytes() == CONTENT


def test_a_failing_store_is_an_error(path: Path, store: Failing) -> None:
    store.failures = 1
    with pytest.raises(StorageError, match="out of order"):
        upload(path, MANIFEST, store)
