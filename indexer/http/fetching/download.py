"""Downloads a file, and goes on where an attempt has ended, also in another process.

Range, If-Range → 206 of the right bytes and version → append
                → 200, or another version            → begin anew
                → 416, and all bytes are here        → done
                → the connection breaks, 429, 5xx    → wait, and ask for the rest
"""

import http.client
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from indexer.errors import BadResponse, FetchError, TooLarge
from indexer.files.hashes import FileHashes
from indexer.http.connections.failures import FetchFailure
from indexer.http.fetching.client import Client
from indexer.http.fetching.exchange import Request, Response
from indexer.http.fetching.partial import FileVersion, PartialFile
from indexer.http.fetching.stream import Stream
from indexer.http.politeness.site import retry_after

WAITS: Final = (1.0, 5.0, 15.0, 60.0, 300.0)
"""Seconds before each further attempt. An attempt that brings new bytes starts them again."""

PASSING = frozenset(
    (
        FetchFailure.LOOK_UP_NOW,
        FetchFailure.CONNECT_TIMEOUT,
        FetchFailure.READ_TIMEOUT,
        FetchFailure.DEADLINE,
        FetchFailure.TLS,
        FetchFailure.CONNECTION,
        FetchFailure.BODY,
    )
)
"""Failures after which the same request may succeed."""

BUSY = frozenset(f"http-{status}" for status in (408, 429, 500, 502, 503, 504))
_RANGE = re.compile(r"bytes\s+([0-9]{1,18})-([0-9]{1,18})/([0-9]{1,18}|\*)", re.IGNORECASE)
_NO_RANGE = re.compile(r"bytes\s+\*/([0-9]{1,18})", re.IGNORECASE)
_LENGTH = re.compile(r"[0-9]{1,18}")
_PACKED = re.compile(r"\.(?:gz|tgz|svgz|br|zst)$", re.IGNORECASE)

Progress: TypeAlias = Callable[[int, int | None], None]
"""Called with the bytes so far, and those of the whole file if they are known."""


class Downloaded(NamedTuple):
    """A file that is complete: its bytes, the last response, the requests that it took.

    `is_resumed`: its bytes may be of several answers.
    """

    size: int
    response: Response
    requests: int
    is_resumed: bool


def unwatched(done: int, total: int | None) -> None:
    """Report no progress."""


class DownloadTerms(NamedTuple):
    """What is known of a file before its download, and whom to tell.

    `size`: the bytes that it must have. A file whose server has no strong validator is downloaded
    anew after each failure, unless `has_checksum` says that the caller checks one. `hashes` get
    each byte once. `progress` and `sleep` may raise to stop; a later download goes on.
    """

    size: int | None = None
    has_checksum: bool = False
    hashes: FileHashes | None = None
    progress: Progress = unwatched
    sleep: Callable[[float], None] = time.sleep


def download(
    client: Client, request: Request, path: Path, terms: DownloadTerms | None = None
) -> Downloaded:
    """Download to a file, which appears at `path` when it is complete and on disk.

    The request's `seconds` limit all attempts together, its `rate` the speed of each. Raises
    FetchError for a failure that stays, with the status `http-404` and the like for answers, and
    OSError for the disk.
    """
    terms = terms or DownloadTerms()
    transfer = _Transfer(client, request, PartialFile(path), terms)
    failures = 0
    while (error := transfer.attempt()) is not None:
        failures = 0 if transfer.has_grown() else failures
        if failures == len(WAITS) or transfer.is_late:
            raise error
        terms.sleep(max(WAITS[failures], transfer.retry_after if error.status in BUSY else 0.0))
        failures += 1
    return transfer.finished()


