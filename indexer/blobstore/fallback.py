"""One bucket, with several sets of credentials that are tried in turn (stories.md 5.1)."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import BinaryIO, TypeVar

from indexer.blobstore import BlobEntry, Blobstore
from indexer.errors import AccessDenied, ConfigurationError, NotFound, StorageError

T = TypeVar("T")


class Fallback:
    """Reads from the first of the stores that may; the others stand in where it may not."""

    def __init__(self, stores: Sequence[Blobstore]) -> None:
        self._stores = stores
        self.url = stores[0].url

    def open(self, key: str) -> BinaryIO:
        """See `Blobstore.open`."""
        return _first(self._stores, lambda store: store.open(key))

    def entries(self, prefix: str = "") -> Iterator[BlobEntry]:
        """See `Blobstore.entries`. Asks the server at once."""
        return _first(self._stores, lambda store: _begun(store.entries(prefix)))


def readable(stores: Sequence[Blobstore]) -> Blobstore:
    """The first of the stores that may be listed: for who reads many objects, some of them missing.

    Asks the server at once. Raises ConfigurationError: none may, or nothing is there; StorageError.
    """

    def listed(store: Blobstore) -> Blobstore:
        if next(store.entries(), None) is None:
            raise NotFound(f"{store.url}: nothing is there")
        return store

    try:
        return _first(stores, listed)
    except (AccessDenied, NotFound) as error:
        raise ConfigurationError(f"can't read {error}") from error


def _first(stores: Sequence[Blobstore], read: Callable[[Blobstore], T]) -> T:
    """What the first store gives that refuses nothing."""
    failures: list[StorageError] = []
    for store in stores:
        try:
            return read(store)
        except (AccessDenied, NotFound) as error:
            failures.append(error)
    if len(failures) == 1:
        raise failures[0]
    # A refusal says more than "not found", which some servers say to strangers.
    worst = next((each for each in failures if isinstance(each, AccessDenied)), failures[0])
    raise type(worst)(f"{worst}; so with each of {len(failures)} sets of credentials")


def _begun(entries: Iterator[BlobEntry]) -> Iterator[BlobEntry]:
    """The same, but what fails fails now."""
    first = next(entries, None)
    return entries if first is None else chain([first], entries)
