"""The index follows the rows of origins."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from indexer.search import SearchIndex
from indexer.software.searching.writing import write_all, write_origins
from indexer.software.store.store import SoftwareStore
from tests.software.searching.indexed import names, url
from tests.software.store.stores import new_store, origin, tombstone


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SoftwareStore]:
    with closing(new_store(f"sqlite:///{tmp_path}/store.sqlite3")) as found:
        yield found


def test_documents_are_written_and_deleted_as_rows_tell(
    store: SoftwareStore, index: SearchIndex
) -> None:
    assert write_origins(store, index, [url("a")]) == {}
    store.add([origin(store, url(name), "npm", name=name) for name in "ab"])
    assert [*write_all(store, index)] == [{"created": 2}]
    store.add([origin(store, url("a"), "npm", name="new"), tombstone(store, url("b"))])
    assert write_origins(store, index, [url(name) for name in "abc"]) == {
        "updated": 1,
        "deleted": 1,
        "missing": 1,
    }
    index.refresh()
    assert names(index) == "a"
    assert names(index, "new") == "a"
