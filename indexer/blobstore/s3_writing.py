"""Writing an object of S3, in parts if it is large, and verifying the stored object.

Each part is sent with its MD5, which every server checks. Then size and ETag of the whole object
are compared with the expected ones. Some servers' ETags are no MD5s, as with encryption by the
customer's keys: then the object is read back.
"""

import base64
import hashlib
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, BinaryIO

from indexer.blobstore.s3_errors import FAILURES, translated
from indexer.errors import AccessDenied, StorageError

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

PART = 16 << 20
"""Bytes of a part. With 10,000 parts, S3's limit, an object may have 156 GiB."""

MAX_PARTS = 10_000

CHUNK = 1 << 20


class Upload:
    """The upload of one object. After `write` the object is stored and verified, or not changed."""

    def __init__(self, client: "S3Client", bucket: str, key: str) -> None:
        self._client = client
        self._at: Any = {"Bucket": bucket, "Key": key}
        self._url = f"s3://{bucket}/{key}"
        self._size = 0
        self._whole = _md5()
        self._parts: list[bytes] = []

    def write(self, file: BinaryIO) -> None:
        """Store the rest of a file. Raises AccessDenied, StorageError."""
        with translated(self._url):
            first = _read(file, PART)
            answer = self._at_once(first) if len(first) < PART else self._in_parts(first, file)
            # Credentials may allow writing only. Then the server's check of the MD5s has to do.
            with suppress(AccessDenied):
                self._check(answer)

    def _at_once(self, body: bytes) -> Mapping[str, Any]:
        return self._client.put_object(**self._at, Body=body, ContentMD5=self._note(body))

    def _in_parts(self, body: bytes, file: BinaryIO) -> Mapping[str, Any]:
        started = self._client.create_multipart_upload(**self._at)
        upload = {**self._at, "UploadId": started["UploadId"]}
        try:
            sent: list[Any] = []
            while body:
                sent.append(self._part(upload, len(sent) + 1, body))
                body = _read(file, PART)
            return self._client.complete_multipart_upload(**upload, MultipartUpload={"Parts": sent})
        except BaseException:
            # Otherwise the server keeps the parts, and charges for them, without end.
            with suppress(*FAILURES):
                self._client.abort_multipart_upload(**upload)
            raise

    def _part(self, upload: Any, number: int, body: bytes) -> Any:
        if number > MAX_PARTS:
            raise StorageError(f"{self._url}: larger than {MAX_PARTS * PART} bytes")
        answer = self._client.upload_part(
            **upload, PartNumber=number, Body=body, ContentMD5=self._note(body)
        )
        return {"PartNumber": number, "ETag": answer["ETag"]}

    def _note(self, body: bytes) -> str:
        """Record size and MD5 of a part; returns the MD5 for the Content-MD5 header."""
        digest = _md5(body).digest()
        self._size += len(body)
        self._whole.update(body)
        self._parts.append(digest)
        return base64.b64encode(digest).decode()

    def _check(self, answer: Mapping[str, Any]) -> None:
        with translated(self._url):
            size = self._client.head_object(**self._at)["ContentLength"]
            same = size == self._size and (
                answer.get("ETag", "").strip('"') in self._etags() or self._reads_the_same()
            )
        if not same:
            raise StorageError(f"{self._url}: the stored object differs from the file sent")

    def _etags(self) -> tuple[str, str]:
        """The two ETags that S3 gives: the MD5, or the MD5 of the parts' MD5s and their number."""
        return (
            self._whole.hexdigest(),
            f"{_md5(b''.join(self._parts)).hexdigest()}-{len(self._parts)}",
        )

    def _reads_the_same(self) -> bool:
        digest = _md5()
        for chunk in self._client.get_object(**self._at)["Body"].iter_chunks(CHUNK):
            digest.update(chunk)
        return digest.digest() == self._whole.digest()


def _md5(data: bytes = b"") -> "hashlib._Hash":
    """MD5, for integrity only: the one checksum of S3's protocol that every server knows."""
    return hashlib.md5(data, usedforsecurity=False)


def _read(file: BinaryIO, size: int) -> bytes:
    """`size` bytes, fewer only at the end: `read` of a pipe or socket may return less."""
    parts = []
    while size and (data := file.read(size)):
        parts.append(data)
        size -= len(data)
    return b"".join(parts)
