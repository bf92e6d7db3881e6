"""The bookmark: whole at any moment, one puller's at a time, and the older system's too."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from indexer.errors import InputError
from indexer.stories.queuers.bookmark import Bookmark
from indexer.stories.queuers.rss_fetcher import EntryRow
from tests.each_row import each_row
from tests.stories.rss_fetcher_server import entry


def saved(directory: Path, *ids: int) -> Bookmark:
    """A bookmark that was put there, one after the other."""
    bookmark = Bookmark(directory)
    bookmark.read()
    with bookmark.held():
        for number in ids:
            bookmark.save(EntryRow(entry(number)))
    return bookmark


def last(directory: Path) -> int | None:
    """Where another run would go on."""
    bookmark = Bookmark(directory)
    bookmark.read()
    return bookmark.last


def test_it_is_the_json_of_the_last_row_and_the_one_before_is_kept(tmp_path: Path) -> None:
    assert saved(tmp_path / "rss-puller", 7).last == 7
    saved(tmp_path / "rss-puller", 8, 9)
    folder = tmp_path / "rss-puller"
    assert json.loads((folder / "last-rss-entry").read_text()) == entry(9)
    assert json.loads((folder / "last-rss-entry.prev").read_text()) == entry(8)
    assert not (folder / "last-rss-entry.tmp").exists()
    assert last(folder) == 9


def test_the_first_run_has_none(tmp_path: Path) -> None:
    assert last(tmp_path / "missing") is None
    assert not (tmp_path / "missing").exists()


@each_row(
    "content",
    ['{"id": 123456, "url": null, "more": [1]}', '{"id": "123456"}', '\n {"id":123456}\n'],
)
def test_the_file_of_the_older_system_is_read(tmp_path: Path, content: str) -> None:
    (tmp_path / "last-rss-entry").write_text(content)
    assert last(tmp_path) == 123456


BROKEN = [b"", b'{"id": 1', b"[1]", b"null", b'{"id": null}', b'{"id": -1}', b"\xff\x00", b"1"]


@each_row("content", [*BROKEN, b"[" * 100_000])
def test_a_broken_file_is_an_error_that_says_what_to_do(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "last-rss-entry.prev").unlink(missing_ok=True)
    (tmp_path / "last-rss-entry").write_bytes(content)
    with pytest.raises(InputError, match=r"last-rss-entry: not the JSON .* --first-id"):
        last(tmp_path)
    (tmp_path / "last-rss-entry.prev").write_text('{"id": 41}')
    with pytest.raises(
        InputError, match=r"last-rss-entry\.prev, which has the entry before \(41\)"
    ):
        last(tmp_path)
    assert (tmp_path / "last-rss-entry").read_bytes() == content


def _put_back(path: Path) -> None:
    path.write_text('{"id": 5}')


@pytest.mark.parametrize("change", [_put_back, Path.unlink], ids=["written", "removed"])
def test_what_somebody_else_has_changed_is_not_overwritten(
    tmp_path: Path, change: Callable[[Path], None]
) -> None:
    bookmark = saved(tmp_path, 1)
    path = tmp_path / "last-rss-entry"
    change(path)
    before = path.read_bytes() if path.exists() else None
    with pytest.raises(InputError, match="changed by another program"):
        bookmark.save(EntryRow(entry(2)))
    assert (path.read_bytes() if path.exists() else None) == before


def test_what_somebody_else_has_begun_is_not_overwritten(tmp_path: Path) -> None:
    bookmark = Bookmark(tmp_path)
    bookmark.read()
    saved(tmp_path, 1)
    with pytest.raises(InputError, match="changed by another program"):
        bookmark.save(EntryRow(entry(2)))
    assert last(tmp_path) == 1


def test_one_puller_holds_it_at_a_time(tmp_path: Path) -> None:
    with Bookmark(tmp_path).held():
        with pytest.raises(InputError, match="another puller"), Bookmark(tmp_path).held():
            pass
        with Bookmark(tmp_path, kept=False).held():
            pass
    with Bookmark(tmp_path).held():
        pass


def test_one_that_is_not_kept_is_read_and_changes_nothing(tmp_path: Path) -> None:
    saved(tmp_path, 1, 2)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    bookmark = Bookmark(tmp_path, kept=False)
    bookmark.read()
    assert bookmark.last == 2
    bookmark.save(EntryRow(entry(3)))
    assert bookmark.last == 3
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
