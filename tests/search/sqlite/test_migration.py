"""A file of an earlier program is brought to the fields of this one, or is left as it is."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from indexer.errors import ConfigurationError, SearchError
from indexer.search import SearchIndex, open_index
from indexer.search.documents import acceptable
from indexer.search.language.query import Query
from indexer.search.language.schema import Field, FieldType, Schema
from indexer.search.sqlite import migration
from indexer.search.sqlite.migration import stored_fields, stored_texts
from indexer.stories.indexing.fields import STORY_FIELDS
from tests.logged import capture_logs
from tests.search.corpus import corpus, fill, found, kinds, story
from tests.search.schemas import EXTENDED
from tests.search.sqlite.format_1 import make
from tests.search.test_queries import QUERIES

SHORTER = replace(
    STORY_FIELDS, fields=tuple(f for f in STORY_FIELDS.fields if f.name != "article_title")
)


def opened(path: Path, schema: Schema = STORY_FIELDS) -> SearchIndex:
    """Open the index of a file."""
    return open_index(f"sqlite:///{path}", schema)


def dump(path: Path) -> list[str]:
    """Return all that a file has, as SQL."""
    with closing(sqlite3.connect(path)) as connection:
        version = connection.execute("PRAGMA user_version").fetchone()
        return [str(version), *connection.iterdump()]


def test_a_file_of_format_1_finds_what_it_found(path: Path) -> None:
    stories = [acceptable(each, STORY_FIELDS) for each in corpus()]
    make(path, stories)
    with closing(opened(path)) as index:
        assert index.find(each.id for each in stories) == {each.id: each for each in stories}
        hits = {query: sorted(found(index, query)) for query, _ in QUERIES[::9]}
        assert hits == {query: sorted(ids.split()) for query, ids in QUERIES[::9]}
        assert kinds(index.add([stories[0], story("new", "needle")])) == ["DUPLICATE", "CREATED"]
        assert [each.erasure.value for each in index.delete([stories[0].id])] == ["deleted"]
        assert found(index, "needle") == ["new"]


def test_a_migrated_file_is_as_a_new_one(path: Path) -> None:
    make(path, [story("a")])
    assert opened(path).count(Query()) == 1
    new = path.with_name("new.sqlite3")
    fill(opened(new), story("a"))
    with closing(sqlite3.connect(path)) as old, closing(sqlite3.connect(new)) as other:
        tables = "SELECT type, name, tbl_name FROM sqlite_master ORDER BY name"
        assert old.execute(tables).fetchall() == other.execute(tables).fetchall()
        # Programs of format 1 refuse any other.
        assert old.execute("PRAGMA user_version").fetchone() == (2,)
        assert sorted(stored_fields(old)) == sorted(stored_fields(other))
        assert sorted(stored_texts(old)) == sorted(stored_texts(other))


def test_a_file_of_format_1_gets_more_fields_at_once(path: Path) -> None:
    make(path, [story("old", "An old bridge")])
    index = opened(path, EXTENDED)
    fill(index, story("new", "x", words=5, description="A bridge"))
    assert sorted(found(index, "bridge")) == ["new", "old"]
    assert found(index, "words:5") == ["new"]


def test_a_malformed_date_of_format_1_is_still_in_no_range(path: Path) -> None:
    make(path, [story("a", publication_date="2024-13-45"), story("b")])
    index = opened(path)
    assert (found(index, "date:*"), found(index, "-date:*")) == (["b"], ["a"])
    document = index.get("a")
    assert document
    assert document.get("publication_date") == "2024-13-45"


def test_a_field_that_the_program_has_no_longer_is_kept_and_ignored(path: Path) -> None:
    fill(opened(path), story("a", article_title="Kept"))
    index = opened(path, SHORTER)
    assert (found(index, "kept"), found(index, "text")) == ([], ["a"])
    document = index.get("a")
    assert document
    assert "article_title" not in document.values
    fill(index, story("b", article_title=None))
    assert [each.erasure.value for each in index.delete(["a"])] == ["deleted"]
    with_titles = opened(path)
    assert (found(with_titles, "title:kept"), found(with_titles, "text")) == ([], ["b"])


def test_a_title_stays_when_a_program_without_titles_uses_the_file(path: Path) -> None:
    fill(opened(path), story("a", article_title="Kept"))
    assert found(opened(path, SHORTER)) == ["a"]
    assert found(opened(path), "title:kept") == ["a"]


def test_a_field_of_another_type_is_an_error_that_changes_nothing(path: Path) -> None:
    fill(opened(path), story("a"))
    changed = tuple(
        Field(f.name, FieldType.KEYWORDS if f.name == "language" else f.type)
        for f in EXTENDED.fields
    )
    before = dump(path)
    index = opened(path, replace(EXTENDED, fields=changed))
    message = (
        r"its field language is of type keyword, .* import the documents again into a new file"
    )
    with pytest.raises(ConfigurationError, match=message):
        index.count(Query())
    with pytest.raises(ConfigurationError, match=message):
        index.add([story("b", language=None)])
    assert dump(path) == before


@pytest.mark.parametrize("first", [1, 2])
def test_a_migration_that_fails_changes_nothing(
    path: Path, first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if first == 1:
        make(path, [story("a")])
    else:
        fill(opened(path), story("a"))
    before = dump(path)

    def fail(*_: object) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(migration, "spaced", fail)
    with pytest.raises(SearchError, match="disk I/O error"):
        found(opened(path, EXTENDED))
    assert dump(path) == before
    monkeypatch.undo()
    assert found(opened(path, EXTENDED)) == ["a"]


def test_a_program_that_has_the_file_open_meanwhile_goes_on(path: Path) -> None:
    earlier = opened(path)
    fill(earlier, story("a", "old bridge"))
    fill(opened(path, EXTENDED), story("b", description="A bridge", words=7))
    fill(earlier, story("c", "new bridge"))
    assert kinds(earlier.update([story("a", "other")])) == ["UPDATED"]
    assert [each.erasure.value for each in earlier.delete(["b"])] == ["deleted"]
    index = opened(path, EXTENDED)
    assert (found(index, "bridge"), found(index, "other")) == (["c"], ["a"])


def test_a_program_that_has_the_file_open_notices_a_newer_format(path: Path) -> None:
    index = opened(path)
    fill(index, story("a"))
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 3")
    with pytest.raises(ConfigurationError, match=r"format 3, this program has 2: .*newer"):
        index.add([story("b")])


def test_progress_is_logged_while_many_texts_are_split(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(path, [story(str(number)) for number in range(5)])
    monkeypatch.setattr(migration, "_BATCH", 1)
    monkeypatch.setattr(migration, "DOCUMENTS_A_LINE", 2)
    with capture_logs() as logged:
        opened(path, EXTENDED).count(Query())
    lines = [(each["event"], each.get("documents"), each.get("of")) for each in logged]
    assert lines == [
        ("index-migration", 2, 5),
        ("index-migration", 4, 5),
        ("index-migrated", None, None),
    ]


def test_counted_fields_of_an_existing_file_get_their_index(path: Path) -> None:
    counted = replace(
        STORY_FIELDS,
        fields=tuple(
            replace(each, counted=each.name == "language") for each in STORY_FIELDS.fields
        ),
    )
    fill(opened(path), story("a", "flood"))
    with closing(opened(path, counted)) as index:
        assert index.facets(Query("flood"), ["language"]) == {"language": [("en", 1)]}
    assert [line for line in dump(path) if "by_number_and_language" in line]
    fill(opened(path), story("b", "flood"))
