"""Programs of the family, killed at random moments: each dataset ends once, with the right bytes.

TEST_FILESETS_DATASETS=200 TEST_FILESETS_KILLS=20 in the environment make it the whole promise
(filesets.md 12.5, 12.9), which takes minutes on each backend.
"""

import json
import os
import random
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import boto3
import pytest

from indexer.filesets.items.item import items
from indexer.filesets.items.stores import open_items
from indexer.filesets.statuses import is_hit
from indexer.system.options import reading
from newsroom.repositories.dataset import Dataset
from newsroom.repositories.server import Repositories
from newsroom.repositories.table import generated
from tests.services import S3
from tests.workers.filesets.killing import THREADS, Killed

DATASETS = int(os.environ.get("TEST_FILESETS_DATASETS", "16"))
KILLS = int(os.environ.get("TEST_FILESETS_KILLS", "5"))
CHUNK = 256 * 1024
FILES, SIZE = 3, 200_000


class Backend:
    """Where a pipeline keeps its queues, jobs and items."""

    def __init__(self, settings: Mapping[str, str], bucket: S3 | None = None) -> None:
        self.settings = settings
        self._bucket = bucket

    def stored(self) -> set[tuple[str, object]]:
        """All that is stored; an upload of the same bytes makes a difference."""
        if (given := self._bucket) is None:
            paths = Path(self.settings["FILESETS_URL"]).rglob("*")
            return {(str(path), path.stat().st_mtime_ns) for path in paths if path.is_file()}
        s3 = boto3.resource(
            "s3",
            endpoint_url=given.endpoint,
            region_name="us-east-1",
            aws_access_key_id=given.access_key,
            aws_secret_access_key=given.secret_key,
        )
        versions = s3.Bucket(given.bucket).object_versions.all()
        return {(each.object_key, each.id) for each in versions}


@pytest.fixture(params=["embedded", pytest.param("servers", marks=pytest.mark.external)])
def backend(request: pytest.FixtureRequest, tmp_path: Path) -> Backend:
    """A directory, or RabbitMQ, PostgreSQL and S3."""
    if request.param == "embedded":
        queues = f"sqlite:///{tmp_path}/queues.sqlite3"
        return Backend({"BROKER_URL": queues, "FILESETS_URL": str(tmp_path / "items")})
    bucket: S3 = request.getfixturevalue("s3")
    return Backend(
        {
            "BROKER_URL": request.getfixturevalue("rabbitmq_url"),
            "JOBS_DATABASE_URL": request.getfixturevalue("postgresql_url"),
            "FILESETS_URL": f"s3://{bucket.bucket}/datasets",
            "FILESETS_S3_ENDPOINT": bucket.endpoint,
            "FILESETS_S3_ACCESS_KEY_ID": bucket.access_key,
            "FILESETS_S3_SECRET_ACCESS_KEY": bucket.secret_key,
            "SANDCRAWLER_WORKING_DIR": str(tmp_path / "transfers"),
        },
        bucket,
    )


@pytest.fixture
def repositories() -> Iterator[Repositories]:
    """The imitation repositories, with so many more datasets."""
    with Repositories(more=generated(DATASETS, FILES, SIZE)) as served:
        yield served


def listed(datasets: list[Dataset], path: Path) -> Path:
    """A list of datasets, as the queuer reads it."""
    path.write_text("".join(f"{each.doi}\n" for each in datasets))
    return path


def damages(settings: Mapping[str, str]) -> tuple[int, list[object]]:
    """The number of items, and all that is wrong with them."""
    with reading(settings):
        found = list(items(open_items(settings["FILESETS_URL"])))
    return len(found), [damage for item in found for damage in item.verify() if damage]


def once(results: list[dict[str, Any]]) -> dict[str, str]:
    """The status of each dataset, which has one id; repeats of a result are recognised by it."""
    ids, statuses = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for result in results:
        if result["status"] != "existing":
            ids[result["request"]["base_url"]].add(result["ingest_id"])
            statuses[result["ingest_id"]].add(result["status"])
    assert all(len(each) == 1 for each in (*ids.values(), *statuses.values()))
    return {url: min(statuses[min(each)]) for url, each in ids.items()}


def test_each_dataset_ends_once_however_often_programs_are_killed(
    backend: Backend, repositories: Repositories, tmp_path: Path
) -> None:
    datasets = [each for each in repositories.catalogue if each.title.startswith("Generated")]
    assert len(datasets) == DATASETS
    killed = Killed(tmp_path, repositories, backend.settings)
    seed = random.randrange(10**6)
    results = killed.ingest(listed(datasets, tmp_path / "one.jsonl"), DATASETS, KILLS, seed)
    ends = once(results)
    served = repositories.log.bytes_of_files()
    size = sum(each.size for each in datasets)
    about = {
        "seed": seed,
        "killed": killed.kills,
        "results": len(results),
        "again": sum(served.values()) - size,
    }
    print(json.dumps(about))
    assert len(ends) == DATASETS, about
    assert all(map(is_hit, ends.values())), about
    assert sum(served.values()) <= size + KILLS * THREADS * CHUNK, about
    assert damages(backend.settings) == (DATASETS, [])
    stored = backend.stored()
    repositories.log.clear()
    again = killed.ingest(listed(datasets, tmp_path / "two.jsonl"), DATASETS, 0, seed)
    assert set(once(again).values()) == {"success-existing"}
    assert backend.stored() == stored
    assert not repositories.log.bytes_of_files()
