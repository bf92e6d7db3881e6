"""The search indexes that are tested: each test gets empty ones of its own."""

from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from elasticsearch import Elasticsearch

from indexer.search import SearchIndex, open_index

Opener = Callable[[], SearchIndex]
"""Opens the same index, each time as another process would."""


@pytest.fixture(params=["sqlite", pytest.param("elasticsearch", marks=pytest.mark.external)])
def url(request: pytest.FixtureRequest) -> str:
    """The URL of an index that isn't there yet."""
    return str(request.getfixturevalue(f"{request.param}_index_url"))


@pytest.fixture
def index(opener: Opener) -> SearchIndex:
    """An index without documents."""
    return opener()


@pytest.fixture
def opener(url: str) -> Iterator[Opener]:
    """Opens the index as often as needed; all are closed."""
    opened: list[SearchIndex] = []

    def open_once_more() -> SearchIndex:
        opened.append(open_index(url))
        return opened[-1]

    yield open_once_more
    for each in opened:
        each.close()


@pytest.fixture
def sqlite_index_url(tmp_path: Path) -> str:
    """The URL of a file that isn't there yet."""
    return f"sqlite:///{tmp_path / 'index.sqlite3'}"


@pytest.fixture
def server(elasticsearch_url: str) -> Iterator[Elasticsearch]:
    """A client of the real Elasticsearch, to look at it from outside."""
    client = Elasticsearch(elasticsearch_url)
    yield client
    client.close()


@pytest.fixture
def alias(server: Elasticsearch) -> Iterator[str]:
    """A name for an alias; its indices and template are deleted afterwards."""
    name = f"test-{uuid4().hex[:12]}"
    yield name
    some = server.indices.get(index=f"{name}*", expand_wildcards="all", filter_path="*.aliases")
    for each in some:
        server.indices.delete(index=each)
    server.options(ignore_status=404).indices.delete_index_template(name=f"{name}_template")


@pytest.fixture
def elasticsearch_index_url(elasticsearch_url: str, alias: str) -> str:
    """The URL of an alias that isn't there yet."""
    return f"{elasticsearch_url}/{alias}"
