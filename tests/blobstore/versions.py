"""Buckets that keep versions, with times of storage that a test sets."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO

import pytest

from indexer.blobstore import Blobstore, StoreCredentials, open_blobstore
from tests.blobstore.conftest import AMAZON, of
from tests.services import S3

DELETED = b"(deleted)"
"""The content of a delete marker, in lists of versions."""

Touch = Callable[[str, str, datetime], None]
"""Sets the time of storage of a key's version."""


@dataclass(frozen=True)
class OldBucket:
    """A bucket, and how to reach it."""

    url: str
    credentials: StoreCredentials
    touch: Touch

    @property
    def store(self) -> Blobstore:
        """The whole bucket as a store."""
        return open_blobstore(self.url, self.credentials)

    def put(self, key: str, versions: Sequence[tuple[datetime, bytes]]) -> None:
        """Store the versions of an object, and set the time of each."""
        moments = []
        for moment, body in versions:
            if body is DELETED:
                self.store.delete(key)
                continue
            self.store.put(key, BytesIO(body))
            moments.append(moment)
        for version, moment in zip(self.store.versions(key), reversed(moments), strict=True):
            self.touch(key, version.id, moment)


def on_server(server: S3) -> OldBucket:
    """The bucket of a real server: `LastModified` is the mtime of a version's file."""
    folder = server.folder
    if folder is None:
        pytest.skip("the S3 server's files are out of reach: TEST_S3_FOLDER")

    def touch(key: str, version: str, moment: datetime) -> None:
        # The server keeps older versions as files named by their ids.
        older = list((folder.parent.parent / "versions" / folder.name).rglob(version))
        os.utime(older[0] if older else folder / key, (moment.timestamp(), moment.timestamp()))

    return OldBucket(f"s3://{server.bucket}", of(server), touch)


def imitated() -> OldBucket:
    """The bucket of the fixture `amazon`, made to keep versions."""
    # Imported here: loading takes more than a second, and quick tests import this module.
    import boto3  # noqa: PLC0415
    from moto.s3.models import s3_backends  # noqa: PLC0415

    client = boto3.client("s3", region_name="us-east-1")
    client.put_bucket_versioning(Bucket="bucket", VersioningConfiguration={"Status": "Enabled"})

    def touch(key: str, version: str, moment: datetime) -> None:
        stored = s3_backends["123456789012"]["aws"].buckets["bucket"].keys.getlist(key)
        found = next(each for each in stored if each.version_id == version)
        found.last_modified = moment.replace(tzinfo=None)

    return OldBucket("s3://bucket", AMAZON, touch)
