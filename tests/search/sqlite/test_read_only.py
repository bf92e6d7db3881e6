"""An index that its user may read but not write."""

import os
from pathlib import Path

import pytest

from indexer.errors import ConfigurationError, SearchError
from indexer.search import SearchIndex, open_index
from indexer.search.language.query import Query
from indexer.stories.indexing.fields import STORY_FIELDS
from tests.read_only import read_only
from tests.search.corpus import fill, found, story
from tests.search.sqlite.format_1 import make


def another(path: Path) -> SearchIndex:
    return open_index(f"sqlite:///{path}", STORY_FIELDS)


def test_an_index_is_searched_and_nothing_is_written(index: SearchIndex, path: Path) -> None:
    fill(index, story())
    index.close()
    with read_only(path.parent):
        assert len(found(another(path))) == 1
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_an_index_is_searched_while_another_user_writes(index: SearchIndex, path: Path) -> None:
    for number in range(1, 3):
        fill(index, story(id=f"{number}"))
        with read_only(path.parent):
            assert len(found(another(path))) == number


def test_an_index_that_has_to_be_migrated_is_an_error(path: Path) -> None:
    make(path, [story()])
    with read_only(path.parent), pytest.raises(ConfigurationError, match="of an older program"):
        found(another(path))


def test_writing_is_an_error(index: SearchIndex, path: Path) -> None:
    fill(index, story())
    index.close()
    with read_only(path.parent), pytest.raises(SearchError, match="you may not write this file"):
        another(path).add([story(id="new")])


def test_an_index_that_changes_while_it_is_read_is_an_error(index: SearchIndex, path: Path) -> None:
    fill(index, story())
    index.close()
    with read_only(path.parent):
        hits = another(path).search(Query("*"))
        next(hits)
        os.utime(path, ns=(1, 1))
        with pytest.raises(SearchError, match="run the command again"):
            next(hits)


def test_an_index_that_may_not_be_read_is_explained(index: SearchIndex, path: Path) -> None:
    fill(index, story())
    index.close()
    path.chmod(0)
    with read_only(path.parent), pytest.raises(SearchError, match="you may not read this file"):
        found(another(path))
