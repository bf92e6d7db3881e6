"""A store of each kind, and crumbs to put into it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from indexer.pipeview.store import Store


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.external)])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'pipeview.sqlite3'}"
    url: str = request.getfixturevalue("postgresql_url")
    return url


@pytest.fixture
def store(database_url: str) -> Iterator[Store]:
    """An empty store."""
    opened = Store.open(database_url)
    yield opened
    opened.close()
