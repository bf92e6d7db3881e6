"""An embedded index, and its file."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from indexer.search import SearchIndex, open_index


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file that does not exist yet."""
    return tmp_path / "new" / "index.sqlite3"


@pytest.fixture
def index(path: Path) -> Iterator[SearchIndex]:
    """An index that does not exist yet."""
    index = open_index(f"sqlite:///{path}")
    yield index
    index.close()
