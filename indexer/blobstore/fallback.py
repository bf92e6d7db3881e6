"""One bucket with several sets of credentials, tried in order (stories.md 5.1)."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import BinaryIO, TypeVar

from indexer.blobstore import BlobEntry, Blobstore
from indexer.errors import AccessDenied, ConfigurationError, NotFound, StorageError

T = TypeVar("T")


class Fallback:
    """Reads from the first store; if that is refused or finds nothing, from the next one."""

    def __init__(self, stores: Sequence[Blobstore]) -> None:
        self._stores = stores
        self.url = stores[0].url

    def open(self, key: str) -> BinaryIO:
        """See `Blobstore.open`."""
        return _first(self._stores, lambda store: store.open(key))

    def entries(self, prefix: str = "") -> Iterator[BlobEntry]:
        """See `Blobstore.entries`. The first request is made before it returns."""
        return _first(self._stores, lambda store: _begun(store.entries(prefix)))


def readable(stores: Sequence[Blobstore]) -> Blobstore:
    """The first store that lists at least one object.

    For readers of many objects: a missing object then doesn't lead to requests to every store.
    Raises ConfigurationError if every store is refused or empty, StorageError.
    """

    def listed(store: Blobstore) -> Blobstore:
        if next(store.entries(), None) is None:
            raise NotFound(f"{store.url}: there are no objects")
        return store

    try:
        return _first(stores, listed)
    except (AccessDenied, NotFound) as error:
        raise ConfigurationError(f"can't read {error}") from error


def _first(stores: Sequence[Blobstore], read: Callable[[Blobstore], T]) -> T:
    """The result of the first store that neither refuses the request nor finds nothing."""
    failures: list[StorageError] = []
    for store in stores:
        try:
            return read(store)
        except (AccessDenied, NotFound) as error:
            failures.append(error)
    if len(failures) == 1:
        raise failures[0]
    # A refusal says more than "not found", which some servers answer to unknown users.
    worst = next((each for each in failures if isinstance(each, AccessDenied)), failures[0])
    raise type(worst)(f"{worst}; the same with each of {len(failures)} sets of credentials")


def _begun(entries: Iterator[BlobEntry]) -> Iterator[BlobEntry]:
    """The same entries; an error of the first request is raised here."""
    first = next(entries, None)
    return entries if first is None else chain([first], entries)
