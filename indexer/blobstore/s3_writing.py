"""Writes an object of S3, in parts where it is large, and makes sure of what is there.

No checksum of the server's own is relied on: each part goes with its MD5, which servers check;
then size and ETag of the whole are compared with ours. Where the ETag is something else than an
MD5, as with keys of one's own, the object is read again.
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
"""Bytes of a part: with 10,000 parts, the most there may be, objects of 156 GiB."""

MAX_PARTS = 10_000

CHUNK = 1 << 20


class Upload:
    """One object on its way: `write` it, then it is there and checked, or was never there."""

    def __init__(self, client: "S3Client", bucket: str, key: str) -> None:
        self._client = client
        self._at: Any = {"Bucket": bucket, "Key": key}
        self._url = f"s3://{bucket}/{key}"
        self._size = 0
        self._whole = _md5()
        self._parts: list[bytes] = []

    def write(self, file: BinaryIO) -> None:
        """Store all of the file. Raises AccessDenied, StorageError."""
        with translated(self._url):
            first = _read(file, PART)
            answer = self._at_once(first) if len(first) < PART else self._in_parts(first, file)
            with suppress(AccessDenied):  # some may write and not read: the server checked MD5s
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
        """Remember size and MD5 of a part; the MD5 as its header has it."""
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
            raise StorageError(f"{self._url}: what is there is not what was sent")

    def _etags(self) -> tuple[str, str]:
        """What S3 makes of it: the MD5, or that of the parts' MD5s, and their number."""
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
    """For integrity; S3's protocol has no other that every server knows."""
    return hashlib.md5(data, usedforsecurity=False)


def _read(file: BinaryIO, size: int) -> bytes:
    """`size` bytes; fewer only at the end of the file."""
    parts = []
    while size and (data := file.read(size)):
        parts.append(data)
        size -= len(data)
    return b"".join(parts)
