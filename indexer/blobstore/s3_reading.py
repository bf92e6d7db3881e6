"""Reading an object of S3 as a stream that continues when the connection breaks."""

import io
from collections.abc import Callable
from typing import TYPE_CHECKING

from indexer.blobstore.s3_errors import FAILURES, ours
from indexer.errors import StorageError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer
    from mypy_boto3_s3.type_defs import GetObjectOutputTypeDef

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
