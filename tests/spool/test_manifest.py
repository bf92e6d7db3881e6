"""Manifests of spooled files."""

from pathlib import Path

import pytest

from indexer.spool import Manifest

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
