"""The checks of a story's URL: before it is queued, before it is fetched, after each redirect.

The same everywhere (stories.md 2.5, 6.3, 6.4), so that no way in is easier than another.
"""

from collections.abc import Collection
from ipaddress import IPv4Address

from indexer.errors import BadURL, Discard
from indexer.http.fetching.target import Target
from indexer.http.urls.addresses import PUBLIC, Address, AddressPolicy
from indexer.news.ids import is_non_news_domain
from indexer.system.options import Options, option

_LOOPBACK = IPv4Address("127.0.0.1")


class LinkOptions(Options):
    """Part of the options of every program that checks links."""

    skip_domains: list[str] = option(
        [], "domain that gives no stories, besides those known; repeatable", "SKIP_DOMAINS"
    )


def check_url(
    url: str | None, skip: Collection[str] = (), addresses: AddressPolicy = PUBLIC
) -> None:
    """Return for a URL that may be a story's.

    Raises Discard with the status `no-url`, `bad-url`, `no-host`, `bad-scheme`, `bad-host` (it
    spells an address that `addresses` refuses; names are resolved when they are fetched), or
    `non-news` (its domain, or one above it, is known or in `skip` as one without news).
    """
    try:
        target = Target.parse(url or "")
    except BadURL as error:
        raise Discard(error.status, str(error)) from error
    host = target.host.rstrip(".")
    address = _spelled(host, target.address)
    if address is not None and (refusal := addresses.why_not(address)):
        raise Discard("bad-host", f"{host} refused ({refusal})")
    if is_non_news_domain(host) or _within(host, skip):
        raise Discard("non-news", f"{host} is on the skip list")


def _spelled(host: str, address: Address | None) -> Address | None:
    """The address that is meant without asking anybody (RFC 6761 for localhost)."""
    local = host in ("localhost", "localhost.localdomain") or host.endswith(".localhost")
    return _LOOPBACK if local else address


def _within(host: str, domains: Collection[str]) -> bool:
    names = (domain.lower().strip(".") for domain in domains)
    return any(host == name or host.endswith(f".{name}") for name in names if name)
