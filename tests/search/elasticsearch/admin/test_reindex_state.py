"""The state of a repeated copy: it is written whole, and never used for another copy."""

from pathlib import Path

import pytest

from indexer.errors import ConfigurationError
from indexer.search.elasticsearch.admin.reindex_state import ReindexState, load, save

NEW = ReindexState("http://a/x", "http://b/y", "*")
FAR = ReindexState("http://a/x", "http://b/y", "*", "2024-01-01")


def test_it_comes_back_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    assert load(path, NEW) == NEW
    save(path, FAR)
    assert load(path, NEW) == FAR
    assert [each.name for each in tmp_path.iterdir()] == ["state.json"]


@pytest.mark.parametrize(
    "other",
    [
        ReindexState("http://c/x", "http://b/y", "*"),
        ReindexState("http://a/x", "http://b/z", "*"),
        ReindexState("http://a/x", "http://b/y", "language:en"),
    ],
)
def test_that_of_another_copy_is_an_error(tmp_path: Path, other: ReindexState) -> None:
    save(tmp_path / "state", FAR)
    with pytest.raises(ConfigurationError, match="another copy"):
        load(tmp_path / "state", other)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"source": 1}', b"\xff"])
def test_a_broken_file_is_an_error_and_not_a_new_beginning(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "state").write_bytes(content)
    with pytest.raises(ConfigurationError, match="can't read"):
        load(tmp_path / "state", NEW)


def test_a_state_that_can_not_be_written_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="can't write"):
        save(tmp_path / "nowhere" / "state", FAR)
