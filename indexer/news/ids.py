"""What a URL says by itself: its document id, canonical domain, and kind.

All of it is `mcmetadata`'s: ids must stay those of the stories that are indexed already
(docs/decisions/0002-document-ids.md). Nothing here uses the network or writes a file.
"""

import hashlib
import importlib.metadata
from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeVar
from urllib.parse import urlsplit

import tldextract
import tldextract.tldextract

from indexer.errors import ConfigurationError, Discard
from indexer.news.mcmetadata import library

URL_NORMALIZE = "1.4."
"""The releases of url-normalize that give the ids of the index."""

T = TypeVar("T")

# The list of public suffixes that comes with the library, not one fetched on first use: a domain
# must not depend on the day and on the machine.
suffixes = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)
tldextract.tldextract.TLD_EXTRACTOR = suffixes

_urls: Any = library("urls")
# Asked three times for each story, and 0.4 ms each time.
_urls.normalize_url = lru_cache(maxsize=1024)(_urls.normalize_url)


def check_version(version: str) -> None:
    """Raise ConfigurationError for a release of url-normalize that gives other ids."""
    if not version.startswith(URL_NORMALIZE):
        raise ConfigurationError(
            f"url-normalize {version} gives other document ids than the index has: "
            f"install {URL_NORMALIZE}x, as in requirements.txt"
        )


check_version(importlib.metadata.version("url-normalize"))


def normalize_url(url: str) -> str:
    """The URL in the form that duplicates share. Lossy. Raises Discard("bad-url")."""
    normalized: str | None = _ask(_urls.normalize_url, url)
    if not normalized:
        raise Discard("bad-url", "an empty URL")
    return normalized


def unique_url_hash(url: str) -> str:
    """The document id: the sha256, in hex, of the normalised URL. Raises Discard("bad-url")."""
    return hashlib.sha256(normalize_url(url).encode()).hexdigest()


def canonical_domain(url: str) -> str:
    """The site that a URL belongs to: its registered domain, or what stands for it.

    Blog hosts keep the blog's name; IP addresses stay; for a name that is under no public suffix
    (localhost, a private zone) it is the host without `www.`. Raises Discard("bad-url").
    """
    domain: str = _ask(_urls.canonical_domain, url)
    return domain or _host(url).removeprefix("www.")


def is_homepage_url(url: str) -> bool | None:
    """Whether `mcmetadata` takes it for a homepage: any short path; None if it can't tell."""
    return _maybe(_urls.is_homepage_url, url)


def is_shortened_url(url: str) -> bool | None:
    """Whether it looks like one of a URL shortener; None if the library can't tell."""
    return _maybe(_urls.is_shortened_url, url)


def is_non_news_domain(host: str) -> bool:
    """Whether a host is, or is under, one of the domains that give no stories (6.4)."""
    return bool(_urls.is_non_news_domain(host))


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError as error:
        raise Discard("bad-url", str(error)) from error


def _ask(question: Callable[[str], T], url: str) -> T:
    """Its answer; URLs that can't be split, encoded or have no host are bad."""
    try:
        return question(url)
    except (ValueError, AttributeError) as error:
        raise Discard("bad-url", str(error)) from error


def _maybe(question: Callable[[str], bool], url: str) -> bool | None:
    try:
        return question(url)
    except (ValueError, AttributeError):
        return None
