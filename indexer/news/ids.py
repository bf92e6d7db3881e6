"""Document ids, and the kinds of URLs by the rules of `mcmetadata`.

The ids of indexed stories must never change (docs/decisions/0002-document-ids.md).
"""

import hashlib
from collections.abc import Callable
from typing import Any

from indexer.news.mcmetadata import library
from indexer.news.normalized_urls import normalize_url

_urls: Any = library("urls")


def unique_url_hash(url: str) -> str:
    """The document id: the sha256, in hex, of the normalised URL. Raises Discard("bad-url")."""
    return hashlib.sha256(normalize_url(url).encode()).hexdigest()


def is_homepage_url(url: str) -> bool | None:
    """Whether `mcmetadata` calls a URL a homepage (any short path); None for a broken URL."""
    return _maybe(_urls.is_homepage_url, url)


def is_shortened_url(url: str) -> bool | None:
    """Whether a URL looks like a link of a URL shortener; None for a broken URL."""
    return _maybe(_urls.is_shortened_url, url)


def _maybe(question: Callable[[str], bool], url: str) -> bool | None:
    try:
        return question(url)
    except (ValueError, AttributeError):
        return None