class _Transfer:
    """The attempts of one download."""

    def __init__(
        self, client: Client, request: Request, partial: PartialFile, terms: DownloadTerms
    ) -> None:
        self._client = client
        self._request = request
        self._partial = partial
        self._terms = terms
        self._hashes = terms.hashes or FileHashes(())
        self._most = self._before = partial.size
        self._most_bytes = request.max_bytes if terms.size is None else terms.size
        self._ends = inf if request.seconds is None else client.clock() + request.seconds
        self._responses: list[Response] = []

    @property
    def is_late(self) -> bool:
        """Whether there is no time left."""
        return self._client.clock() >= self._ends

    @property
    def retry_after(self) -> float:
        """The seconds of the last response's Retry-After."""
        value = self._responses[-1].headers.get("retry-after")
        return retry_after(value, time.time()) or 0.0

    def has_grown(self) -> bool:
        """Whether the file is larger than ever. So a file that changes all the time has an end."""
        before, self._most = self._most, max(self._most, self._partial.size)
        return self._most > before

    def attempt(self) -> FetchError | None:
        """Ask for the rest. Returns the failure if another attempt may succeed, or raises it."""
        try:
            self._ask()
        except FetchError as error:
            if error.failure == FetchFailure.SIZE:
                self._partial.begin(None)
            if error.failure not in PASSING and error.status not in BUSY:
                raise
            return error
        return None

    def finished(self) -> Downloaded:
        """The complete file, at its place."""
        size = self._partial.size
        # The server may have had nothing to add to what another process has downloaded.
        self._hashes.catch_up(self._partial.part, size)
        self._partial.finish()
        requests = len(self._responses)
        is_resumed = requests > 1 or self._before > 0
        return Downloaded(size, self._responses[-1], requests, is_resumed)

    def _ask(self) -> None:
        have, version = self._partial.size, self._partial.version
        if not have or not version or not (version.validator or self._terms.has_checksum):
            have, version = 0, None
        with self._client.stream(self._rest(have, version)) as stream:
            response = stream.response
            self._responses.append(response)
            if response.status == http.client.OK:
                self._take_whole(stream)
            elif response.status == http.client.PARTIAL_CONTENT:
                self._take_range(stream, have, version)
            elif response.status == http.client.REQUESTED_RANGE_NOT_SATISFIABLE and version:
                self._check_end(response, have, version)
            else:
                raise FetchError(f"HTTP {response.status}", f"http-{response.status}")
        if self._terms.size is not None and self._partial.size < self._terms.size:
            raise BadResponse("the file ends too early")

    def _rest(self, have: int, version: FileVersion | None) -> Request:
        """The request for the bytes that are missing."""
        request = self._request
        more = {"Accept-Encoding": "identity"}
        if have and version:
            more["Range"] = f"bytes={have}-"
            if version.validator:
                more["If-Range"] = version.validator
        return replace(
            request,
            headers=lambda url: {**request.headers(url), **more},
            # The answer may be the whole file. With what is here, it is limited by `_append`.
            max_bytes=self._most_bytes,
            seconds=None if self._ends == inf else max(0.0, self._ends - self._client.clock()),
        )

    def _take_whole(self, stream: Stream) -> None:
        response = stream.response
        if not _is_as_stored(response):
            # Its length, and ranges of it, would be those of the encoded file.
            self._partial.begin(None)
            self._append(iter(stream), 0, None)
            return
        found = _LENGTH.fullmatch(response.headers.get("content-length", ""))
        length = int(found[0]) if found else None
        self._check_size(length)
        self._partial.begin(FileVersion.of(response, length))
        self._append(stream.encoded(), 0, length)

    def _take_range(self, stream: Stream, have: int, version: FileVersion | None) -> None:
        response = stream.response
        found = _RANGE.fullmatch(response.headers.get("content-range", "").strip())
        total = int(found[3]) if found and found[3] != "*" else None
        new = FileVersion.of(response, total)
        if not found or int(found[1]) != have or not _is_as_stored(response):
            raise self._anew("the server sends other bytes than the range that was asked for")
        if version is not None and version.contradicts(new):
            raise self._anew("the file has changed")
        self._check_size(total)
        if version is None:
            self._partial.begin(new)
        self._append(stream.encoded(), have, total)
        if total is not None and self._partial.size < total:
            raise BadResponse("the server has sent only a part of the rest")

    def _check_end(self, response: Response, have: int, version: FileVersion) -> None:
        found = _NO_RANGE.fullmatch(response.headers.get("content-range", "").strip())
        sizes = {version.size, int(found[1]) if found else None} - {None}
        if sizes != {have}:
            raise self._anew("the server has no such range")

    def _anew(self, why: str) -> BadResponse:
        """The error of an attempt after which the next one begins with the first byte."""
        self._partial.begin(None)
        return BadResponse(why)

    def _append(self, pieces: Iterator[bytes], done: int, total: int | None) -> None:
        self._hashes.catch_up(self._partial.part, done)
        with self._partial.open() as file:
            for piece in pieces:
                if self._most_bytes is not None and done + len(piece) > self._most_bytes:
                    raise TooLarge(f"the body is larger than {self._most_bytes} bytes")
                file.write(piece)
                self._hashes.update(piece)
                done += len(piece)
                self._terms.progress(done, total)
        if total is not None and done > total:
            raise self._anew(f"{done} bytes instead of {total}")

    def _check_size(self, announced: int | None) -> None:
        size = self._terms.size
        if size is not None and announced is not None and announced != size:
            raise BadResponse(f"{announced} bytes instead of {size}", failure=FetchFailure.SIZE)


def _is_as_stored(response: Response) -> bool:
    """Whether the body is the file as it is stored, and not encoded for the transfer.

    Apache sends `Content-Encoding: x-gzip` with files that are stored as .tgz.
    """
    if response.headers.get("content-encoding", "identity").lower() == "identity":
        return True
    return bool(_PACKED.search(response.url.partition("?")[0])) or "zip" in (
        response.media_type or ""
    )
