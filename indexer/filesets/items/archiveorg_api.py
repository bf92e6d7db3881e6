"""The calls to archive.org that store and list items (filesets.md 5.1, 10.4).

call → 2xx → the answer
     → 503 SlowDown, 429, 5xx, BadDigest, over the limit, a lost connection → a pause, again
     → 401, 403 → AccessDenied     404 → NotFound     all else → StorageError
"""

import html
import http.client
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any, BinaryIO, Final, TypeVar
from urllib.parse import quote

from indexer.errors import AccessDenied, ConfigurationError, FetchError, NotFound, StorageError
from indexer.filesets.platform_item import ItemMetadata
from indexer.filesets.platform_options import ArchiveorgOptions
from indexer.filesets.platforms.answers import JSONValue
from indexer.http.fetching import Request, Response
from indexer.http.fetching.client import Client
from indexer.http.fetching.credentials import header, query_key
from indexer.http.fetching.download import BUSY, PASSING
from indexer.http.json_service import json_of
from indexer.http.politeness import retry_after
from indexer.http.urls.target import Target
from indexer.text.cleaning import one_line

T = TypeVar("T")

WAITS: Final = (1.0, 5.0, 15.0, 60.0, 120.0)
"""Seconds before each further attempt."""

_LONGEST_WAIT = 300.0
_TRANSFER_SECONDS = 43_200.0
# The answer to an upload comes when archive.org has stored all of it.
_UPLOAD_PAUSE = 900.0
_ANSWER_BYTES = 50_000_000
# The server refuses a request whose headers are larger than 8 KiB.
_HEADER_BYTES, _VALUE_BYTES = 6000, 3000
_CODE, _MESSAGE = re.compile("<Code>([^<]*)</Code>"), re.compile("<Message>([^<]*)</Message>")


class _Busy(StorageError):
    """The same call may succeed after `wait` seconds."""

    def __init__(self, why: str, wait: float = 0.0) -> None:
        super().__init__(why)
        self.wait = wait


