"""The SQLite index's own promises: its file, and other processes."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from indexer.errors import ConfigurationError, SearchError
from indexer.search import SearchIndex, open_index
from indexer.search.language.query import Query, plan
from indexer.search.sqlite import index as module
from indexer.search.sqlite.query import statement
from tests.each_row import each_row
from tests.search.corpus import corpus, fill, found, kinds, story


def test_the_first_add_makes_the_file_and_its_folder(index: SearchIndex, path: Path) -> None:
    assert not path.parent.exists()
    fill(index, story())
    assert [each.name for each in path.parent.glob("*3")] == ["index.sqlite3"]


def test_a_search_creates_nothing(index: SearchIndex, path: Path) -> None:
    with pytest.raises(SearchError, match="makes one"):
        found(index)
    assert not path.parent.exists()


@each_row("url", ["sqlite:", "sqlite://", "sqlite:///", "sqlite://x", "sqlite:///\0"])
def test_a_url_without_a_path_is_an_error(url: str) -> None:
    with pytest.raises(ConfigurationError, match="three slashes"):
        open_index(url)


def test_a_path_may_be_relative(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    fill(open_index("sqlite:///a b%20?.sqlite3"), story())
    assert (tmp_path / "a b%20?.sqlite3").exists()


def test_an_unknown_scheme_is_an_error() -> None:
    with pytest.raises(ConfigurationError, match="no search index for 'mysql'"):
        open_index("mysql://localhost/x")


def test_a_database_of_another_program_is_not_changed(index: SearchIndex, path: Path) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE documents (a)")
    before = path.read_bytes()
    for use in (lambda: index.add([story()]), lambda: found(index)):
        with pytest.raises(ConfigurationError, match="is not a search index"):
            use()
    assert path.read_bytes() == before


def test_an_index_of_another_format_is_refused(index: SearchIndex, path: Path) -> None:
    fill(index, story())
    index.close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(ConfigurationError, match="format 99"):
        found(index)


@pytest.mark.parametrize("content", [b"", b"junk" * 1000, b"SQLite format 3\x00" + b"\xff" * 5000])
def test_a_file_that_is_no_database_is_an_error(
    index: SearchIndex, path: Path, content: bytes
) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises((SearchError, ConfigurationError), match="search index"):
        index.add([story()])
    assert path.read_bytes() == content


def test_a_folder_that_can_not_be_written_to_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SearchError, match="can't use"):
        open_index(f"sqlite:///{tmp_path}/file/index.sqlite3").add([story()])


def test_a_batch_is_added_whole_or_not_at_all(
    index: SearchIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(index, story("a"))
    insert = module._insert

    def fail_at_c(connection: sqlite3.Connection, row: module._Row) -> object:
        if row.document.id == "c":
            raise sqlite3.OperationalError("disk I/O error")
        return insert(connection, row)

    monkeypatch.setattr(module, "_insert", fail_at_c)
    for write in (index.add, index.update):
        with pytest.raises(SearchError, match="disk I/O error"):
            write([story("b"), story("c")])
    assert found(index) == ["a"]
    assert kinds(index.add([story("b")])) == ["CREATED"]


def test_waiting_too_long_for_other_processes_is_an_error(
    index: SearchIndex, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BUSY_SECONDS", 0.05)
    fill(index, story("a"))
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(SearchError, match="locked"):
            index.add([story("b")])
        assert found(index) == ["a"]
    assert kinds(index.add([story("b")])) == ["CREATED"]


def test_words_that_a_deletion_leaves_behind_match_no_document(
    index: SearchIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An upgrade of Unicode's tables can split the same text into other words."""
    fill(index, story("a", "needle"))
    monkeypatch.setattr(module, "_word_columns", lambda title, text: ("", ""))
    index.delete(["a"])
    monkeypatch.undo()
    fill(index, story("b", "other"))
    assert found(index, "needle") == []
    assert index.count(Query("needle")) == 0


@pytest.mark.parametrize(
    ("text", "plan_of_it"),
    [
        ("bridge", "VIRTUAL TABLE INDEX"),
        ("domain:a.b", "by_domain"),
        ("date:2024", "by_date"),
        ("*", "by_date"),
    ],
)
def test_searches_use_an_index(index: SearchIndex, path: Path, text: str, plan_of_it: str) -> None:
    fill(index, *corpus())
    search = statement(plan(Query(text)))
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute(f"EXPLAIN QUERY PLAN {search.limited(20)}", search.values)
        assert plan_of_it in " ".join(row[3] for row in rows)
