"""Whose server a URL leads to: the names by which visits are limited (feeds.md 5.2).

url → host, lower case, without user and port → the domain that it is registered under
    → keys of `paces`: source:7, host:news.example.co.uk, domain:example.co.uk
"""

from functools import lru_cache
from urllib.parse import urlsplit

import tldextract

from indexer.errors import BadURL
from indexer.http.fetching.target import Target

_REMEMBERED = 16_384

# The list that comes with the library: a domain must not depend on the day and on the machine.
# Blogs of one service have domains of their own, as that list has it.
_extract = tldextract.TLDExtract(
    suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True
)


def host_of(url: str) -> str | None:
    """The host, in lower-case ASCII, without user, port and brackets; None if there is none."""
    try:
        return Target.parse(_without_user(url)).host.strip("[]").rstrip(".")
    except (BadURL, ValueError):
        return None


def domain_of(url: str) -> str | None:
    """The domain that the host is registered under; None for an address, or without one."""
    host = host_of(url)
    return _domain(host) if host else None


def place_of(url: str) -> tuple[str | None, str | None]:
    """Both of them."""
    host = host_of(url)
    return host, _domain(host) if host else None


def keys(sources_id: int | None, url: str, final_url: str | None = None) -> list[str]:
    """The keys of `paces` that a visit of a source's URL counts for, and where it leads."""
    found = [] if sources_id is None else [f"source:{sources_id}"]
    for each in (url, final_url):
        if each:
            found += place_keys(each)
    return list(dict.fromkeys(found))


def place_keys(url: str) -> list[str]:
    """Those of a URL's host and domain."""
    host = host_of(url)
    if not host:
        return []
    domain = _domain(host)
    return [f"host:{host}", f"domain:{domain}"] if domain else [f"host:{host}"]


def host_keys(url: str) -> list[str]:
    """That of its host alone: what a Retry-After is about."""
    host = host_of(url)
    return [f"host:{host}"] if host else []


@lru_cache(_REMEMBERED)
def _domain(host: str) -> str | None:
    found = _extract(host)
    if found.suffix:
        return found.top_domain_under_public_suffix or None
    # Not on the list: the last label is the suffix then, as the list's own rules have it.
    labels = host.split(".")
    return ".".join(labels[-2:]) if len(labels) > 1 and not labels[-1].isdigit() else None


def _without_user(url: str) -> str:
    """The URL, if there is a user in it, without."""
    if "@" not in url:
        return url
    parts = urlsplit(url.strip())
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
