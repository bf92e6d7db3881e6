"""Manifests of spooled files, and uploads to one store."""

import hashlib
import io
from pathlib import Path
from typing import BinaryIO

import pytest

from indexer.errors import AccessDenied, StorageError
from indexer.spool import Manifest
from indexer.spool.manifest import upload
from tests.spool.stores import Failing

MANIFEST = Manifest(key="2024/a", size=3, sha256="ab", sealed=1.5, items=["x y"], stores={"s": "u"})


def test_a_saved_manifest_is_loaded(tmp_path: Path) -> None:
    MANIFEST.save(tmp_path / "a.json")
    assert Manifest.load(tmp_path / "a.json") == MANIFEST
    assert [each.name for each in tmp_path.iterdir()] == ["a.json"]


def test_an_older_one_is_replaced(tmp_path: Path) -> None:
    Manifest(key="b", size=0, sha256="", sealed=0.0, items=[]).save(tmp_path / "a.json")
    MANIFEST.save(tmp_path / "a.json")
    assert Manifest.load(tmp_path / "a.json") == MANIFEST


@pytest.mark.parametrize("content", [None, b"", b"{", b"[]", b'{"key": 1}', b"\xff"])
def test_a_file_that_is_no_manifest_is_none(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "a.json").write_bytes(content)
    assert Manifest.load(tmp_path / "a.json") is None


CONTENT = b"content"
UPLOADED = Manifest(
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
    url = upload(path, UPLOADED, store)
    assert url.startswith("file:///")
    assert store.open(UPLOADED.key).read() == CONTENT


def test_an_object_with_the_same_content_is_not_put_again(path: Path, store: Failing) -> None:
    upload(path, UPLOADED, store)
    assert upload(path, UPLOADED, store).endswith("/2024/a b.gz")
    assert len(store.puts) == 1


def test_another_object_is_never_replaced(path: Path, store: Failing) -> None:
    store.put(UPLOADED.key, io.BytesIO(b"other"))
    with pytest.raises(StorageError, match="another object named"):
        upload(path, UPLOADED, store)
    assert store.open(UPLOADED.key).read() == b"other"


def test_credentials_that_may_only_write_are_enough(path: Path, tmp_path: Path) -> None:
    class WriteOnly(Failing):
        def open(self, key: str, version: str = "") -> BinaryIO:
            raise AccessDenied(f"{key}: you may not read")

    store = WriteOnly(tmp_path / "store")
    upload(path, UPLOADED, store)
    assert (tmp_path / "store" / UPLOADED.key).read_bytes() == CONTENT


def test_a_failing_store_is_an_error(path: Path, store: Failing) -> None:
    store.failures = 1
    with pytest.raises(StorageError, match="out of order"):
        upload(path, UPLOADED, store)
