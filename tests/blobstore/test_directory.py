"""Directories as blobstores: paths, links, power cuts."""

import hashlib
import io
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

import pytest

from indexer.blobstore import directory, open_blobstore
from indexer.blobstore.directory import Directory, path_of
from indexer.errors import AccessDenied, ConfigurationError, NotFound, StorageError
from tests.blobstore.objects import keys
from tests.each_row import each_row


def names(folder: Path) -> list[str]:
    """The names in a folder."""
    return sorted(path.name for path in folder.iterdir())


@each_row(
    ("url", "path"),
    [
        ("data/archive", "data/archive"),
        ("/data/archive", "/data/archive"),
        ("file:///data/archive", "/data/archive"),
        ("file://localhost/data", "/data"),
        ("FILE:///a%20b/%C3%A9", "/a b/é"),
    ],
)
def test_paths_and_urls_of_directories(url: str, path: str) -> None:
    assert path_of(url) == Path(path)


@pytest.mark.parametrize("url", ["", "file://host/data", "file:data"])
def test_a_url_that_is_no_path_is_an_error(url: str) -> None:
    with pytest.raises(ConfigurationError):
        path_of(url)


@pytest.mark.parametrize("url", ["ftp://host/data", "gs://bucket"])
def test_other_schemes_are_an_error(url: str) -> None:
    with pytest.raises(ConfigurationError, match="no blobstore for"):
        open_blobstore(url)


def test_an_unfinished_file_is_no_object(tmp_path: Path) -> None:
    (tmp_path / ".aside-0123").write_bytes(b"x")
    store = Directory(tmp_path)
    assert keys(store) == []
    with pytest.raises(StorageError, match="not a key"):
        store.open(".aside-0123")


def test_nothing_is_left_aside(tmp_path: Path) -> None:
    store = Directory(tmp_path)
    store.put("a", io.BytesIO(b"x"))
    with pytest.raises(TypeError):
        store.put("b", io.StringIO("text"))  # type: ignore[arg-type]  # a mistake of the caller
    assert names(tmp_path) == ["a"]


def test_a_difference_between_disk_and_source_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forgetful(file: BinaryIO, to: BinaryIO) -> str:
        data = file.read()
        to.write(data[:-1])
        return hashlib.sha256(data).hexdigest()

    monkeypatch.setattr(directory, "_copy", forgetful)
    with pytest.raises(StorageError, match="differs from the content sent"):
        Directory(tmp_path).put("a", io.BytesIO(b"all of it"))
    assert names(tmp_path) == []


def test_links_that_lead_out_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/secret").write_bytes(b"x")
    root = tmp_path / "root"
    root.mkdir()
    (root / "folder").symlink_to(tmp_path / "outside")
    (root / "file").symlink_to(tmp_path / "outside/secret")
    store = Directory(root)
    assert keys(store) == []
    for key in ("folder/secret", "file"):
        for read in (store.open, store.stat, store.versions):
            with pytest.raises(AccessDenied, match="leads out"):
                read(key)
    for use in (
        lambda: store.put("folder/new", io.BytesIO()),
        lambda: store.delete("folder/secret"),
    ):
        with pytest.raises(AccessDenied, match="leads out"):
            use()
    assert names(tmp_path / "outside") == ["secret"]


def test_links_inside_are_followed(tmp_path: Path) -> None:
    store = Directory(tmp_path)
    store.put("a", io.BytesIO(b"x"))
    (tmp_path / "b").symlink_to(tmp_path / "a")
    assert keys(store) == ["a", "b"]
    assert store.open("b").read() == b"x"


def test_a_file_that_may_not_be_read_is_denied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(AccessDenied, match="a: Permission denied"):
        Directory(tmp_path).open("a")


def test_a_replaced_version_is_not_found(tmp_path: Path) -> None:
    store = Directory(tmp_path)
    store.put("a", io.BytesIO(b"x"))
    os.utime(tmp_path / "a", (1632000000.5, 1632000000.5))
    before = store.stat("a")
    assert before.modified == datetime(2021, 9, 18, 21, 20, 0, 500_000, UTC)
    assert store.versions("a") == [before]
    store.put("a", io.BytesIO(b"y"))
    with pytest.raises(NotFound, match="was replaced"):
        store.open("a", before.id)


def test_a_root_that_is_a_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x")
    store = Directory(tmp_path / "file")
    with pytest.raises(NotFound):
        store.open("a")
    with pytest.raises(StorageError):
        store.put("a", io.BytesIO())
    with pytest.raises(StorageError):
        keys(store)


def test_names_that_are_not_unicode_are_left_out(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"bad-\xff")).write_bytes(b"x")
    (tmp_path / "good").write_bytes(b"x")
    assert keys(Directory(tmp_path)) == ["good"]


def test_files_have_the_permissions_that_the_umask_gives(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        Directory(tmp_path).put("a", io.BytesIO(b"x"))
    finally:
        os.umask(before)
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o640


def test_only_directories_that_may_have_the_keys_are_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, listed, real = Directory(tmp_path), list[str](), directory._listed
    for key in ("a/1/x", "a/2", "ab/3", "b/4"):
        store.put(key, io.BytesIO(b"x"))

    def noted(folder: Path) -> list[str]:
        listed.append(folder.name)
        return real(folder)

    monkeypatch.setattr(directory, "_listed", noted)
    for prefix, found, folders in (
        ("a/", ["a/1/x", "a/2"], ["a", "1"]),
        ("a", ["a/1/x", "a/2", "ab/3"], ["a", "1", "ab"]),
        ("a/1/", ["a/1/x"], ["a", "1"]),
        ("c/", [], []),
    ):
        listed.clear()
        assert [each.key for each in store.entries(prefix)] == found
        assert listed == [tmp_path.name, *folders]