class ArchiveorgAPI:
    """Calls archive.org. Methods raise StorageError, NotFound, AccessDenied."""

    def __init__(
        self,
        s3: str,
        options: ArchiveorgOptions,
        client: Client,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """`s3`: the URL of the server for uploads. Raises ConfigurationError."""
        if Target.parse(s3).path not in ("", "/"):
            raise ConfigurationError(f"{s3}: the URL of archive.org's S3 server has no path")
        self.base = options.archiveorg_url
        self._client = client
        self._s3 = s3.rstrip("/")
        self._sleep = sleep
        access, secret = options.ia_access_key, options.ia_secret_key
        self._keys = (access.get_secret_value(), secret.get_secret_value())

    def check_keys(self) -> None:
        """Raise AccessDenied if the keys for uploads are not set."""
        if not all(self._keys):
            raise AccessDenied(f"{self._s3}: no keys: set IA_ACCESS_KEY and IA_SECRET_KEY")

    def json(self, path: str) -> JSONValue:
        """The JSON answer to a GET."""
        request = Request(url=self.base + path, accept="application/json", max_bytes=_ANSWER_BYTES)
        response = self._answered(lambda: self._ask(request))
        return JSONValue(json_of(response.body), f"archive.org{path.partition('?')[0]}")

    def download(self, url: str, start: int = 0) -> tuple[ExitStack, Iterator[bytes]]:
        """The bytes of a file from `start` on, and the connection to close.

        Reading raises FetchError.
        """
        headers = {"Accept-Encoding": "identity"}
        if start:
            headers["Range"] = f"bytes={start}-"
        request = Request(
            url=url, accept="*/*", headers=lambda _: headers, seconds=_TRANSFER_SECONDS
        )
        return self._answered(lambda: self._stream(request, start))

    def send(
        self, method: str, key: str, headers: Mapping[str, str], body: BinaryIO | None = None
    ) -> None:
        """Change a file of an item; the body is sent from its position, with each attempt."""
        self.check_keys()
        access, secret = self._keys
        request = Request(
            url=f"{self._s3}/{quote(key)}",
            method=method,
            body=body,
            accept="*/*",
            headers=lambda _: headers,
            auth=[header(self._s3, "Authorization", f"LOW {access}:{secret}")],
            wanted=lambda _: True,
            cut=True,
            seconds=_TRANSFER_SECONDS,
            pause=_UPLOAD_PAUSE,
        )

        start = body.tell() if body else 0

        def attempt() -> Response:
            if body:
                body.seek(start)
            self._check_limit(key.partition("/")[0])
            return self._ask(request)

        self._answered(attempt)

    def _check_limit(self, item: str) -> None:
        """Raise _Busy if archive.org takes no uploads at present."""
        url = f"{self._s3}/?check_limit=1&bucket={quote(item, safe='')}"
        key = query_key(self._s3, "accesskey", self._keys[0])
        found = json_of(self._ask(Request(url=url, accept="application/json", auth=[key])).body)
        if isinstance(found, dict) and found.get("over_limit") not in (0, "0", None, False):
            raise _Busy(f"{self._s3}: over the limit of uploads at present")

    def _ask(self, request: Request) -> Response:
        with _translated():
            response = self._client.ask(request)
        _check(request, response)
        return response

    def _stream(self, request: Request, start: int) -> tuple[ExitStack, Iterator[bytes]]:
        with ExitStack() as stack, _translated():
            stream = stack.enter_context(self._client.stream(request))
            _check(request, stream.response)
            pieces = stream.encoded()
            if stream.response.status != http.client.PARTIAL_CONTENT:
                pieces = _behind(pieces, start)
            return stack.pop_all(), pieces

    def _answered(self, attempt: Callable[[], T]) -> T:
        for pause in (*WAITS, None):
            try:
                return attempt()
            except _Busy as error:
                if pause is None:
                    raise
                self._sleep(max(pause, min(error.wait, _LONGEST_WAIT)))
        raise AssertionError


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except FetchError as error:
        raise (_Busy if error.failure in PASSING else StorageError)(str(error)) from error


def _behind(pieces: Iterator[bytes], start: int) -> Iterator[bytes]:
    """The pieces without their first `start` bytes, of a server that ignores Range."""
    for piece in pieces:
        if start < len(piece):
            yield piece[start:]
        start = max(start - len(piece), 0)


def _check(request: Request, response: Response) -> None:
    """Raise StorageError for an answer that is no success."""
    if not 200 <= response.status < 300:
        raise _refusal(request, response)


def _refusal(request: Request, response: Response) -> StorageError:
    body = response.body.decode(errors="replace")
    code, said = (_found(each, body) for each in (_CODE, _MESSAGE))
    why = ": ".join(filter(None, (request.url, f"HTTP {response.status}", code, said)))
    status = response.status
    if status in (401, 403):
        return AccessDenied(why)
    if status == 404:
        return NotFound(why)
    # An upload that looks like spam is refused with SlowDown, whenever it is tried.
    is_busy = f"http-{status}" in BUSY and "spam" not in said
    if is_busy or code in ("BadDigest", "RequestTimeout"):
        return _Busy(why, retry_after(response.headers.get("retry-after"), time.time()) or 0.0)
    return StorageError(why)


def _found(pattern: re.Pattern[str], body: str) -> str:
    found = pattern.search(body)
    return one_line(html.unescape(found[1]), 300) if found else ""


def metadata_headers(metadata: ItemMetadata) -> dict[str, str]:
    """The headers that give a new item its metadata (filesets.md 5.1).

    Headers are limited: what is long is cut, and what comes last is left out.
    """
    found: dict[str, str] = {}
    for name, header_value in _metadata(metadata):
        if sum(map(len, (*found, *found.values(), name, header_value))) <= _HEADER_BYTES:
            found[name] = header_value
    return found


def _metadata(metadata: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    # Short values first: a long description must not take the place of a licence.
    for name, value in sorted(metadata.items(), key=lambda each: len(str(each[1]))):
        for at, text in enumerate([value] if isinstance(value, str) else value):
            yield f"x-archive-meta{at:02}-{name.replace('_', '--')}", _header_value(text)


def _header_value(text: str) -> str:
    plain = text.isascii() and text.isprintable() and text == text.strip()
    if plain and not text.startswith("uri("):
        return text[:_VALUE_BYTES]
    encoded = f"uri({quote(text, safe='')})"
    while len(encoded) > _VALUE_BYTES:
        text = text[: len(text) * _VALUE_BYTES // len(encoded)]
        encoded = f"uri({quote(text, safe='')})"
    return encoded
