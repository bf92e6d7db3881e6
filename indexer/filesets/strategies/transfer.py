"""Transfers one file from its platform to this machine, verified.

here already? hash it → the same → done
→ platform_url, else fallback_url: streamed once, hashed as it comes, resumed by Range
  → a challenge page, HTML for data → the next URL
→ size and hashes as announced? → sizes, hashes, type, URL and time are filled in
"""

import errno
import http.client
import re
import shutil
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

from indexer.errors import FetchError, FilesetError
from indexer.files.hashes import FileHashes
from indexer.filesets.manifest import HASHES, FilesetManifestFile
from indexer.filesets.strategies.file_types import HEAD_BYTES, file_type
from indexer.filesets.strategies.options import TransferOptions
from indexer.filesets.strategies.verifying import fill, mismatch
from indexer.http.connections.bounded import LeastRate
from indexer.http.connections.failures import FetchFailure
from indexer.http.fetching import Request, Response
from indexer.http.fetching.client import Client
from indexer.http.fetching.credentials import Credentials
from indexer.http.fetching.download import Downloaded, DownloadTerms, Progress, download
from indexer.http.redaction.redactor import Redactor, Secrets
from indexer.text.dates import utc_now

DOWNLOAD_FAILED = "error-platform-download"
INSUFFICIENT_DISK = "insufficient-disk"

LEFT_FREE = 256 << 20
"""Bytes of a disk that stay free: queues and databases of a laptop are often on the same disk."""

WAF = "x-amzn-waf-action"
"""The header of a web firewall that sends a challenge for browsers in place of the file."""

# A path of a file may have `..`, which clients remove from URLs (WHATWG URL, 4.4).
_DOTS = re.compile(r"(?<=/)\.{1,2}(?=/|$)")
_SIGNED = ("X-Amz-Signature", "X-Amz-Credential", "X-Amz-Security-Token", "Signature", "sig")
_PAGES = ("text/html", "application/xhtml+xml")
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
_RATE_SECONDS = 60.0


