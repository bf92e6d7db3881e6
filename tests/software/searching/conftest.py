"""An index of software of each kind."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from indexer.search import SearchIndex, open_index
from indexer.software.searching.fields import SOFTWARE_FIELDS
from tests.search.servers import own_place


@pytest.fixture(params=["sqlite", pytest.param("elasticsearch", marks=pytest.mark.external)])
def index(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SearchIndex]:
    """An index without documents."""
    if request.param == "sqlite":
        with closing(open_index(f"sqlite:///{tmp_path}/index.sqlite3", SOFTWARE_FIELDS)) as found:
            yield found
        return
    with (
        own_place(request.getfixturevalue("elasticsearch_url")) as place,
        closing(open_index(place.url, SOFTWARE_FIELDS)) as found,
    ):
        yield found
