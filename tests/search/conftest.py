"""The search indexes of the tests: each test gets an empty one."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from elasticsearch import Elasticsearch

from indexer.search import SearchIndex, open_index
from indexer.stories.indexing.fields import STORY_FIELDS
from tests.search.servers import Place, own_place

Opener = Callable[[], SearchIndex]
"""Opens the same index, each time as another process would."""


@pytest.fixture(params=["sqlite", pytest.param("elasticsearch", marks=pytest.mark.external)])
def url(request: pytest.FixtureRequest) -> str:
    """The URL of an index that does not exist yet."""
    return str(request.getfixturevalue(f"{request.param}_index_url"))


@pytest.fixture
def index(opener: Opener) -> SearchIndex:
    """An index without documents."""
    return opener()


@pytest.fixture
def opener(url: str) -> Iterator[Opener]:
    """Returns a function that opens the index again; the test's end closes all."""
    opened: list[SearchIndex] = []

    def open_once_more() -> SearchIndex:
        opened.append(open_index(url, STORY_FIELDS))
        return opened[-1]

    yield open_once_more
    for each in opened:
        each.close()


@pytest.fixture
def sqlite_index_url(tmp_path: Path) -> str:
    """The URL of a file that does not exist yet."""
    return f"sqlite:///{tmp_path / 'index.sqlite3'}"


@pytest.fixture
def place(elasticsearch_url: str) -> Iterator[Place]:
    """A place on the real Elasticsearch."""
    with own_place(elasticsearch_url) as found:
        yield found


@pytest.fixture
def server(place: Place) -> Elasticsearch:
    """A client of the real Elasticsearch, to inspect the index directly."""
    return place.server


@pytest.fixture
def alias(place: Place) -> str:
    """A name for an alias; its indices and template are deleted afterwards."""
    return place.alias


@pytest.fixture
def repository(place: Place) -> str:
    """A name for a snapshot repository, which is deleted afterwards with its snapshots."""
    return place.alias


@pytest.fixture
def elasticsearch_index_url(place: Place) -> str:
    """The URL of an alias that does not exist yet."""
    return place.url


def open_contexts(server: Elasticsearch, alias: str) -> int:
    """Return the number of open searches and points in time behind an alias."""
    found = server.indices.stats(index=alias, metric="search")["_all"]["total"]
    return int(found["search"]["open_contexts"])
