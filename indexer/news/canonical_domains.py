"""The site that a story belongs to (feeds.md 8.2), and sites that give no stories (stories.md 6.4).

The rules are those of `mcmetadata`, applied to the host. The library applies them to the whole URL
after it has removed labels of the host, and finds `com.au` for https://news.com.au/
(docs/decisions/0007-urls.md).
"""

import re
from collections.abc import Collection
from functools import lru_cache
from typing import Final

from indexer.errors import BadURL, Discard
from indexer.http.urls.parts import Parts, host_of, is_within, server, split, without_www
from indexer.http.urls.registered_domains import labels
from indexer.news.mcmetadata import data
from indexer.news.normalized_urls import library_urls, normalize_url

NON_NEWS: Final = frozenset(data("domain-skip-list.txt").lower().split())
"""Domains that give no stories, and neither do the domains under them."""

_AMP = ".cdn.ampproject.org"
_AMP_PAGE = re.compile(r"/\w{1,2}/(?:s/)?([^/]+)")
_ARCHIVED = re.compile(r"/[a-z0-9]/[a-z0-9]+/(https?://.*)", re.I | re.S)
_PODCAST = re.compile(r"pron.*\.podomatic\.com$")
_VARIANT = re.compile(
    r"(?:www|m|beta|media|data|image|cdn|topic|article|news|archive|blog|video|search|preview"
    r"|login|shop|sports?|act|donate|press|web|photos?|\d+)\."
)
"""Labels that `mcmetadata` takes for variants of a site."""


def canonical_domain(url: str) -> str:
    """The site that a URL belongs to; without one (localhost, IPv6) the host less `www.`.

    Raises Discard("bad-url").
    """
    if domain := _of_url(url):
        return domain
    # Links of the indexed years have mistakes that normalising mends, such as http://http://a.com/.
    mended = normalize_url(url)
    host = host_of(url) or host_of(mended)
    if not host:
        raise Discard("bad-url", "no host that can be read")
    return _of_url(mended) or host.removeprefix("www.")


def domain_of_parts(parts: Parts) -> str:
    """The registered domain of a URL; for a blog host with the blog's name; IPv4 unchanged.

    "" for IPv6, localhost, private names, and URLs that are not of the web. Raises BadURL.
    """
    if not parts.is_web:
        return ""
    found = server(parts.scheme, parts.authority)
    if found.address:
        return str(found.address) if found.address.version == 4 else ""
    if found.name == "archive.is" and (archived := _ARCHIVED.fullmatch(parts.path)):
        return _of_url(archived[1])
    # A podcast with thousands of hosts is one site, as in the indexed years: of http only.
    if parts.scheme == "http" and _PODCAST.search(found.name):
        return "pronkpops.podomatic.com"
    if found.name.endswith(_AMP):
        return _of_amp(found.name.removesuffix(_AMP), parts.path)
    return _of_name(found.name)


def is_non_news(host: str, others: Collection[str] = ()) -> bool:
    """Whether a host or domain is on the list, or in `others`, or under one that is."""
    return _is_listed(host) or is_within(host, others)


@lru_cache(maxsize=16_384)
def _is_listed(host: str) -> bool:
    names = host.lower().split(".")
    return any(".".join(names[at:]) in NON_NEWS for at in range(len(names)))


def _of_url(url: str) -> str:
    """The domain of a URL; "" also for a text that is no URL."""
    try:
        url.encode()  # a lone surrogate can be neither stored nor sent
        parts = split(url)
        return domain_of_parts(parts) if parts else ""
    except (BadURL, UnicodeError):
        return ""


@lru_cache(maxsize=16_384)
def _of_name(host: str) -> str:
    # Without `www.` first: gov.cn is a public suffix, but the site of www.gov.cn as well.
    host = without_www(host)
    found = labels(host)
    if not found.domain or not found.suffix:
        return found.suffix
    registered = found.top_domain_under_public_suffix
    if not found.subdomain or not library_urls().blog_domain_pattern.search(host):
        return registered
    variant = _VARIANT.match(found.subdomain)
    blog = found.subdomain[variant.end() :] if variant else found.subdomain
    return f"{blog}.{registered}"


def _of_amp(name: str, path: str) -> str:
    """The site whose pages a cache has: in its name `-` stands for a dot and `--` for a hyphen."""
    if "-" not in name and (page := _AMP_PAGE.match(path)):
        return _of_url(f"https://{page[1]}/")
    names = [label.replace("\0", "-") for label in name.replace("--", "\0").split("-")]
    return ".".join(label for label in names if label != "amp")
