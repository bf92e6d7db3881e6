"""The body of a landing page: only a whole HTML page counts, unpacked (spec 3.4)."""

from typing import Final

from indexer.errors import FetchError, FilesetError, TooLarge
from indexer.http.fetching.encodings import decoded
from indexer.http.fetching.exchange import Response

MAX_BODY: Final = 128 * 1024 * 1024

PAGE_TYPES: Final = ("", "text/html", "application/xhtml+xml", "application/xml", "text/xml")

_GZIP = b"\x1f\x8b"


def page_body(response: Response) -> bytes:
    """The body of a page; other types may have none. Raises FilesetError."""
    if response.status != 200:
        waf = ": a web firewall wants a browser" if "x-amzn-waf-action" in response.headers else ""
        raise FilesetError("terminal-bad-status", f"HTTP {response.status}{waf}")
    if (response.media_type or "") in PAGE_TYPES and not response.body:
        raise FilesetError("empty-blob", "the page is empty")
    return _unpacked(response.body)


def _unpacked(body: bytes) -> bytes:
    """The body without a layer of gzip that no header names."""
    if not body.startswith(_GZIP):
        return body
    try:
        return b"".join(decoded([body], "gzip", MAX_BODY))
    except TooLarge as error:
        raise FilesetError("body-too-large", str(error)) from error
    except FetchError as error:
        raise FilesetError("bad-gzip-encoding", str(error)) from error
