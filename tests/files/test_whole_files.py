"""Files that are written whole or not at all."""

import os
import stat
from pathlib import Path

import pytest

from indexer.files.whole_files import replacing, write_whole


def test_a_file_is_replaced_when_all_is_written(tmp_path: Path) -> None:
    path = tmp_path / "state"
    path.write_bytes(b"old")
    with replacing(path) as file:
        file.write(b"new")
        file.flush()
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_an_error_leaves_the_old_file_and_nothing_aside(tmp_path: Path) -> None:
    path = tmp_path / "state"
    write_whole(path, b"old")
    with pytest.raises(TypeError), replacing(path) as file:
        file.write("text")  # type: ignore[arg-type]  # a mistake of the caller
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_the_content_is_on_disk_before_the_rename_and_the_name_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    real_sync, real_replace = os.fsync, Path.replace

    def fsync(descriptor: int) -> None:
        kind = "directory" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file"
        steps.append(f"sync the {kind}")
        real_sync(descriptor)

    def rename(path: Path, target: Path) -> Path:
        steps.append("rename")
        return real_replace(path, target)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(Path, "replace", rename)
    write_whole(tmp_path / "a", b"x")
    assert steps == ["sync the file", "rename", "sync the directory"]
    steps.clear()
    write_whole(tmp_path / "b", b"x", durable=False)
    assert steps == ["rename"]


def test_the_longest_name_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 255)
    write_whole(path, b"x")
    assert path.read_bytes() == b"x"


def test_two_writers_of_one_path_do_not_mix(tmp_path: Path) -> None:
    path = tmp_path / "state"
    with replacing(path) as first, replacing(path) as second:
        first.write(b"first")
        second.write(b"second")
    assert path.read_bytes() == b"first"
