"""A store of each kind, and an embedded one."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from indexer.pipeview.store import CrumbStore
from tests.pipeview.new_store import new_store


@pytest.fixture
def store(database_url: str) -> Iterator[CrumbStore]:
    """An empty store of each kind."""
    with closing(new_store(database_url)) as opened:
        yield opened


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[CrumbStore]:
    """An empty embedded store."""
    with closing(new_store(f"sqlite:///{tmp_path}/pipeview.sqlite3")) as opened:
        yield opened
