"""The checks of a story's link: before it is queued, before it is fetched, after each redirect.

The checks are the same everywhere (stories.md 2.5, 6.3, 6.4): no way in may be easier than another.
"""

from collections.abc import Collection
from ipaddress import IPv4Address

from indexer.errors import BadURL, Discard
from indexer.http.urls.addresses import PUBLIC, AddressPolicy
from indexer.http.urls.parts import is_within
from indexer.http.urls.special_addresses import Address
from indexer.http.urls.target import Target
from indexer.messages.message import UNKNOWN, Origin
from indexer.messages.worker import Skipped
from indexer.news.canonical_domains import is_non_news
from indexer.system.options import Options, option

_LOOPBACK = IPv4Address("127.0.0.1")


class LinkOptions(Options):
    """Part of the options of every program that checks links."""

    skip_domains: list[str] = option(
        [], "domain that gives no stories, besides the known ones; repeatable", "SKIP_DOMAINS"
    )


def check_url(
    url: str | None, skip: Collection[str] = (), addresses: AddressPolicy = PUBLIC
) -> None:
    """Return for a URL that may be the URL of a story.

    Raises Discard with the status `no-url`, `bad-url`, `no-host`, `bad-scheme`, `bad-host` (the
    host spells an address that `addresses` refuses; only the fetch resolves names), or `non-news`
    (its domain, or a domain above it, is known to give no stories, or is in `skip`).
    """
    try:
        target = Target.parse(url or "")
    except BadURL as error:
        raise Discard(error.status, str(error)) from error
    # Refused here already, so that the URL costs no place in a queue and no connection.
    address = _spelled(target)
    if address is not None and (refusal := addresses.why_not(address)):
        raise Discard("bad-host", f"{target.name} refused ({refusal})")
    if is_non_news(target.name, skip):
        raise Discard("non-news", f"{target.name} is on the skip list")


def _spelled(target: Target) -> Address | None:
    """The address of a host that needs no look-up: localhost is loopback (RFC 6761, 6.3)."""
    is_local = is_within(target.name, ("localhost",)) or target.name == "localhost.localdomain"
    return _LOOPBACK if is_local else target.address


DUPLICATE = "dups"
"""The status of a link that was in the same file before (stories.md 2.5)."""


class LinkFilter:
    """The rules for the links of one file. Remembers a hash of each link, not the link."""

    def __init__(self, skip: Collection[str], addresses: AddressPolicy) -> None:
        self._skip = skip
        self._addresses = addresses
        self._seen: set[int] = set()

    def refusal(self, link: str) -> Skipped | None:
        """The reason for not queuing a link: a status of `check_url`, or `dups`; or None."""
        if refused := url_refusal(link, self._skip, self._addresses, link):
            return refused
        # Eight bytes per link: files have millions of links, and two hashes in 2**64 are seldom
        # the same.
        seen = hash(link)
        if seen in self._seen:
            return Skipped(DUPLICATE, link)
        self._seen.add(seen)
        return None


def url_refusal(
    url: str | None,
    skip: Collection[str],
    addresses: AddressPolicy,
    label: str,
    origin: Origin = UNKNOWN,
) -> Skipped | None:
    """A failed `check_url` as the reason for skipping the story with a label; or None."""
    try:
        check_url(url, skip, addresses)
    except Discard as error:
        return Skipped(error.status, label, error.why, origin)
    return None
