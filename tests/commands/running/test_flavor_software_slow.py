"""Software: archives of all kinds are queued, indexed and found; a second run writes nothing."""

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from indexer.search import open_index
from indexer.software.searching.fields import SOFTWARE_FIELDS
from indexer.software.searching.search import SoftwareQuery, count_hits
from indexer.software.searching.tiers import tree_of
from indexer.software.store.indexed_rows import StoredRows
from indexer.software.store.store import SoftwareStore
from tests.commands.backends import backends, run_flavor
from tests.commands.sample import Backends
from tests.software.archives.project import URL, WRITERS


def run(
    where: Backends, data: Path, *inputs: str, told: Mapping[str, str] | None = None
) -> dict[str, Any]:
    return run_flavor(where, data, "--type", "software", *inputs, variables=told)


def stored(url: str, *origins: str) -> dict[str, Any]:
    """The names in the metadata of origins, by their URLs."""
    with closing(SoftwareStore.open(url, make=False)) as store:
        rows = StoredRows(store).origins(origins)
    return {origin: row.metadata.get("name") for origin, row in rows.items()}


def test_every_kind_of_archive_is_indexed_and_found_and_a_second_run_changes_nothing(
    tmp_path: Path,
) -> None:
    data = tmp_path / "data"
    archives = [write(tmp_path) for write in WRITERS.values()]
    inputs = [str(path) for path in archives]
    origins = [path.as_uri() for path in archives if path.suffix != ".jsonl"] + [URL]
    summary = run(Backends.embedded(data), data, *inputs)
    assert summary["done"] == {"described": len(archives), "searchable": len(archives)}
    assert summary["accounted"]
    database = f"sqlite:///{data / 'software.sqlite3'}"
    assert stored(database, *origins) == dict.fromkeys(origins, "thing")
    index = f"sqlite:///{data / 'software-index.sqlite3'}"
    with closing(open_index(index, SOFTWARE_FIELDS)) as opened:
        assert count_hits(opened, SoftwareQuery(tree_of("thing"))) == len(archives)
    before = (data / "software.sqlite3").read_bytes()
    again = run(Backends.embedded(data), data, "--force", *inputs)
    assert again["reindexed"] == {"unchanged": len(archives)}
    assert again["done"] == {"described": 0, "searchable": 0}
    assert (data / "software.sqlite3").read_bytes() == before


@pytest.mark.external
def test_origins_are_indexed_and_found_on_real_servers(tmp_path: Path, postgresql_url: str) -> None:
    data = tmp_path / "data"
    archives = [WRITERS[kind](tmp_path) for kind in ("repository", "tar.gz", "lines")]
    with backends("real", data) as where:
        told = {"SOFTWARE_DATABASE_URL": postgresql_url, "SOFTWARE_INDEX_URL": where.index}
        summary = run(where, data, *map(str, archives), told=told)
        assert summary["done"] == {"described": 3, "searchable": 3}
        assert stored(postgresql_url, URL) == {URL: "thing"}
        with closing(open_index(where.index, SOFTWARE_FIELDS)) as opened:
            opened.refresh()
            assert count_hits(opened, SoftwareQuery(tree_of("thing"))) == 3
