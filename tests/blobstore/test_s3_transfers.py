"""An object of S3 as a stream, over connections that break."""

import io
from typing import Any

import pytest
from botocore.exceptions import IncompleteReadError, ReadTimeoutError

from indexer.blobstore.s3_transfers import TRIES, Body
from indexer.errors import StorageError
from tests.each_row import each_row

CONTENT = bytes(range(256)) * 40


class Server:
    """Sends `at_once` bytes on each connection, and breaks `failures` of them."""

    def __init__(self, at_once: int, failures: int, error: Exception | None = None) -> None:
        self.at_once = at_once
        self.failures = failures
        self.error = error
        self.asked: list[tuple[int, str]] = []

    def get(self, start: int, etag: str) -> Any:
        self.asked.append((start, etag))
        whole = len(self.asked) > self.failures
        sent = CONTENT[start:] if whole else CONTENT[start : start + self.at_once]
        body = _Connection(sent, None if whole else self.error)
        return {"Body": body, "ContentLength": len(CONTENT) - start, "ETag": '"v1"'}


class _Connection(io.BytesIO):
    def __init__(self, data: bytes, error: Exception | None) -> None:
        super().__init__(data)
        self._error = error

    def read(self, size: int | None = -1) -> bytes:
        data = super().read(size)
        if not data and self._error:
            raise self._error
        return data


ERRORS = [
    None,
    ConnectionResetError(104, "reset"),
    IncompleteReadError(actual_bytes=1, expected_bytes=2),
    ReadTimeoutError(endpoint_url="http://s3.example"),
]


@each_row("error", ERRORS)
def test_a_connection_that_breaks_is_made_again_where_it_was(error: Exception | None) -> None:
    server = Server(1000, 3, error)
    with io.BufferedReader(Body("s3://b/k", server.get)) as file:
        assert file.read() == CONTENT
    assert server.asked == [(0, ""), (1000, '"v1"'), (2000, '"v1"'), (3000, '"v1"')]


@each_row("error", ERRORS)
def test_connections_that_bring_nothing_end_in_an_error(error: Exception | None) -> None:
    server = Server(0, 100, error)
    with pytest.raises(StorageError, match="s3://b/k"):
        Body("s3://b/k", server.get).read()
    assert len(server.asked) == 1 + TRIES


def test_an_object_that_was_replaced_meanwhile_is_an_error() -> None:
    server = Server(1000, 1)

    def get(start: int, etag: str) -> Any:
        if etag:
            raise StorageError("412: At least one of the pre-conditions did not hold")
        return server.get(start, etag)

    with pytest.raises(StorageError, match="412"):
        Body("s3://b/k", get).readall()


def test_a_stream_may_be_closed_twice() -> None:
    body = Body("s3://b/k", Server(0, 0).get)
    body.close()
    body.close()
    assert body.closed
