"""Datasets: a list is queued, archived and answered; its results are a list for the next run."""

import json
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from indexer.filesets.persisting.models import (
    file_meta,
    ingest_file_result,
    ingest_fileset_platform,
    ingest_request,
)
from indexer.filesets.persisting.store import FilesetStore
from indexer.search import open_index
from indexer.stories.indexing.fields import STORY_FIELDS
from newsroom.repositories.server import Repositories
from newsroom.repositories.table import generated
from tests.commands.backends import backends, run_flavor
from tests.commands.sample import Backends
from tests.search.corpus import found as found_by


def results(data: Path, topic: str) -> list[dict[str, Any]]:
    paths = sorted((data / "fileset-results").glob(f"{topic}-*.jsonl"))
    return [json.loads(line) for path in paths for line in path.read_text().splitlines()]


def test_each_line_of_a_list_has_one_result_and_the_results_can_be_read_again(
    tmp_path: Path,
) -> None:
    data = tmp_path / "data"
    inputs = ["10.5072/zenodo.20000001", "10.5072/zenodo.20000011", "10.5072/zenodo.10200011"]
    lines = [*inputs, '{"ingest_type": "dataset", "base_url": "https://zenodo.example/records/9"}']
    requests = tmp_path / "requests.txt"
    requests.write_text("\r\n".join([*lines, "junk", ""]), encoding="utf-8-sig")
    with Repositories(more=generated(3)) as served:

        def run(*arguments: str) -> dict[str, Any]:
            given = ["--type", "filesets", *arguments]
            return run_flavor(Backends.embedded(data), data, *given, variables=served.settings)

        summary = run(str(requests), "10.5072/zenodo.20000021")
        assert summary["queued"] == 6
        # Junk has no URL, by which a row could be found.
        counts = {"ingested": 6, "kept": 7, "stored": 6, "indexed": 4, "entities": 0}
        assert summary["done"] == counts
        assert summary["accounted"]
        found = results(data, "ingest-fileset-results")
        assert Counter(each["status"] for each in found) == {
            "success": 3,
            "success-file": 1,
            "platform-404": 1,
            "bad-request": 1,
        }
        (of_file,) = results(data, "ingest-file-results")
        assert of_file["request"]["ingest_type"] == "dataset-file"
        assert len({each["ingest_id"] for each in found}) == 6
        served.log.clear()
        run(str(data / "fileset-results"))
        again = results(data, "ingest-fileset-results")[len(found) :]
        assert Counter(each["status"] for each in again) == {
            "success-existing": 4,
            "platform-404": 1,
            "bad-request": 1,
        }
        assert not served.log.bytes_of_files()


def request(doi: str) -> dict[str, Any]:
    """A request as the catalogue sends it."""
    return {
        "ingest_type": "dataset",
        "base_url": f"https://doi.org/{doi}",
        "link_source": "doi",
        "link_source_id": doi,
        "ingest_request_source": "fatcat-changelog",
        "ext_ids": {"doi": doi},
    }


@pytest.mark.external
def test_results_reach_sql_search_and_catalogue_on_real_servers(
    tmp_path: Path, postgresql_url: str
) -> None:
    data, requests = tmp_path / "data", tmp_path / "requests.jsonl"
    dois = ["10.5072/zenodo.20000001", "10.5072/zenodo.10200011"]
    requests.write_text("".join(f"{json.dumps(request(doi))}\n" for doi in dois))
    with Repositories(more=generated(1)) as served, backends("real", data) as where:
        told = {**served.settings, "FILESETS_DATABASE_URL": postgresql_url}
        given = ("--type", "filesets", str(requests))
        summary = run_flavor(where, data, *given, variables=told)
        counts = {"ingested": 2, "kept": 3, "stored": 3, "indexed": 2, "entities": 2}
        assert summary["done"] == counts
        with closing(open_index(where.index, STORY_FIELDS)) as index:
            index.refresh()
            assert all(len(found_by(index, doi)) == 1 for doi in dois)
    with closing(FilesetStore.open(postgresql_url, make=False)) as store:
        assert store.count(ingest_request) == 2
        assert store.count(ingest_fileset_platform) == 2
        # That of the single file, too.
        assert store.count(ingest_file_result) == 3
        assert store.count(file_meta) >= 1
    entities = (data / "catalogue-entities").glob("*.jsonl")
    assert {path.name.partition("-")[0] for path in entities} == {"file", "fileset"}
