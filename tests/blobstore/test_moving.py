"""Files of this machine move into any store, and are gone from their place."""

import errno
import hashlib
from pathlib import Path

import pytest

from indexer.blobstore.directory import Directory
from indexer.blobstore.moving import move_in
from indexer.errors import StorageError
from tests.blobstore.memory import Memory

DATA = b"the bytes" * 1000
SHA256 = hashlib.sha256(DATA).hexdigest()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "here" / "file"
    path.parent.mkdir()
    path.write_bytes(DATA)
    return path


def test_a_directory_renames_the_file(tmp_path: Path, file: Path) -> None:
    inode = file.stat().st_ino
    url = move_in(Directory(tmp_path / "store"), "a/b", file, SHA256)
    stored = tmp_path / "store/a/b"
    assert (stored.stat().st_ino, stored.read_bytes()) == (inode, DATA)
    assert url == stored.as_uri()
    assert not file.exists()


def test_a_directory_on_another_file_system_copies_the_file(
    tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EXDEV, "another device")

    monkeypatch.setattr("indexer.blobstore.directory.move_into_place", refuse)
    move_in(Directory(tmp_path / "store"), "a", file, SHA256)
    assert (tmp_path / "store/a").read_bytes() == DATA
    assert not file.exists()


def test_another_store_gets_the_content(file: Path) -> None:
    store = Memory("memory://moving")
    move_in(store, "a", file, SHA256)
    assert store.open("a").read() == DATA
    assert not file.exists()


def test_a_file_with_another_digest_stays(file: Path) -> None:
    with pytest.raises(StorageError):
        move_in(Memory("memory://moving-2"), "a", file, "0" * 64)
    assert file.exists()


def test_a_key_that_leads_out_is_refused(tmp_path: Path, file: Path) -> None:
    with pytest.raises(StorageError):
        move_in(Directory(tmp_path / "store"), "../a", file, SHA256)
    assert file.exists()
