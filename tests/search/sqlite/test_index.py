"""The SQLite index's own promises: its file, and other processes."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from indexer.errors import ConfigurationError, SearchError
from indexer.search import SearchIndex, open_index
from indexer.search.language.query import Query, plan
from indexer.search.sqlite import file
from indexer.search.sqlite import index as module
from indexer.search.sqlite.index import SQLiteIndex, _Row
from indexer.search.sqlite.migration import stored_texts
from indexer.search.sqlite.query import statement
from indexer.stories.indexing.fields import STORY_FIELDS
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
        open_index(url, STORY_FIELDS)


def test_a_path_may_be_relative(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    fill(open_index("sqlite:///a b%20?.sqlite3", STORY_FIELDS), story())
    assert (tmp_path / "a b%20?.sqlite3").exists()


def test_an_unknown_scheme_is_an_error() -> None:
    with pytest.raises(ConfigurationError, match="no search index for 'mysql'"):
        open_index("mysql://localhost/x", STORY_FIELDS)


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
        open_index(f"sqlite:///{tmp_path}/file/index.sqlite3", STORY_FIELDS).add([story()])


def test_a_batch_is_added_whole_or_not_at_all(
    index: SearchIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(index, story("a"))
    insert = SQLiteIndex._insert

    def fail_at_c(self: SQLiteIndex, connection: sqlite3.Connection, row: _Row) -> object:
        if row.document.id == "c":
            raise sqlite3.OperationalError("disk I/O error")
        return insert(self, connection, row)

    monkeypatch.setattr(SQLiteIndex, "_insert", fail_at_c)
    for write in (index.add, index.update):
        with pytest.raises(SearchError, match="disk I/O error"):
            write([story("b"), story("c")])
    assert found(index) == ["a"]
    assert kinds(index.add([story("b")])) == ["CREATED"]


def test_the_words_of_a_batch_are_one_segment_of_the_file(index: SearchIndex, path: Path) -> None:
    fill(index, story("a"), story("b"), story("c"))
    with closing(sqlite3.connect(path)) as file:
        assert file.execute("SELECT count(DISTINCT segid) FROM words_idx").fetchone() == (1,)


def test_waiting_too_long_for_other_processes_is_an_error(
    index: SearchIndex, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file, "BUSY_SECONDS", 0.05)
    fill(index, story("a"))
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(SearchError, match="locked; another process writes or migrates it"):
            index.add([story("b")])
        assert found(index) == ["a"]
    assert kinds(index.add([story("b")])) == ["CREATED"]


def test_words_that_a_deletion_leaves_behind_match_no_document(
    index: SearchIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An upgrade of Unicode's tables can split the same text into other words."""
    fill(index, story("a", "needle"))
    monkeypatch.setattr(module, "spaced", lambda text: "")
    index.delete(["a"])
    monkeypatch.undo()
    fill(index, story("b", "other"))
    assert found(index, "needle") == []
    assert index.count(Query("needle")) == 0


@pytest.mark.parametrize(
    ("text", "plan_of_it"),
    [
        ("bridge", "VIRTUAL TABLE INDEX"),
        ("domain:a.b", "by_canonical_domain"),
        ("date:2024", "by_publication_date_and_indexed_date"),
        ("*", "by_publication_date_and_indexed_date"),
    ],
)
def test_searches_use_an_index(index: SearchIndex, path: Path, text: str, plan_of_it: str) -> None:
    fill(index, *corpus())
    with closing(sqlite3.connect(path)) as connection:
        tree = plan(Query(text), STORY_FIELDS)
        search = statement(tree, STORY_FIELDS, stored_texts(connection))
        rows = connection.execute(f"EXPLAIN QUERY PLAN {search.limited(20)}", search.values)
        assert plan_of_it in " ".join(row[3] for row in rows)
