"""Importer and archiver with real servers: what they promise holds there too."""

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from elasticsearch import Elasticsearch
from pydantic import SecretStr
from typer.testing import CliRunner

from indexer.blobstore import StoreCredentials, open_blobstore
from indexer.commands.archives.warc import app
from indexer.stories.archiving.story_archive_verifier import verify
from tests.patience import PATIENCE
from tests.services import S3
from tests.stories.archived import a_story
from tests.workers.stories.test_archiver import add, make
from tests.workers.stories.test_importer import again, endings, handle
from tests.workers.stories.test_importer import make as make_importer

pytestmark = pytest.mark.external


@pytest.fixture
def bucket(s3: S3, monkeypatch: pytest.MonkeyPatch) -> S3:
    """A bucket, with the archiver's variables set for its server."""
    monkeypatch.setenv("ARCHIVER_S3_ENDPOINT", s3.endpoint)
    monkeypatch.setenv("ARCHIVER_S3_REGION", "us-east-1")
    monkeypatch.setenv("ARCHIVER_S3_ACCESS_KEY_ID", s3.access_key)
    monkeypatch.setenv("ARCHIVER_S3_SECRET_ACCESS_KEY", s3.secret_key)
    return s3


def test_archives_are_sound_in_a_bucket(bucket: S3, tmp_path: Path) -> None:
    worker = make(tmp_path, archive_url=[f"s3://{bucket.bucket}/news"])
    add(worker, *(a_story(number) for number in range(3)))
    worker.flush()
    (url,) = worker.made
    assert url.startswith(f"s3://{bucket.bucket}/news/2024/05/01/mc-")

    keys = StoreCredentials(
        bucket.access_key, SecretStr(bucket.secret_key), "us-east-1", bucket.endpoint
    )
    store = open_blobstore(f"s3://{bucket.bucket}", keys)
    with store.open(url.removeprefix(f"s3://{bucket.bucket}/")) as file:
        assert (verdict := verify(file)).sound
    assert verdict.stories == 3


def test_what_is_in_a_bucket_is_not_uploaded_again(bucket: S3, tmp_path: Path) -> None:
    worker = make(tmp_path, archive_url=[f"s3://{bucket.bucket}"])
    add(worker, a_story())
    worker.flush()
    worker.close()
    (manifest,) = (tmp_path / "archiver" / "spool").glob("*.json")
    # As if the process had been killed before it wrote down that the upload was done.
    manifest.write_text(manifest.read_text().replace(f'"s3://{bucket.bucket}":', '"elsewhere":'))
    again = make(tmp_path, archive_url=[f"s3://{bucket.bucket}"])
    assert list(again.made) == list(worker.made)


def test_the_warc_commands_read_buckets(bucket: S3, tmp_path: Path) -> None:
    worker = make(tmp_path, archive_url=[f"s3://{bucket.bucket}"])
    add(worker, a_story())
    worker.flush()
    (url,) = worker.made
    for name in (url, f"s3://{bucket.bucket}/2024/"):
        result = CliRunner().invoke(app, ["verify", name])
        assert result.stdout == f"{url}: sound, 1 stories in 3 records\n"
    assert "https://site.example/news/1" in CliRunner().invoke(app, ["list", url]).stdout


@pytest.fixture
def index_url(elasticsearch_url: str) -> Iterator[str]:
    alias = f"test-importer-{uuid.uuid4().hex[:8]}"
    yield f"{elasticsearch_url}/{alias}"
    client = Elasticsearch(elasticsearch_url, request_timeout=PATIENCE)
    for name in client.indices.get_alias(name=alias, ignore_unavailable=True).body:
        client.indices.delete(index=name)
    client.close()


def test_stories_come_into_elasticsearch_once(index_url: str, tmp_path: Path) -> None:
    created, duplicate = ("Done", "created", 1), ("Discard", "dups", 0)
    worker = make_importer(tmp_path, index_url=index_url)
    assert handle(worker, a_story(1), again(1), a_story(2)) == [created, duplicate, created]
    worker.close()
    worker = make_importer(tmp_path, index_url=index_url)
    worker.add_again(a_story(1))
    worker.add_again(again(2))
    worker.add(a_story(3))
    assert endings(worker.flush()) == [created, duplicate, created]
    worker.close()
