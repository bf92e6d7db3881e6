"""Transfers of objects to and from S3, and the errors of S3 in this project's terms.

A stream that is read continues when the connection breaks. A large object is written in parts.
Each part is sent with its MD5, which every server checks.
"""

import base64
import hashlib
import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, BinaryIO

from botocore.exceptions import BotoCoreError, ClientError, NoCredentialsError
from urllib3.exceptions import HTTPError

from indexer.blobstore import ensure_expected
from indexer.errors import AccessDenied, NotFound, StorageError
from indexer.text.cleaning import one_line

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_s3.type_defs import GetObjectOutputTypeDef

FAILURES = (BotoCoreError, ClientError, HTTPError, OSError)
"""The errors of a failing network or server, in a request or while a body is read."""

_DENIED = {
    "AuthorizationHeaderMalformed",
    "ExpiredToken",
    "InvalidAccessKeyId",
    "InvalidToken",
    "SignatureDoesNotMatch",
    "XAdminUserNotFound",  # versitygw's word for InvalidAccessKeyId
}
"""Codes of refusals that some servers send with a status other than 401 and 403."""


@contextmanager
def translated(url: str) -> Iterator[None]:
    """Raise NotFound, AccessDenied or StorageError, with the object's URL, for FAILURES."""
    try:
        yield
    except FAILURES as error:
        raise ours(url, error) from error


def ours(url: str, error: Exception) -> StorageError:
    """The error to raise in place of an error of the client."""
    if isinstance(error, NoCredentialsError):
        return AccessDenied(f"{url}: no credentials are set for it")
    if not isinstance(error, ClientError):
        return StorageError(f"{url}: {one_line(str(error), 300)}")
    said = error.response.get("Error", {})
    status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode")
    why = f"{url}: {said.get('Code', status)}: {one_line(said.get('Message', ''), 300)}"
    if status in (401, 403) or said.get("Code") in _DENIED:
        return AccessDenied(why)
    return NotFound(why) if status == 404 else StorageError(why)


TRIES = 5
"""How many connections in a row may break before any byte arrives."""

Get = Callable[[int, str], "GetObjectOutputTypeDef"]
"""Requests the object from an offset on, if it still has that ETag."""


class Body(io.RawIOBase):
    """The bytes of one version of an object: all of them, or a StorageError."""

    def __init__(self, url: str, get: Get) -> None:
        self._url = url
        self._get = get
        self._response = get(0, "")
        self._size = self._response["ContentLength"]
        self._etag = self._response["ETag"]
        self._position = 0

    def readable(self) -> bool:
        """True."""
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        """Read into the buffer; returns the number of bytes, 0 at the end."""
        view = memoryview(buffer).cast("B")
        wanted = min(len(view), self._size - self._position)
        data = self._next(wanted) if wanted else b""
        view[: len(data)] = data
        self._position += len(data)
        return len(data)

    def close(self) -> None:
        """Close the connection."""
        if not self.closed:
            self._response["Body"].close()
        super().close()

    def _next(self, wanted: int) -> bytes:
        failure = StorageError(f"{self._url}: the connection closed before the end of the object")
        for _ in range(TRIES):
            try:
                if data := self._response["Body"].read(wanted):
                    return data
            except FAILURES as error:
                failure = ours(self._url, error)
            self._response["Body"].close()
            # With the ETag: an object that was replaced meanwhile is an error, not a mixture.
            self._response = self._get(self._position, self._etag)
        raise failure


PART = 16 << 20
"""Bytes of a part. With 10,000 parts, S3's limit, an object may have 156 GiB."""

MAX_PARTS = 10_000

DIGEST = "sha256"
"""The metadata of an object with the digest of its content, as the writer knew it."""


class Upload:
    """The upload of one object, whose content has this sha256 unless it is blank."""

    def __init__(self, client: "S3Client", bucket: str, key: str, sha256: str = "") -> None:
        self._client = client
        self._at: Any = {"Bucket": bucket, "Key": key}
        self._url = f"s3://{bucket}/{key}"
        self._expected = sha256
        self._metadata = {DIGEST: sha256} if sha256 else {}
        self._whole = hashlib.sha256()

    @property
    def sha256(self) -> str:
        """The digest of the content sent, as hex."""
        return self._whole.hexdigest()

    def write(self, file: BinaryIO) -> str:
        """Store the rest of a file; returns the new version, blank if the store keeps none.

        Raises AccessDenied, StorageError.
        """
        with translated(self._url):
            first = _read(file, PART)
            answer = self._at_once(first) if len(first) < PART else self._in_parts(first, file)
        return str(answer.get("VersionId", ""))

    def take_back(self, version: str) -> None:
        """Delete the object that was written, as the store has changed it, if that is possible."""
        which: Any = {"VersionId": version} if version else {}
        with suppress(*FAILURES):
            self._client.delete_object(**self._at, **which)

    def _at_once(self, body: bytes) -> Any:
        md5 = self._note(body)
        ensure_expected(self._url, self.sha256, self._expected)
        return self._client.put_object(
            **self._at, Body=body, ContentMD5=md5, Metadata=self._metadata
        )

    def _in_parts(self, body: bytes, file: BinaryIO) -> Any:
        started = self._client.create_multipart_upload(**self._at, Metadata=self._metadata)
        upload = {**self._at, "UploadId": started["UploadId"]}
        try:
            sent: list[Any] = []
            while body:
                sent.append(self._part(upload, len(sent) + 1, body))
                body = _read(file, PART)
            ensure_expected(self._url, self.sha256, self._expected)
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
        """Add a part to the digest; returns its MD5 for the Content-MD5 header."""
        self._whole.update(body)
        # For integrity only: the one checksum of S3's protocol that every server knows.
        return base64.b64encode(hashlib.md5(body, usedforsecurity=False).digest()).decode()


def _read(file: BinaryIO, size: int) -> bytes:
    """`size` bytes, fewer only at the end: `read` of a pipe or socket may return less."""
    parts = []
    while size and (data := file.read(size)):
        parts.append(data)
        size -= len(data)
    return b"".join(parts)
