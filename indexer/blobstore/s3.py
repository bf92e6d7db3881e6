"""A blobstore in a bucket of S3, or of a server with its protocol: MinIO, Backblaze, versitygw."""

import io
import threading
from collections.abc import Iterator, Sequence
from datetime import UTC
from functools import cache
from typing import TYPE_CHECKING, BinaryIO, Self
from urllib.parse import urlsplit

import boto3
from botocore.config import Config

from indexer.blobstore import (
    BlobEntry,
    ObjectVersion,
    StoreCredentials,
    checked_key,
    ensure_same,
    sha256_of,
)
from indexer.blobstore.s3_transfers import DIGEST, Body, Upload, translated
from indexer.errors import AccessDenied, ConfigurationError, NotFound, StorageError

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_s3.type_defs import GetObjectOutputTypeDef, ObjectVersionTypeDef

CONNECT_SECONDS = 10
READ_SECONDS = 60
ATTEMPTS = 5
"""How often the client tries a request, with growing pauses."""

CONNECTIONS = 64
"""Connections kept open between requests: at least as many as threads share a store."""

BUFFER = 1 << 18
PAGE = 1000
"""Keys in one page of a listing: S3's limit."""


class S3Bucket:
    """Objects of a bucket, or of the part of it whose keys start with a prefix and `/`."""

    def __init__(self, client: "S3Client", bucket: str, prefix: str = "") -> None:
        self._client = client
        self._bucket = bucket
        self._prefix = f"{prefix}/" if prefix else ""
        self.url = f"s3://{bucket}/{prefix}".rstrip("/")

    @classmethod
    def at(cls, url: str, credentials: StoreCredentials) -> Self:
        """The store of an s3:// or b2:// URL. Raises ConfigurationError."""
        # Keys may contain a `#`.
        parts = urlsplit(url, allow_fragments=False)
        if not parts.netloc or "@" in parts.netloc:
            raise ConfigurationError(f"no bucket: the URL is {parts.scheme}://BUCKET/PREFIX")
        client = _client(credentials, _endpoint(parts.scheme.lower(), credentials))
        return cls(client, parts.netloc, parts.path.strip("/"))

    def put(self, key: str, file: BinaryIO, sha256: str = "") -> str:
        """See `Blobstore.put`. The digest is kept as `x-amz-meta-sha256`."""
        full = self._full(key)
        upload = Upload(self._client, self._bucket, full, sha256)
        version = upload.write(file)
        try:
            # Read back, as an ETag or a checksum in an answer only repeats what the server got.
            with self.open(key, version) as stored:
                ensure_same(self._url(full), upload.sha256, sha256_of(stored))
        except AccessDenied:
            # Credentials may allow writing only. Then the server's check of the MD5s has to do.
            pass
        except StorageError:
            upload.take_back(version)
            raise
        return self._url(full)

    def open(self, key: str, version: str = "") -> BinaryIO:
        """See `Blobstore.open`. A broken connection is replaced."""
        full = self._full(key)
        url = self._url(full)
        at = {"Bucket": self._bucket, "Key": full} | ({"VersionId": version} if version else {})

        def get(start: int, etag: str) -> "GetObjectOutputTypeDef":
            more = {"Range": f"bytes={start}-", "IfMatch": etag} if etag else {}
            with translated(url):
                return self._client.get_object(**at, **more)  # type: ignore[arg-type]  # all are str

        return io.BufferedReader(Body(url, get), BUFFER)

    def stat(self, key: str) -> ObjectVersion:
        """See `Blobstore.stat`."""
        full = self._full(key)
        with translated(self._url(full)):
            found = self._client.head_object(Bucket=self._bucket, Key=full)
        # Some servers send the names of metadata in other cases than they got them.
        metadata = {name.lower(): value for name, value in found["Metadata"].items()}
        return ObjectVersion(
            found.get("VersionId", ""),
            found["LastModified"].astimezone(UTC),
            found["ContentLength"],
            metadata.get(DIGEST, ""),
        )

    def versions(self, key: str) -> Sequence[ObjectVersion]:
        """See `Blobstore.versions`."""
        full = self._full(key)
        with translated(self._url(full)):
            found = [
                ObjectVersion(each["VersionId"], each["LastModified"].astimezone(UTC), each["Size"])
                for each in self._versions(full)
            ]
        if not found:
            raise NotFound(f"{self._url(full)}: no versions")
        return found

    def _full(self, key: str) -> str:
        return self._prefix + checked_key(key)

    def _url(self, full: str) -> str:
        return f"s3://{self._bucket}/{full}"

    def _versions(self, full: str) -> "Iterator[ObjectVersionTypeDef]":
        """The versions of one key."""
        pages = self._client.get_paginator("list_object_versions").paginate(
            Bucket=self._bucket, Prefix=full, PaginationConfig={"PageSize": PAGE}
        )
        for page in pages:
            found = page.get("Versions", [])
            yield from (each for each in found if each["Key"] == full)
            # S3 lists versions by prefix only. The key itself sorts before all longer keys, so the
            # first other key ends the search: millions may follow.
            if any(each["Key"] != full for each in (*found, *page.get("DeleteMarkers", ()))):
                return

    def entries(self, prefix: str = "") -> Iterator[BlobEntry]:
        """See `Blobstore.entries`."""
        pages = self._client.get_paginator("list_objects_v2").paginate(
            Bucket=self._bucket,
            Prefix=self._prefix + prefix,
            PaginationConfig={"PageSize": PAGE},
        )
        with translated(f"{self.url}/{prefix}"):
            for page in pages:
                for each in page.get("Contents", ()):
                    key = each["Key"][len(self._prefix) :]
                    # Some tools store an empty object named FOLDER/ for an empty folder.
                    if not key.endswith("/"):
                        yield BlobEntry(key, each["ETag"].strip('"'), each["Size"])

    def delete(self, key: str) -> None:
        """See `Blobstore.delete`. A bucket with versions keeps the old ones."""
        full = self._full(key)
        with translated(self._url(full)):
            self._client.delete_object(Bucket=self._bucket, Key=full)


