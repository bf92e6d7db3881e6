"""An S3 server in this process that damages what it stores, for as long as a test says."""

import hashlib
import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from pydantic import SecretStr
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from indexer.blobstore import Blobstore, StoreCredentials, open_blobstore

Fault = Callable[[bytes], bytes | None]
"""What the server stores of a content; None if it stores nothing."""


def keep(sent: bytes) -> bytes:
    """Store the content."""
    return sent


def cut(sent: bytes) -> bytes:
    """Store the beginning."""
    return sent[: len(sent) // 2]


def change(sent: bytes) -> bytes:
    """Change one byte."""
    middle = len(sent) // 2
    return sent[:middle] + bytes([sent[middle] ^ 1]) + sent[middle + 1 :]


def lose(_: bytes) -> None:
    """Store nothing."""


class _Stored(NamedTuple):
    """An object, with the length and the ETag that the server claims."""

    data: bytes
    length: int
    etag: str
    metadata: Mapping[str, str]


class FaultyS3:
    """A server with one bucket, and its faults.

    `lies`: it claims length and ETag of the content that was sent. `breaks`: it stores the content,
    then answers with an error. `forgets`: it drops metadata. `refuses`: methods that are forbidden.
    Its listing is empty.
    """

    def __init__(self, server: HTTPServer) -> None:
        server.expect_request(re.compile("/bucket(/.*)?")).respond_with_handler(self._answer)
        self._endpoint = server.url_for("").rstrip("/")
        self._objects: dict[str, _Stored] = {}
        self._parts: dict[str, tuple[Mapping[str, str], dict[str, bytes]]] = {}
        self.fault: Fault = keep
        self.lies = self.breaks = self.forgets = False
        self.refuses: set[str] = set()

    def heal(self) -> None:
        """Store and answer correctly from now on."""
        self.fault = keep
        self.lies = self.breaks = False

    @property
    def credentials(self) -> StoreCredentials:
        """The credentials of the server."""
        return StoreCredentials("key", SecretStr("secret"), "us-east-1", self._endpoint)

    @property
    def store(self) -> Blobstore:
        """The bucket, as programs see it."""
        return open_blobstore("s3://bucket", self.credentials)

    @property
    def objects(self) -> dict[str, bytes]:
        """What is stored, by key."""
        return {key.removeprefix("/bucket/"): one.data for key, one in self._objects.items()}

    def _answer(self, request: Request) -> Response:
        if request.method in self.refuses:
            return Response(status=403)
        if request.method == "DELETE":
            self._objects.pop(request.path, None)
            return Response(status=204)
        return self._read(request) if request.method in ("GET", "HEAD") else self._write(request)

    def _read(self, request: Request) -> Response:
        if "list-type" in request.args:
            return _xml("ListBucketResult", IsTruncated="false")
        found = self._objects.get(request.path)
        if not found:
            return Response(status=404)
        start = int(request.headers.get("Range", "bytes=0-")[len("bytes=") : -1])
        headers = {
            "ETag": found.etag,
            "Content-Length": f"{found.length - start}",
            "Last-Modified": "Fri, 20 Nov 2026 15:30:00 GMT",
        }
        return Response(found.data[start:], 206 if start else 200, {**headers, **found.metadata})

    def _write(self, request: Request) -> Response:
        body, upload = request.get_data(), request.args.get("uploadId", "")
        if "partNumber" in request.args:
            self._parts[upload][1][request.args["partNumber"]] = body
            return Response(headers={"ETag": _etag(body)})
        if "uploads" in request.args:
            self._parts[request.path] = _metadata(request), {}
            return _xml("InitiateMultipartUploadResult", UploadId=request.path)
        if upload:
            metadata, parts = self._parts.pop(upload)
            self._put(request.path, b"".join(parts.values()), metadata)
            answer = _xml("CompleteMultipartUploadResult", ETag=_etag(body))
        else:
            self._put(request.path, body, _metadata(request))
            answer = Response(headers={"ETag": _etag(body)})
        return Response(status=500) if self.breaks else answer

    def _put(self, path: str, sent: bytes, metadata: Mapping[str, str]) -> None:
        stored = self.fault(sent)
        if stored is not None:
            claimed = sent if self.lies else stored
            kept = {} if self.forgets else metadata
            self._objects[path] = _Stored(stored, len(claimed), _etag(claimed), kept)


def _metadata(request: Request) -> dict[str, str]:
    return {k: v for k, v in request.headers.items() if k.lower().startswith("x-amz-meta-")}


def _etag(data: bytes) -> str:
    return f'"{hashlib.md5(data, usedforsecurity=False).hexdigest()}"'


def _xml(name: str, **values: str) -> Response:
    inner = "".join(f"<{key}>{value}</{key}>" for key, value in values.items())
    return Response(f"<{name}>{inner}</{name}>", content_type="application/xml")