class Transfer:
    """Transfers files with a client, which checks addresses."""

    def __init__(
        self,
        client: Client,
        options: TransferOptions,
        *,
        auth: tuple[Credentials, ...] = (),
        now: Callable[[], datetime] = utc_now,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.client = client
        self._options = options
        self._auth = auth
        self._now = now
        self._sleep = sleep
        self._redactor = Redactor(Secrets(fields=_SIGNED))

    def fetch(
        self,
        file: FilesetManifestFile,
        path: Path,
        progress: Progress,
        max_bytes: int | None = None,
    ) -> None:
        """Make `path` the verified file, and fill in what is unknown of it.

        `max_bytes` limits a file of unknown size.

        Raises FilesetError with the status of the file; `progress` may raise to stop: a later
        call goes on. Raises OSError for other failures of the disk than that it is full.
        """
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if not self._is_here(file, path, progress):
                self._verified(file, path, progress, max_bytes)
            with path.open("rb") as opened:
                file.mimetype = file_type(opened.read(HEAD_BYTES), file.path, file.mimetype or "")
        except OSError as error:
            if error.errno in _NO_ROOM:
                raise FilesetError(INSUFFICIENT_DISK, f"{path.parent}: {error.strerror}") from error
            raise
        file.status = "verified-local"

    def measure(self, file: FilesetManifestFile) -> None:
        """Ask for the size of a file, if it is unknown; it may stay unknown."""
        if file.size is not None or not file.platform_url:
            return
        try:
            response = self.client.ask(self.request(file.platform_url, "HEAD"))
        except FetchError:
            return
        length = response.headers.get("content-length", "")
        is_file = response.status == http.client.OK and not _is_challenge(file, response)
        if is_file and "content-encoding" not in response.headers and length.isdecimal():
            file.size = int(length)

    def _is_here(self, file: FilesetManifestFile, path: Path, progress: Progress) -> bool:
        """Whether an earlier process has left the whole file, which is deleted if it is wrong."""
        if not path.exists():
            return False
        size, hashes = path.stat().st_size, FileHashes(HASHES)
        hashes.catch_up(path, size)
        if mismatch(file, size, hashes.digests()):
            path.unlink()
            return False
        fill(file, size, hashes.digests())
        progress(size, size)
        return True

    def _verified(
        self, file: FilesetManifestFile, path: Path, progress: Progress, max_bytes: int | None
    ) -> None:
        wrong: FilesetError | None = None
        for url in _urls(file):
            hashes = FileHashes(HASHES)
            try:
                done = self._downloaded(url, file, path, hashes, progress, max_bytes)
            except FilesetError as error:
                wrong = wrong or error
                continue
            wrong = mismatch(file, done.size, hashes.digests())
            if wrong is None:
                fill(file, done.size, hashes.digests())
                file.terminal_url = self._redactor.text(done.response.url)
                file.terminal_dt = f"{self._now():%Y%m%d%H%M%S}"
                return
            path.unlink()
        raise wrong or FilesetError(DOWNLOAD_FAILED, "the platform has no URL for the file")

    def _downloaded(
        self,
        url: str,
        file: FilesetManifestFile,
        path: Path,
        hashes: FileHashes,
        progress: Progress,
        max_bytes: int | None,
    ) -> Downloaded:
        """Download from one URL. Raises FilesetError."""
        terms = DownloadTerms(file.size, bool(file.hashes), hashes, progress, self._sleep)
        request = self.request(
            url, seen=lambda _, head: refuse_challenge(file, head), max_bytes=max_bytes
        )
        try:
            done = download(self.client, request, path, terms)
            if mismatch(file, done.size, hashes.digests()) and done.is_resumed:
                # Bytes of two versions may have come together on a server without validators.
                hashes.restart()
                done = download(self.client, request, path, terms)
            return done
        except FetchError as error:
            is_size = error.failure == FetchFailure.SIZE and file.size is not None
            status = "mismatch-size" if is_size else DOWNLOAD_FAILED
            raise FilesetError(status, f"{self._redactor.text(url)}: {error}") from error

    def request(self, url: str, method: str = "GET", **more: object) -> Request:
        """The request for a file; `more` are fields of it."""
        options = self._options
        rate = LeastRate(int(options.least_rate * _RATE_SECONDS), _RATE_SECONDS)
        return Request(
            url=_DOTS.sub(lambda found: "%2E" * len(found[0]), url),
            method=method,
            accept="*/*",
            headers=lambda _: {"Accept-Encoding": "identity"},
            auth=self._auth,
            seconds=options.transfer_seconds,
            rate=rate if options.least_rate else None,
            **more,  # type: ignore[arg-type]  # the caller's
        )


def check_room(directory: Path, size: int) -> None:
    """Raise FilesetError if, with so many bytes more, a disk has less than LEFT_FREE bytes free."""
    free = shutil.disk_usage(directory).free
    if free < size + LEFT_FREE:
        needed = f"{size:,} bytes needed, and {LEFT_FREE:,} to spare"
        raise FilesetError(INSUFFICIENT_DISK, f"{needed}; {free:,} are free: {directory}")


def _urls(file: FilesetManifestFile) -> Iterator[str]:
    fallback = (file.extra or {}).get("fallback_url")
    yield from filter(None, (file.platform_url, fallback if isinstance(fallback, str) else None))


def refuse_challenge(file: FilesetManifestFile, head: Response) -> None:
    """Raise FetchError for an answer that is no file (filesets.md 4.3, 5.2)."""
    if _is_challenge(file, head):
        raise FetchError(f"HTTP {head.status}: a page for browsers instead of the file")


def _is_challenge(file: FilesetManifestFile, head: Response) -> bool:
    if WAF in head.headers or head.status == http.client.ACCEPTED:
        return True
    if head.status != http.client.OK or head.media_type not in _PAGES:
        return False
    is_page = file.mimetype in _PAGES or file.path.lower().endswith((".html", ".htm", ".xhtml"))
    # Some servers call every file a page; then the size, and later the hashes, decide.
    return not is_page and head.headers.get("content-length") != str(file.size)