def _endpoint(scheme: str, credentials: StoreCredentials) -> str:
    """The server's URL; blank for Amazon's. Raises ConfigurationError."""
    endpoint = credentials.endpoint
    if endpoint and not endpoint.lower().startswith(("http://", "https://")):
        raise ConfigurationError(
            f"{endpoint!r} is no endpoint: it has to start with http:// or https://"
        )
    if endpoint or scheme == "s3":
        return endpoint
    if not credentials.region:
        raise ConfigurationError("b2:// needs the bucket's region, as in QUEUER_B2_REGION")
    return f"https://s3.{credentials.region}.backblazeb2.com"


def _client(credentials: StoreCredentials, endpoint: str) -> "S3Client":
    # "when_required": some servers refuse the CRC checksums that boto3 adds by default. `Upload`
    # sends MD5s.
    config = Config(
        connect_timeout=CONNECT_SECONDS,
        read_timeout=READ_SECONDS,
        retries={"mode": "standard", "total_max_attempts": ATTEMPTS},
        max_pool_connections=CONNECTIONS,
        s3={"addressing_style": "path" if endpoint else "auto"},
        request_checksum_calculation="when_required",
        response_checksum_validation="when_required",
    )
    with _one_at_a_time:
        return _session().client(
            "s3",
            endpoint_url=endpoint or None,
            region_name=credentials.region or ("us-east-1" if endpoint else None),
            aws_access_key_id=credentials.access_key_id or None,
            aws_secret_access_key=credentials.secret_access_key.get_secret_value() or None,
            config=config,
        )


_one_at_a_time = threading.Lock()
"""Threads may share a client, but not the session that makes clients."""


@cache
def _session() -> boto3.session.Session:
    return boto3.session.Session()
