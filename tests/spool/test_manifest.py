"""Manifests of spooled files, and uploads to one store."""

import hashlib
import io
from pathlib import Path
from typing import BinaryIO
from urllib.parse import unquote

import msgspec
import pytest

from indexer.blobstore import ObjectVersion
from indexer.errors import AccessDenied, StorageError
from indexer.spool import Manifest
from indexer.spool.manifest import other_key, upload
from tests.blobstore.objects import keys
from tests.each_row import each_row
from tests.spool.stores import Damaging, Failing

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


@pytest.mark.parametrize("other", [b"other", b"longer content", b""])
def test_another_object_is_kept_and_the_file_gets_another_key(
    path: Path, store: Failing, other: bytes
) -> None:
    store.put(UPLOADED.key, io.BytesIO(other))
    for _ in range(2):
        url = upload(path, UPLOADED, store)
        assert unquote(url).endswith(f"/2024/a b-{UPLOADED.sha256[:16]}.gz")
    assert store.open(UPLOADED.key).read() == other
    assert store.open(other_key(UPLOADED)).read() == CONTENT
    assert len(store.puts) == 2


@pytest.mark.parametrize("failures", [1, 2, 5])
@pytest.mark.parametrize("forgets", [False, True])
def test_a_store_that_damaged_uploads_gets_the_file_when_it_is_healthy(
    path: Path, tmp_path: Path, forgets: bool, failures: int
) -> None:
    store = Damaging(f"memory://{tmp_path.name}", failures, forgets=forgets)
    for _ in range(failures):
        with pytest.raises(StorageError, match="differs"):
            upload(path, UPLOADED, store)
    upload(path, UPLOADED, store)
    found = {key: store.open(key).read() for key in keys(store)}
    # Without a digest the damaged object is not known to be ours, and is kept.
    damaged = {UPLOADED.key: CONTENT[:-1]} if forgets else {}
    key = other_key(UPLOADED) if forgets else UPLOADED.key
    assert found == {key: CONTENT, **damaged}


@each_row(
    ("key", "expected"),
    [
        ("2024/05/01/mc-1-host.warc.gz", "2024/05/01/mc-1-host-HASH.warc.gz"),
        ("mc-1-host.example.com.warc.gz", "mc-1-host.example.com-HASH.warc.gz"),
        ("a.gz", "a-HASH.gz"),
        ("a.b/file.cdxj", "a.b/file-HASH.cdxj"),
        ("a.b/file", "a.b/file-HASH"),
    ],
)
def test_the_other_key_has_the_digest_before_its_suffix(key: str, expected: str) -> None:
    manifest = msgspec.structs.replace(UPLOADED, key=key)
    assert other_key(manifest) == expected.replace("HASH", UPLOADED.sha256[:16])


def test_credentials_that_may_only_write_are_enough(path: Path, tmp_path: Path) -> None:
    class WriteOnly(Failing):
        def open(self, key: str, version: str = "") -> BinaryIO:
            raise AccessDenied(f"{key}: you may not read")

        def stat(self, key: str) -> ObjectVersion:
            raise AccessDenied(f"{key}: you may not read")

    store = WriteOnly(tmp_path / "store")
    upload(path, UPLOADED, store)
    assert (tmp_path / "store" / UPLOADED.key).read_bytes() == CONTENT


def test_a_failing_store_is_an_error(path: Path, store: Failing) -> None:
    store.failures = 1
    with pytest.raises(StorageError, match="out of order"):
        upload(path, UPLOADED, store)
