"""What a queuer asks of each link that a file offers, before it queues it."""

from collections.abc import Collection

from indexer.errors import Discard
from indexer.http.urls.addresses import AddressPolicy
from indexer.messages.worker import Skipped
from indexer.stories.fetching.links import check_url

DUPLICATE = "dups"
"""The status of a link that was in the same file before (stories.md 2.5)."""


class Offers:
    """The links of one file. Keeps eight bytes of each, not the links."""

    def __init__(self, skip: Collection[str], addresses: AddressPolicy) -> None:
        self._skip = skip
        self._addresses = addresses
        self._seen: set[int] = set()

    def refusal(self, link: str) -> Skipped | None:
        """Why a link isn't to be queued: one of the statuses of `check_url`, or `dups`."""
        try:
            check_url(link, self._skip, self._addresses)
        except Discard as error:
            return Skipped(error.status, link, error.why)
        seen = hash(link)
        if seen in self._seen:
            return Skipped(DUPLICATE, link)
        self._seen.add(seen)
        return None
