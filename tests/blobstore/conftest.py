"""Every blobstore there is, empty, and how to make more on the same ground."""

from collections.abc import Callable, Iterator
from pathlib import Path

import boto3
import pytest
from moto import mock_aws
from pydantic import SecretStr

from indexer.blobstore import Blobstore, StoreCredentials, open_blobstore
from tests.services import S3

Open = Callable[[str], Blobstore]
"""Opens the part of the ground below a prefix; blank is all of it."""

AMAZON = StoreCredentials("key-of-a-test", SecretStr("hush-hush"), "us-east-1")


@pytest.fixture
def amazon() -> Iterator[StoreCredentials]:
    """Amazon's S3, imitated in this process, with a bucket named `bucket`."""
    with mock_aws():
        boto3.client("s3", region_name="us-east-1").create_bucket(Bucket="bucket")
        yield AMAZON


@pytest.fixture(params=["directory", "s3-imitated", pytest.param("s3", marks=pytest.mark.external)])
def open_part(request: pytest.FixtureRequest, tmp_path: Path) -> Open:
    """See `Open`."""
    if request.param == "directory":
        return lambda prefix: open_blobstore(str(tmp_path / "store" / prefix))
    if request.param == "s3-imitated":
        credentials: StoreCredentials = request.getfixturevalue("amazon")
        return lambda prefix: open_blobstore(f"s3://bucket/{prefix}", credentials)
    server: S3 = request.getfixturevalue("s3")
    return lambda prefix: open_blobstore(f"s3://{server.bucket}/{prefix}", of(server))


@pytest.fixture
def store(open_part: Open) -> Blobstore:
    """One store."""
    return open_part("")


def of(server: S3) -> StoreCredentials:
    """How to reach a real server."""
    return StoreCredentials(server.access_key, SecretStr(server.secret_key), "", server.endpoint)
