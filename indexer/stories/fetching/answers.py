"""Checks of the answer to the request for a story's page (stories.md 6.3)."""

import re

from indexer.errors import Discard, Retry
from indexer.http.fetching import Response
from indexer.http.politeness import retry_after

RETRIED = frozenset((408, 429, 500, 502, 503, 504, 522, 524))
"""Statuses after which a later request may succeed (stories.md 6.3)."""

NAMED = frozenset((403, 404, 429))
"""Statuses that are counted alone; all others are counted by class (stories.md 2.5)."""

_TEXT = re.compile(r"text/|application/(?:xhtml|xml|vnd\.wap\.xhtml\+xml)")
_BINARY = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
# The length of the resource header in WHATWG MIME Sniffing, 5.2.
_SNIFFED_BYTES = 1445
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def check_answer(response: Response, now: float) -> None:
    """Return for a page. Raises Discard and Retry for any other answer."""
    if response.status != 200:
        raise _refusal(response, now)
    if not _is_text(response.media_type):
        raise Discard("not-text", response.media_type or "")
    if not response.body.strip():
        raise Discard("no-html", "an empty page")
    # A declared type is trusted: browsers sniff only where none is declared.
    if response.media_type is None and _is_binary(response.body):
        raise Discard("not-text", "no content type, and not text")


def _refusal(response: Response, now: float) -> Discard | Retry:
    code = response.status
    status = f"http-{code}" if code in NAMED else f"http-{code // 100}xx"
    if code not in RETRIED:
        return Discard(status, f"HTTP {code}")
    wait = retry_after(response.headers.get("retry-after"), now)
    why = f"HTTP {code}" if wait is None else f"HTTP {code}, again after {wait:.0f} s"
    return Retry(status, why, drop=True, delay=wait)


def is_page(response: Response) -> bool:
    return response.status == 200 and _is_text(response.media_type)


def _is_text(media_type: str | None) -> bool:
    """Whether the media type is text (stories.md 6.3). Without one, the body is checked later."""
    return media_type is None or _TEXT.match(media_type) is not None


def _is_binary(body: bytes) -> bool:
    """Whether a body has bytes that no text has (WHATWG MIME Sniffing, 7.2)."""
    return not body.startswith(_UTF16) and _BINARY.search(body[:_SNIFFED_BYTES]) is not None
