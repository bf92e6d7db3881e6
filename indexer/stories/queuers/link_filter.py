"""Decides which of the links in a file are queued."""

from collections.abc import Collection

from indexer.errors import Discard
from indexer.http.urls.addresses import AddressPolicy
from indexer.messages.message import UNKNOWN, Origin
from indexer.messages.worker import Skipped
from indexer.stories.fetching.links import check_url

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
