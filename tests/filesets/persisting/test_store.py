"""The database of filesets, on each backend: one row for each key, whatever comes twice."""

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from sqlalchemy import Table, insert, inspect, select, text, update

from indexer.database import open_database
from indexer.errors import RefusedValue
from indexer.filesets.persisting.models import (
    cdx,
    file_meta,
    ingest_file_result,
    ingest_fileset_platform,
    ingest_request,
    metadata,
)
from indexer.filesets.persisting.rows import Row, rows_of
from indexer.filesets.persisting.store import FilesetStore
from tests.filesets.persisting.new_fileset_store import new_fileset_store
from tests.filesets.persisting.results import (
    CDX,
    FILE_META,
    dataset_file_result,
    fileset_result,
    manifest_file,
)


@pytest.fixture
def store(database_url: str) -> Iterator[FilesetStore]:
    with closing(new_fileset_store(database_url)) as opened:
        yield opened


def rows(store: FilesetStore, table: Table) -> list[dict[str, Any]]:
    with store.database.reading() as connection:
        return [dict(row) for row in connection.execute(select(table)).mappings()]


def test_a_result_stored_twice_is_one_row_in_each_table(store: FilesetStore) -> None:
    both = [fileset_result(), dataset_file_result()]
    for _ in range(2):
        store.save(row for each in both for row in rows_of(each))
        store.save(rows_of(both[0]) * 2)
    counts = {table.name: store.count(table) for table in metadata.sorted_tables}
    assert counts == {
        "cdx": 1,
        "file_meta": 1,
        "ingest_file_result": 2,
        "ingest_fileset_platform": 1,
        "ingest_request": 1,
    }


def test_what_is_stored_is_read_back(store: FilesetStore) -> None:
    strange = manifest_file("Ærø\x00/\ud800'\"", size=2**62, extra={"a": [1, {"b": None}]})
    wanted = rows_of(fileset_result(manifest=[strange], cdx=CDX, total_size=2**63 - 1))
    store.save(wanted)
    for table, values in wanted:
        (found,) = rows(store, table)
        assert {name: found[name] for name in values} == values
    (found,) = rows(store, ingest_fileset_platform)
    assert found["manifest"][0]["path"] == "Ærø\ufffd/\ufffd'\""


def test_a_newer_result_replaces_an_older_one(store: FilesetStore) -> None:
    store.save(rows_of(fileset_result()))
    with store.database.writing() as connection:
        connection.execute(update(ingest_fileset_platform).values(updated=text("'2020-01-01'")))
    newer = fileset_result(hit=False, status="platform-restricted", manifest=None, terminal=None)
    store.save(rows_of(newer))
    (platform,), (result,) = rows(store, ingest_fileset_platform), rows(store, ingest_file_result)
    assert (platform["status"], platform["manifest"]) == ("platform-restricted", None)
    assert platform["updated"].year > 2020
    assert (result["hit"], result["terminal_url"]) == (False, None)


def test_facts_of_the_same_bytes_are_completed(store: FilesetStore) -> None:
    for given in ({"sha256hex": None}, {"mimetype": None}, {"mimetype": "other/type"}):
        store.save(rows_of(fileset_result(file_meta=FILE_META | given)))
    (found,) = rows(store, file_meta)
    assert (found["sha256hex"], found["mimetype"]) == ("3" * 64, "text/html")


def test_requests_and_captures_stay_as_they_were_first(store: FilesetStore) -> None:
    store.save(rows_of(fileset_result(cdx=CDX)))
    changed = fileset_result(cdx=CDX | {"warc_path": "b/b.warc.gz"})
    changed["request"] = changed["request"] | {"ext_ids": {}}
    store.save(rows_of(changed))
    assert rows(store, cdx)[0]["warc_path"] == "crawl/a.warc.gz"
    assert rows(store, ingest_request)[0]["request"]["ext_ids"] == {"doi": "10.5072/zenodo.7"}


def test_a_null_is_that_of_sql(store: FilesetStore) -> None:
    store.save(rows_of(fileset_result(manifest=None)))
    with store.database.reading() as connection:
        found = connection.execute(text("SELECT manifest IS NULL FROM ingest_fileset_platform"))
        assert found.scalar() in (True, 1)


@pytest.mark.parametrize(
    "values",
    [{"platform_name": ""}, {"web_bundle_dt": "2026"}, {"platform_id": None}],
    ids=["empty", "short", "null"],
)
def test_the_rules_of_the_columns_are_the_databases(
    store: FilesetStore, values: dict[str, Any]
) -> None:
    (good,) = (row for row in rows_of(fileset_result()) if row.table is ingest_fileset_platform)
    with pytest.raises(RefusedValue):
        store.save([Row(good.table, good.values | values)])
    assert store.count(ingest_fileset_platform) == 0


def test_the_tables_are_those_of_the_models(store: FilesetStore) -> None:
    with store.database.reading() as connection:
        looked = inspect(connection)
        for table in metadata.sorted_tables:
            columns = {each["name"]: each for each in looked.get_columns(table.name)}
            assert columns.keys() == {each.name for each in table.columns}
            assert all(columns[each.name]["nullable"] == each.nullable for each in table.columns)
            keys = looked.get_pk_constraint(table.name)["constrained_columns"]
            assert keys == [each.name for each in table.primary_key]
        names = {each["name"] for each in looked.get_indexes("ingest_fileset_platform")}
    assert "ingest_fileset_platform_name_domain_id_idx" in names


@pytest.mark.external
def test_the_database_of_the_existing_system_is_used_as_it_is(postgresql_url: str) -> None:

    with closing(open_database(postgresql_url)) as existing, existing.writing() as connection:
        connection.execute(
            text(
                "CREATE TABLE file_meta (sha1hex TEXT PRIMARY KEY, sha256hex TEXT, md5hex TEXT, "
                "size_bytes BIGINT, mimetype TEXT)"
            )
        )
        connection.execute(insert(file_meta).values(sha1hex=FILE_META["sha1hex"]))
    with closing(FilesetStore.open(postgresql_url)) as store:
        store.save(rows_of(fileset_result()))
        (found,) = rows(store, file_meta)
    assert found["size_bytes"] == 3
