"""The hosts and domains by which visits are limited (feeds.md 5.2).

url → host, lower case, without user and port → the domain that its owner registered
    → keys of `paces`: source:7, host:news.example.co.uk, domain:example.co.uk
"""

from indexer.http.urls.parts import host_of
from indexer.http.urls.registered_domains import registered_domain


def domain_of(url: str) -> str | None:
    """The registered domain of a URL; None for an address, or without a host."""
    host = host_of(url)
    return registered_domain(host) if host else None


def place_of(url: str) -> tuple[str | None, str | None]:
    """The host and the domain of a URL."""
    host = host_of(url)
    return host, registered_domain(host) if host else None


def keys(sources_id: int | None, url: str, final_url: str | None = None) -> list[str]:
    """The keys of `paces` for a visit: the source, the URL, and the URL after redirects."""
    found = [] if sources_id is None else [f"source:{sources_id}"]
    # The host that a redirect leads to has its own limit: many feeds may lead to one host.
    for each in (url, final_url):
        if each:
            found += place_keys(each)
    return list(dict.fromkeys(found))


def place_keys(url: str) -> list[str]:
    """The keys of a URL's host and domain."""
    host = host_of(url)
    if not host:
        return []
    domain = registered_domain(host)
    return [f"host:{host}", f"domain:{domain}"] if domain else [f"host:{host}"]


def host_keys(*urls: str | None) -> list[str]:
    """The keys of the hosts of URLs alone: a Retry-After applies to the host."""
    hosts = (host_of(url) for url in urls if url)
    return list(dict.fromkeys(f"host:{host}" for host in hosts if host))
