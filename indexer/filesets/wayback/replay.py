"""Reads captures back as they were captured: /web/TIMESTAMPid_/URL (spec 3.2)."""

import hashlib
import re
from typing import Final

from indexer.errors import BadURL, FetchError, FilesetError, TooLarge
from indexer.filesets.wayback.retrying import RetryingClient
from indexer.filesets.wayback.rows import SUCCESSFUL, CDXRow
from indexer.http.fetching.exchange import Request, Response
from indexer.http.fetching.recording import Record
from indexer.http.urls.target import Target

WAYBACK_ERROR: Final = "wayback-error"
OTHER_BYTES: Final = "wayback-content-error"
ORIGINAL: Final = "x-archive-orig-"
"""The start of the names of the captured headers."""

_REPLAYED = re.compile(r"(?:https?://[^/]+)?/web/(\d{1,14})(?:[a-z]{2}_)?/(.+)")
# A path of a file may have `..`, which clients remove from URLs (WHATWG URL, 4.4).
_DOTS = re.compile(r"(?<=/)\.{1,2}(?=[/?]|$)")


class Replay:
    """The replay of the web archive."""

    def __init__(self, client: RetryingClient, url: str, *, record: Record | None = None) -> None:
        """`record` gets the exchanges of redirects and pages, as evidence."""
        self._client = client
        self._url = url
        self._record = record

    def url(self, row: CDXRow) -> str:
        """The URL at which the bytes of a capture are."""
        url = _DOTS.sub(lambda found: "%2E" * len(found[0]), row.url).replace("#", "%23")
        return f"{self._url}/web/{row.datetime}id_/{url}"

    def target(self, row: CDXRow) -> str:
        """The URL to which a capture redirects.

        Raises FilesetError: `bad-redirect`, `wayback-error`.
        """
        request = Request(
            url=self.url(row),
            wanted=lambda _: False,
            follow=lambda _: False,
            record=self._record,
        )
        try:
            response = self._client.ask(request)
        except FetchError as error:
            raise FilesetError(WAYBACK_ERROR, f"{row.url}: {error}") from error
        if not 300 <= response.status < 400:
            raise FilesetError(WAYBACK_ERROR, f"{row.url}: HTTP {response.status} of the replay")
        location = response.headers.get("location", "")
        replayed = _REPLAYED.fullmatch(location.strip())
        if replayed and replayed[1] != row.datetime and replayed[2] == row.url:
            raise FilesetError(WAYBACK_ERROR, f"{row.url}: the replay is of {replayed[1]}")
        target = response.headers.get(f"{ORIGINAL}location") or (replayed[2] if replayed else "")
        if not target.strip():
            raise FilesetError("bad-redirect", f"{row.url}: a redirect without a target")
        try:
            return Target.parse(row.url).follow(target).url
        except BadURL as error:
            raise FilesetError("bad-redirect", f"{row.url}: {error}") from error

    def page(self, row: CDXRow, max_bytes: int) -> Response:
        """A capture of at most so many bytes, with the headers as they were captured.

        Raises FilesetError: `wayback-error`, `wayback-content-error`, `body-too-large`.
        """
        request = Request(
            url=self.url(row),
            follow=lambda _: False,
            max_bytes=max_bytes,
            record=self._record,
        )
        try:
            response = self._client.ask(request)
        except TooLarge as error:
            raise FilesetError("body-too-large", f"{row.url}: {error}") from error
        except FetchError as error:
            raise FilesetError(WAYBACK_ERROR, f"{row.url}: {error}") from error
        check_replay(row, response)
        # The index has the SHA-1 of the bytes as they were captured; an encoded body is decoded.
        is_decoded = "content-encoding" in response.headers
        sha1 = hashlib.sha1(response.body, usedforsecurity=False).hexdigest()
        if not is_decoded and sha1 != row.sha1hex:
            raise FilesetError(OTHER_BYTES, f"{row.url}: other bytes than in the index")
        return response


def check_replay(row: CDXRow, response: Response) -> None:
    """Raise FilesetError (`wayback-error`) for an answer that is not the capture itself.

    The archive redirects to another time if it can't replay a capture.
    """
    if response.status not in SUCCESSFUL:
        raise FilesetError(WAYBACK_ERROR, f"{row.url}: HTTP {response.status} of the replay")


def captured_headers(response: Response) -> dict[str, str]:
    """The headers that the site had sent, with names in lower case."""
    sent = {name.lower(): value for name, value in response.headers.items()}
    captured = {
        name.removeprefix(ORIGINAL): value
        for name, value in sent.items()
        if name.startswith(ORIGINAL)
    }
    return {"content-type": sent.get("content-type", ""), **captured}
