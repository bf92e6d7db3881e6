"""The site that a story's URL belongs to (feeds.md 8.2), and sites that give no stories.

The rules are those of `mcmetadata`, asked of the host alone: the library looks at the whole URL
after it has removed labels of it, and finds `com.au` for https://news.com.au/.
"""

import re
from collections.abc import Collection
from functools import lru_cache
from ipaddress import IPv4Address
from typing import Final

from indexer.feeds.identity.url_parts import Parts, cut, server, without_www
from indexer.news.ids import suffixes
from indexer.news.mcmetadata import library

_urls: Final = library("urls")

NON_NEWS: Final[frozenset[str]] = frozenset(_urls.NON_NEWS_DOMAINS)
"""Domains that give no stories, with all that is under them."""

_AMP = ".cdn.ampproject.org"
_AMP_PAGE = re.compile(r"/\w{1,2}/(?:s/)?([^/]+)")
_ARCHIVED = re.compile(r"/[a-z0-9]/[a-z0-9]+/(https?://.*)", re.I | re.S)
_VARIANT = re.compile(
    r"(?:www|m|beta|media|data|image|cdn|topic|article|news|archive|blog|video|search|preview"
    r"|login|shop|sports?|act|donate|press|web|photos?|\d+)\."
)
"""Labels that `mcmetadata` takes for variants of a site."""


def canonical_domain(url: str) -> str:
    """The registered domain of a URL; of a blog host also the blog's name; IPv4 as it is.

    "" for what has none: IPv6, localhost, private names, and URLs that are not of the web.
    """
    parts = cut(url)
    if parts is None:
        return ""
    try:
        return domain_of_parts(parts)
    except ValueError:
        return ""


def domain_of_parts(parts: Parts) -> str:
    """`canonical_domain` of what was cut already. Raises ValueError for what can't be a URL."""
    if not parts.is_web:
        return ""
    host = server(parts.scheme, parts.authority).host
    if host == "archive.is" and (archived := _ARCHIVED.fullmatch(parts.path)):
        return canonical_domain(archived[1])
    if host.endswith(_AMP):
        return _of_amp(host.removesuffix(_AMP), parts.path)
    return _of_host(host)


def is_non_news(domain: str, others: Collection[str] = ()) -> bool:
    """Whether a domain or host is on the list, or under one that is: by whole labels.

    `others` are on it too.
    """
    return _is_listed(domain) or is_within(domain, others)


def is_within(host: str, domains: Collection[str]) -> bool:
    """Whether a host is one of the domains, or under one: by whole labels."""
    return any(_is_under(host.lower(), domain) for domain in domains)


@lru_cache(maxsize=16_384)
def _is_listed(domain: str) -> bool:
    labels = domain.lower().split(".")
    return any(".".join(labels[at:]) in NON_NEWS for at in range(len(labels)))


def _is_under(domain: str, other: str) -> bool:
    other = other.lower().strip(".")
    return bool(other) and (domain == other or domain.endswith(f".{other}"))


@lru_cache(maxsize=16_384)
def _of_host(host: str) -> str:
    # Before what it is registered under is looked up: www.gov.cn is gov.cn.
    host = without_www(host)
    found = suffixes(host)
    if not found.domain:
        return found.suffix  # gov.cn is a site as well
    if not found.suffix:
        return host if _is_ipv4(host) else ""
    registered = found.top_domain_under_public_suffix
    if not found.subdomain or not _urls.blog_domain_pattern.search(host):
        return registered
    variant = _VARIANT.match(found.subdomain)
    blog = found.subdomain[variant.end() :] if variant else found.subdomain
    return f"{blog}.{registered}"


def _is_ipv4(host: str) -> bool:
    try:
        IPv4Address(host)
    except ValueError:
        return False
    return True


def _of_amp(name: str, path: str) -> str:
    """The site whose pages a cache has: in its name `-` stands for a dot and `--` for a hyphen."""
    if "-" not in name and (page := _AMP_PAGE.match(path)):
        return canonical_domain(f"https://{page[1]}/")
    labels = [label.replace("\0", "-") for label in name.replace("--", "\0").split("-")]
    return ".".join(label for label in labels if label != "amp")
