"""An empty blobstore of each backend."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from indexer.blobstore import BACKENDS, Blobstore, StoreCredentials, open_blobstore
from tests.services import S3

Open = Callable[[str], Blobstore]
"""Opens the store with a prefix; all prefixes of a test share its objects."""

AMAZON = StoreCredentials("key-of-a-test", SecretStr("hush-hush"), "us-east-1")


@pytest.fixture
def amazon() -> Iterator[StoreCredentials]:
    """Amazon's S3, imitated in this process, with a bucket named `bucket`. For slow files."""
    # The imitation takes more than a second to load: quick tests do without.
    import boto3  # noqa: PLC0415
    from moto import mock_aws  # noqa: PLC0415

    from indexer.blobstore import s3  # noqa: PLC0415

    # A session that was made before moto was loaded reaches the real Amazon.
    s3._session.cache_clear()
    with mock_aws():
        boto3.client("s3", region_name="us-east-1").create_bucket(Bucket="bucket")
        yield AMAZON


def directory(request: pytest.FixtureRequest) -> Open:
    """A directory."""
    path: Path = request.getfixturevalue("tmp_path")
    return lambda prefix: open_blobstore(str(path / "store" / prefix))


def memory(request: pytest.FixtureRequest) -> Open:
    """Memory: the example of a backend in one file."""
    line = {"memory": "tests.blobstore.memory.Memory"}
    monkeypatch: pytest.MonkeyPatch = request.getfixturevalue("monkeypatch")
    monkeypatch.setattr("indexer.blobstore.BACKENDS", BACKENDS | line)
    name = request.getfixturevalue("tmp_path").name
    return lambda prefix: open_blobstore(f"memory://{name}/{prefix}")


def real_s3(request: pytest.FixtureRequest) -> Open:
    """A bucket of a real server."""
    server: S3 = request.getfixturevalue("s3")
    _list_in_small_pages(request)
    return lambda prefix: open_blobstore(f"s3://{server.bucket}/{prefix}", of(server))


def imitated_s3(request: pytest.FixtureRequest) -> Open:
    """A bucket of the imitation."""
    credentials: StoreCredentials = request.getfixturevalue("amazon")
    _list_in_small_pages(request)
    return lambda prefix: open_blobstore(f"s3://bucket/{prefix}", credentials)


def _list_in_small_pages(request: pytest.FixtureRequest) -> None:
    request.getfixturevalue("monkeypatch").setattr("indexer.blobstore.s3.PAGE", 3)


OPENERS = [
    directory,
    memory,
    pytest.param(real_s3, marks=pytest.mark.external),
]
"""The backends of the conformance tests; `imitated_s3` is in `test_conformance_slow.py`."""


@pytest.fixture(params=OPENERS)
def open_part(request: pytest.FixtureRequest) -> Open:
    """See `Open`."""
    opened: Open = request.param(request)
    return opened


@pytest.fixture
def store(open_part: Open) -> Blobstore:
    """One store."""
    return open_part("")


@pytest.fixture(params=[pytest.param("s3", marks=pytest.mark.external)])
def keeping(s3: S3) -> Blobstore:
    """A store that keeps versions."""
    return open_blobstore(f"s3://{s3.bucket}/part", of(s3))


def of(server: S3) -> StoreCredentials:
    """The credentials of a real server."""
    return StoreCredentials(server.access_key, SecretStr(server.secret_key), "", server.endpoint)
