"""An embedded index, and its file."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from indexer.search import SearchIndex, open_index
from indexer.stories.indexing.fields import STORY_FIELDS


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file that does not exist yet."""
    return tmp_path / "new" / "index.sqlite3"


@pytest.fixture
def index(path: Path) -> Iterator[SearchIndex]:
    """An index that does not exist yet."""
    index = open_index(f"sqlite:///{path}", STORY_FIELDS)
    yield index
    index.close()
